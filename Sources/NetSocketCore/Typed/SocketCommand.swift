public import NetCore

/// A command: the type is its payload, and determines the type of the reply. Both ends use the same type.
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
    /// The channel of the command; nil, the default, for none. Sending the command through a channel overrides it.
    var channel: String? { get }
}

extension SocketCommand {
    public var channel: String? { nil }
}

/// The response of a command without a reply payload: accepts any payload, or none.
///
///     struct Refresh: SocketCommand {
///         static let event = "refresh"
///         typealias Response = NoResponse
///     }
public struct NoResponse: Codable, Sendable, Hashable {
    /// Creates the response.
    public init() {}
    public init(from decoder: any Decoder) {}
}

/// A message that the server sends on its own initiative: the type is its payload.
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

/// The reason a command has no response. No other cases will be added.
public enum SocketCommandError: Error, Sendable, CustomStringConvertible {
    /// The server refused the command.
    case rejected(SocketFailure)
    /// The command wasn't sent, or its reply didn't arrive or can't be decoded; ``NetCore/NetError/mayHaveArrived`` is
    /// true if the server may have received it.
    case failed(NetError)

    public var description: String {
        switch self {
        case .rejected(let failure): "the server refused the command: \(failure)"
        case .failed(let error): "\(error)"
        }
    }
}
