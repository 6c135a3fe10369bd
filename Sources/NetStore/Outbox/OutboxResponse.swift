public import HTTPTypes
public import NetCore

/// A response kept with an outbox item: redacted, and with at most the beginning of the body.
public struct OutboxResponse: Sendable, Hashable {
    /// The status.
    public let status: Int
    /// The redacted headers.
    public let headers: HTTPFields
    /// The first bytes of the body, at most ``Outbox/Configuration/keptResponseBytes``. Values named by the redaction
    /// policy are redacted; since the body may contain other secrets, this library prints it only on request.
    public let body: Bytes
    /// True if the body was longer, or ended prematurely.
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

    /// Contains only the description, since the body may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: ["response": description]) }
}
