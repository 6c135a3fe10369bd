import Foundation
import NetCore

// conformance-sse FILE [RESULTS]: feeds every case whole, byte by byte and cut at every place.

let arguments = CommandLine.arguments.dropFirst()
guard let path = arguments.first, let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
    FileHandle.standardError.write(Data("conformance-sse: cannot read \(arguments.first ?? "(no file given)")\n".utf8))
    exit(2)
}

let file: CaseFile
do {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    file = try decoder.decode(CaseFile.self, from: data)
} catch {
    FileHandle.standardError.write(Data("conformance-sse: \(path) has another form: \(error)\n".utf8))
    exit(2)
}

let results = file.cases.map { CaseResult(id: $0.id, problem: $0.problem()) }
for result in results {
    if let problem = result.problem { print("FAIL \(result.id): \(problem.prefix(80))") }
}
let passed = results.count { $0.problem == nil }
if let output = arguments.dropFirst().first {
    let report = Report(name: "sse", passed: passed, total: results.count, results: results)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    do {
        try encoder.encode(report).write(to: URL(fileURLWithPath: output))
    } catch {
        FileHandle.standardError.write(Data("conformance-sse: cannot write \(output): \(error)\n".utf8))
        exit(2)
    }
}
print("passed \(passed) of \(results.count)")
exit(passed == results.count && !results.isEmpty ? 0 : 1)
