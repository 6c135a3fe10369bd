import ConformanceSupport
import Foundation

// conformance-autobahn [--verdicts] URL AGENT [PATTERN…]: runs the cases of the fuzzing server at URL whose IDs match a
// pattern, such as `12.*`, or all cases. Writes a line of JSON after each, with the server's verdict if --verdicts is
// given.
//
// kosoku has neither /getCaseInfo nor /getCaseStatus: without patterns and without --verdicts, neither is used.

/// The line written after a case.
struct CaseLine: Encodable {
    let `case`, of: Int
    var id, behavior, detail: String?
    var milliseconds: Int?
}

var arguments = Array(CommandLine.arguments.dropFirst())
let wantsVerdicts = arguments.first == "--verdicts"
if wantsVerdicts { arguments.removeFirst() }
guard arguments.count >= 2 else { stop("autobahn", "usage: conformance-autobahn [--verdicts] URL AGENT [PATTERN…]") }
let server = FuzzingServer(url: arguments[0], agent: arguments[1])
let patterns = arguments.dropFirst(2).map { CasePattern($0) }

func write(_ line: CaseLine) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try FileHandle.standardOutput.write(contentsOf: encoder.encode(line) + Data("\n".utf8))
}

/// A case to run.
struct ChosenCase {
    let number: Int
    var id: String?
}

do {
    var chosen = (0..<(try await server.caseCount())).map { ChosenCase(number: $0 + 1) }
    if wantsVerdicts || !patterns.isEmpty {
        for index in chosen.indices { chosen[index].id = await server.id(ofCase: chosen[index].number) }
        chosen.removeAll { entry in !patterns.isEmpty && !patterns.contains { $0.matches(entry.id ?? "") } }
    }
    for (index, entry) in chosen.enumerated() {
        let start = ContinuousClock.now
        await server.run(case: entry.number)
        var line = CaseLine(case: index + 1, of: chosen.count, id: entry.id)
        if wantsVerdicts {
            line.milliseconds = Int(start.duration(to: .now) / .milliseconds(1))
            do {
                line.behavior = try await server.verdict(onCase: entry.number)
            } catch {
                (line.behavior, line.detail) = ("NO VERDICT", "\(error)")
            }
        }
        try write(line)
    }
    try await server.updateReports()
} catch {
    stop("autobahn", "\(error)")
}
