public import NetCore

/// A command: the type is its payload, and says what the reply is. Both ends use the same one.
///
///     struct SendMessage: SocketCommand {
///         static let event = "chat.send"
///         struct Response: Codable, Sendable { var id: Int }
///         var text: String
///     }
public protocol SocketCommand: Codable, Sendable {
    /// The payload of the reply; ``NoResponse`` for none.
    associatedtype Response: Codable & Sendable
    /// The name of the command on the wire.
    static var event: String { get }
    /// The channel of the command; nil for none, which is the default. Sending it through a channel sets that one.
    var channel: String? { get }
}

extension SocketCommand {
    public var channel: String? { nil }
}

/// The reply of a command without a payload of its own: any payload is accepted, and none.
///
///     struct Refresh: SocketCommand {
///         static let event = "refresh"
///         typealias Response = NoResponse
///     }
public struct NoResponse: Codable, Sendable, Hashable {
    /// Creates it.
    public init() {}
    public init(from decoder: any Decoder) {}
}

/// A message that the server sends by itself: the type is its payload.
///
///     struct ChatMessage: SocketPush {
///         static let event = "chat.message"
///         var from: String
///         var text: String
///     }
public protocol SocketPush: Codable, Sendable {
    /// The name of the event on the wire.
    static var event: String { get }
}

/// Why a command has no reply: two cases, for ever.
public enum SocketCommandError: Error, Sendable, CustomStringConvertible {
    /// The server refused it.
    case rejected(SocketFailure)
    /// It was not sent, or its reply did not come or can't be read; ``NetCore/NetError/mayHaveArrived`` says whether the server
    /// may have got it.
    case failed(NetError)

    public var description: String {
        switch self {
        case .rejected(let failure): "the server refused the command: \(failure)"
        case .failed(let error): "\(error)"
        }
    }
}

/// Marks errors of messages that were sent and got no reply.
package struct UnansweredMessage: Error, CustomStringConvertible {
    package let description = "the message was sent, and no reply has come"
    package init() {}
}

extension NetError {
    /// True if a command was sent and its reply never came: the server may have done it. False if it did not leave this
    /// process.
    public var mayHaveArrived: Bool { underlying is UnansweredMessage }
}
