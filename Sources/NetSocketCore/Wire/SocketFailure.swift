/// A failure of a request, a join or a subscription, as reported by the peer.
///
///     throw SocketFailure("forbidden", "you are no member")
public struct SocketFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// A code for programs, such as `not_authorized`. Numeric codes, such as those of JSON-RPC, are written as text.
    public var code: String
    /// A message for people; may be empty.
    public var message: String
    /// Additional data, as the peer sent it; nil for none.
    public var details: SocketPayload?

    /// The code of a failure that is temporary, since the server can't reach a service that it needs: another attempt
    /// may succeed. If a session's rejoin after a reconnect is refused with this code, the session tries again later.
    public static let unavailable = "unavailable"

    /// Creates a failure.
    public init(_ code: String, _ message: String = "", details: SocketPayload? = nil) {
        self.code = code
        self.message = message
        self.details = details
    }

    public var description: String { message.isEmpty ? code : "\(code): \(message)" }
}
