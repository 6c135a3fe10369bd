import ConformanceSupport
import Foundation
import NetCore

// conformance-trace-context FILE [RESULTS]: parses the values of traceparent and tracestate, and writes them again.

struct ParentCase: Decodable {
    let id, traceparent: String
    let valid: Bool

    func problem() -> String? {
        guard let parent = TraceParent(traceparent) else { return valid ? "was not read" : nil }
        guard valid else { return "was read as \(parent)" }
        let ids = traceparent.split { $0 == "-" || $0 == " " || $0 == "\t" }
        let expected = "00-\(ids[1])-\(ids[2])-"
        guard parent.description.hasPrefix(expected) else { return "is written as \(parent), expected \(expected)…" }
        return TraceParent(parent.description) == parent ? nil : "is written as \(parent), which is read as another"
    }
}

struct StateCase: Decodable {
    let id: String
    let tracestate: [String]
    let expect: String?

    func problem() -> String? {
        let state = TraceState(lines: tracestate)
        return state?.description == expect
            ? nil : "read as \(state?.description ?? "none"), expected \(expect ?? "none")"
    }
}

struct CaseFile: Decodable {
    let traceparent: [ParentCase]
    let tracestate: [StateCase]
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard let path = arguments.first else { stop("trace-context", "no file given") }
let file: CaseFile
do {
    file = try JSONDecoder().decode(CaseFile.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
} catch {
    stop("trace-context", "\(path) has another form: \(error)")
}
let parents = file.traceparent.map { CaseResult(id: "traceparent/\($0.id)", problem: $0.problem()) }
let states = file.tracestate.map { CaseResult(id: "tracestate/\($0.id)", problem: $0.problem()) }
finish("trace-context", parents + states, output: arguments.dropFirst().first)
