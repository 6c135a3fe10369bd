#if Tools && Server
internal import NetSocketCore

/// A room, as listed by the server.
struct ChatRoom: Codable, Sendable, Hashable {
    /// The name; the channel is called `room:` followed by the name.
    var name: String
    /// One line that describes the room.
    var title: String

    static let all = [
        ChatRoom(name: "general", title: "Announcements for everyone"),
        ChatRoom(name: "books", title: "Orders, reprints and new arrivals"),
        ChatRoom(name: "tea", title: "Not about work"),
    ]

    /// The name of the channel for messages, which keeps a history.
    var topic: String { "room:\(name)" }

    /// Returns the room of a channel, for messages or for typing; nil if there is none.
    static func of(topic: String?) -> ChatRoom? {
        guard let parts = topic?.split(separator: ":", maxSplits: 1), parts.count == 2 else { return nil }
        return ["room", "typing"].contains(parts[0]) ? all.first { $0.name == parts[1] } : nil
    }
}

// MARK: Commands

/// Lists the rooms.
struct ListRooms: SocketCommand {
    static let event = "chat.rooms"
    struct Response: Codable, Sendable { var rooms: [ChatRoom] }
}

/// Sends a message to the room of its channel.
struct SendMessage: SocketCommand {
    static let event = "chat.send"
    struct Response: Codable, Sendable, Hashable {
        /// The number of the message in its room.
        var id: UInt64
        /// The time at which the server received it, in milliseconds since 1970.
        var at: Int
    }
    /// The client's identifier for the message. A message sent again with the same key is the same message, whichever
    /// server receives it.
    var key: String
    var text: String
}

/// Lists the latest messages of the room of its channel.
struct LoadHistory: SocketCommand {
    static let event = "chat.history"
    struct Response: Codable, Sendable { var messages: [ChatMessage] }
    var limit: Int
}

/// Notifies a room that a user is typing.
struct StartTyping: SocketCommand {
    static let event = "chat.typing"
    typealias Response = NoResponse
}

// MARK: Pushes

/// A message in a room.
struct ChatMessage: SocketPush, Hashable {
    static let event = "chat.message"
    /// The number in its room, starting at 1. Nil in a push, whose offset is the number.
    var id: UInt64?
    var key: String
    var from: String
    var text: String
    /// Milliseconds since 1970.
    var at: Int
}

/// A notice that a user is typing.
struct TypingNotice: SocketPush {
    static let event = "chat.typing"
    var from: String
}

/// A notice that the chat's servers have lost or regained contact with each other. Without contact, messages are
/// delayed.
struct OutageNotice: SocketPush {
    static let event = "chat.outage"
    var available: Bool
}
#endif
