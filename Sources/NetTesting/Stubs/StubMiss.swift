internal import HTTPTypes
internal import NetCore

/// The error for a request that no stub matches, with the nearest stubs.
public struct StubMiss: Error, Sendable, CustomStringConvertible {
    /// A stub that almost matched.
    public struct Candidate: Sendable {
        /// Method and path template.
        public let stub: String
        /// The place where the stub was created.
        public let source: StubSource
        /// The reasons why it didn't match.
        public let mismatches: [String]
    }

    /// Method and target of the request, with the values of secret query items hidden.
    public let request: String
    /// At most three stubs, the nearest first.
    public let nearest: [Candidate]
    /// Swift code for a stub that would match, to paste into the list of stubs; secrets are matched with `.present`.
    public let paste: String

    /// One line: the request, the nearest stubs, and the reasons why they didn't match.
    public var description: String {
        guard !nearest.isEmpty else { return "no stub matches \(request): there are no stubs; to add one: \(paste)" }
        let lines = nearest.map { "\($0.stub): \($0.mismatches.joined(separator: "; ")) (\($0.source))" }
        return "no stub matches \(request); nearest: \(lines.joined(separator: " | ")) | to add one: \(paste)"
    }
}

extension StubMiss: SecretlessError {}

extension StubRequest {
    /// The source of a stub that matches this request.
    var stubLine: String {
        let known = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT"]
        let method = known.contains(method.rawValue) ? ".\(method.rawValue.lowercased())" : "nil"
        var line = "Stub(\(method), \(Self.literal(path)), .status(.ok))"
        for item in queryItems {
            let shown = item.value.map { Printed.value($0, named: item.name) }
            let value = shown == item.value ? Self.literal(item.value ?? "") : ".present"
            line += ".query(\(Self.literal(item.name)), \(value))"
        }
        return line
    }

    private static func literal(_ text: String) -> String { text.debugDescription }
}
