#if Redis
import NetSocketCore

/// Publishes in the channel of the command. The key is the ID of the push: a message that is sent again isn't published
/// again.
struct Say: SocketCommand {
    static let event = "say"
    struct Response: Codable, Sendable, Hashable {
        var epoch: String
        var offset: UInt64
    }
    var key: String
    var text: String
}

/// A message of a client.
struct Said: SocketPush {
    static let event = "said"
    var key: String
    var text: String
}

/// A command that needs only the server itself.
struct Echo: SocketCommand {
    static let event = "echo"
    struct Response: Codable, Sendable { var text: String }
    var text: String
}

/// Requests the members that are shown in the channel of the command, on all servers.
struct Present: SocketCommand {
    static let event = "present"
    struct Response: Codable, Sendable { var names: [String] }
}

/// Sends a message to all connections of a user.
struct TellUser: SocketCommand {
    static let event = "user.tell"
    typealias Response = NoResponse
    var user: String
    var text: String
}

/// Closes all connections of a user.
struct CloseUser: SocketCommand {
    static let event = "user.close"
    typealias Response = NoResponse
    var user: String
}
#endif
