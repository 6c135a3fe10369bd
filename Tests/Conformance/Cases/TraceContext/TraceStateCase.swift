import NetCore

/// The lines of tracestate, and their joined value; nil if they are invalid.
struct TraceStateCase: Decodable {
    let id: String
    let tracestate: [String]
    let expect: String?

    /// Returns the problem; nil if everything is as expected.
    func problem() -> String? {
        let state = TraceState(lines: tracestate)
        return state?.description == expect
            ? nil : "read as \(state?.description ?? "none"), expected \(expect ?? "none")"
    }
}
