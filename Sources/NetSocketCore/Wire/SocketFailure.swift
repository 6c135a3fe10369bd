/// What a peer says went wrong with a request, a join or a subscription.
///
///     throw SocketFailure("forbidden", "you are no member")
public struct SocketFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// A code for programs, such as `not_authorized`. Wires with numbers, such as JSON-RPC, write them as text.
    public var code: String
    /// A message for people; may be empty.
    public var message: String
    /// More about it, as the peer sent it; nil for nothing.
    public var details: SocketPayload?

    /// The code of what a server can't do now, since it can't reach what it needs for it: another attempt may succeed. Sessions
    /// join a channel again that is refused with it after a reconnect.
    public static let unavailable = "unavailable"

    /// Creates a failure.
    public init(_ code: String, _ message: String = "", details: SocketPayload? = nil) {
        self.code = code
        self.message = message
        self.details = details
    }

    public var description: String { message.isEmpty ? code : "\(code): \(message)" }
}
