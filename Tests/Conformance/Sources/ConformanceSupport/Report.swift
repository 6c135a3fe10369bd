import Foundation

/// The result of one case.
public struct CaseResult: Encodable, Sendable {
    let id: String
    let problem: String?

    public init(id: String, problem: String?) {
        self.id = id
        self.problem = problem
    }
}

/// The contents of the `--json` file.
private struct Report: Encodable {
    let name: String
    let passed, total: Int
    let results: [CaseResult]
}

/// Prints an error in the call or the files to standard error, and ends the program.
public func stop(_ name: String, _ message: String) -> Never {
    FileHandle.standardError.write(Data("conformance \(name): \(message)\n".utf8))
    exit(2)
}

/// Prints the failures and `passed N of M`, writes the results to `output`, and ends the program.
///
/// - Parameter isShown: True if the failures have already been printed. Default false.
public func finish(_ name: String, _ results: [CaseResult], isShown: Bool = false, output: String?) -> Never {
    for result in results where !isShown {
        if let problem = result.problem { print("FAIL \(result.id): \(problem.prefix(200))") }
    }
    let passed = results.count { $0.problem == nil }
    if let output, !output.isEmpty {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let report = Report(name: name, passed: passed, total: results.count, results: results)
        do {
            try encoder.encode(report).write(to: URL(fileURLWithPath: output))
        } catch {
            stop(name, "cannot write \(output): \(error)")
        }
    }
    print("passed \(passed) of \(results.count)")
    exit(passed == results.count && !results.isEmpty ? 0 : 1)
}
