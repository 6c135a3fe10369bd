/// A request that no stub answers, and the stubs that came nearest.
public struct StubMiss: Error, Sendable, CustomStringConvertible {
    /// A stub that came near.
    public struct Candidate: Sendable {
        /// Method and path template.
        public let stub: String
        /// What kept it from matching.
        public let mismatches: [String]
    }

    /// Method and target of the request.
    public let request: String
    /// At most three stubs, the nearest first.
    public let nearest: [Candidate]

    /// What was asked, which stubs came near, and why they did not match.
    public var description: String {
        guard !nearest.isEmpty else { return "no stub answers \(request): there are no stubs" }
        let lines = nearest.map { "\($0.stub): \($0.mismatches.joined(separator: "; "))" }
        return "no stub answers \(request); nearest: " + lines.joined(separator: " | ")
    }
}
