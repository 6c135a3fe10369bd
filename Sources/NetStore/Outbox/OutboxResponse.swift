public import HTTPTypes
public import NetCore

/// A response as an outbox keeps it with its item: redacted, and at most the beginning of the body.
public struct OutboxResponse: Sendable, Hashable {
    /// The status.
    public let status: Int
    /// The headers, redacted.
    public let headers: HTTPFields
    /// The first bytes of the body, at most ``Outbox/Configuration/keptResponseBytes``. Values that the redaction
    /// policy names are hidden; it may contain other secrets, so nothing in this library prints it unless asked to.
    public let body: Bytes
    /// True if the body was longer, or ended too early.
    public let isCut: Bool

    /// Creates a response.
    public init(status: Int, headers: HTTPFields = [:], body: Bytes = Bytes(), isCut: Bool = false) {
        self.status = status
        self.headers = headers
        self.body = body
        self.isCut = isCut
    }
}

extension OutboxResponse: CustomStringConvertible, CustomReflectable {
    /// The status and the size of the body.
    public var description: String { "status \(status), \(isCut ? "more than " : "")\(body.count) bytes" }

    /// Only the description, since the body may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: ["response": description]) }
}
