internal import HTTPTypes
internal import NetCore

/// A request that no stub answers, and the stubs that came nearest.
public struct StubMiss: Error, Sendable, CustomStringConvertible {
    /// A stub that came near.
    public struct Candidate: Sendable {
        /// Method and path template.
        public let stub: String
        /// Where it was made.
        public let source: StubSource
        /// What kept it from matching.
        public let mismatches: [String]
    }

    /// Method and target of the request, values of secret query items hidden.
    public let request: String
    /// At most three stubs, the nearest first.
    public let nearest: [Candidate]
    /// A stub that would answer it, to paste into the list; secrets are asked for with `.present`.
    public let paste: String

    /// On one line: what was asked, which stubs came near, and why they did not match.
    public var description: String {
        guard !nearest.isEmpty else { return "no stub answers \(request): there are no stubs; to answer it: \(paste)" }
        let lines = nearest.map { "\($0.stub): \($0.mismatches.joined(separator: "; ")) (\($0.source))" }
        return "no stub answers \(request); nearest: \(lines.joined(separator: " | ")) | to answer it: \(paste)"
    }
}

extension StubMiss: SecretlessError {}

extension StubRequest {
    /// The source of a stub that answers this request.
    var stubLine: String {
        let known = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT"]
        let method = known.contains(method.rawValue) ? ".\(method.rawValue.lowercased())" : "nil"
        var line = "Stub(\(method), \(Self.literal(path)), .status(.ok))"
        for item in queryItems {
            let value = Shown.isSecret(item.name) ? ".present" : Self.literal(item.value ?? "")
            line += ".query(\(Self.literal(item.name)), \(value))"
        }
        return line
    }

    private static func literal(_ text: String) -> String { text.debugDescription }
}
