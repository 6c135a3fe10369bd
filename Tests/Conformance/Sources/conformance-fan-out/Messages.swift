#if Redis
import NetSocketCore

/// Publishes in the channel of the command. The key is the ID of the push: said again, it isn't published again.
struct Say: SocketCommand {
    static let event = "say"
    struct Response: Codable, Sendable, Hashable {
        var epoch: String
        var offset: UInt64
    }
    var key: String
    var text: String
}

/// What somebody has said.
struct Said: SocketPush {
    static let event = "said"
    var key: String
    var text: String
}

/// Needs nothing but the server itself.
struct Echo: SocketCommand {
    static let event = "echo"
    struct Response: Codable, Sendable { var text: String }
    var text: String
}

/// Asks who is shown in the channel of the command, on all servers.
struct Present: SocketCommand {
    static let event = "present"
    struct Response: Codable, Sendable { var names: [String] }
}

/// Says something to all connections of a user.
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
