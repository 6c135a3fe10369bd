/// `trace-context FILE [RESULTS]`: parses the values of traceparent and tracestate, and writes them again.
struct TraceContextSet: CaseSet {
    private struct File: Decodable {
        let traceparent: [TraceParentCase]
        let tracestate: [TraceStateCase]
    }

    let name = "trace-context"

    func run(_ arguments: [String]) {
        guard let path = arguments.first else { stop(name, "no file given") }
        let file: File = read(path)
        let parents = file.traceparent.map { CaseResult(id: "traceparent/\($0.id)", problem: $0.problem()) }
        let states = file.tracestate.map { CaseResult(id: "tracestate/\($0.id)", problem: $0.problem()) }
        finish(name, parents + states, output: arguments.dropFirst().first)
    }
}
