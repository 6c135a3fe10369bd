#if Tools && Server
internal import NetSocketCore

/// A room as the server lists it.
struct ChatRoom: Codable, Sendable, Hashable {
    /// The name; the channel is `room:` and the name.
    var name: String
    /// One line that says what it is for.
    var title: String

    static let all = [
        ChatRoom(name: "general", title: "Announcements for everyone"),
        ChatRoom(name: "books", title: "Orders, reprints and new arrivals"),
        ChatRoom(name: "tea", title: "Not about work"),
    ]

    /// The name of the channel for messages, which has a history.
    var topic: String { "room:\(name)" }

    /// The room of a channel, for messages or for typing; nil if there is none.
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

/// Says something in the room of its channel.
struct SendMessage: SocketCommand {
    static let event = "chat.send"
    struct Response: Codable, Sendable, Hashable {
        /// The number of the message in its room.
        var id: UInt64
        /// When the server had it, in milliseconds since 1970.
        var at: Int
    }
    /// The client's name for the message. One that is sent again under the same name is the same message, whichever server it
    /// is sent to.
    var key: String
    var text: String
}

/// Lists the latest messages of the room of its channel.
struct LoadHistory: SocketCommand {
    static let event = "chat.history"
    struct Response: Codable, Sendable { var messages: [ChatMessage] }
    var limit: Int
}

/// Tells a room that somebody is typing.
struct StartTyping: SocketCommand {
    static let event = "chat.typing"
    typealias Response = NoResponse
}

// MARK: Pushes

/// A message in a room.
struct ChatMessage: SocketPush, Hashable {
    static let event = "chat.message"
    /// The number in its room, from 1. In a push it is nil: the push's offset is the number.
    var id: UInt64?
    var key: String
    var from: String
    var text: String
    /// Milliseconds since 1970.
    var at: Int
}

/// Somebody is typing.
struct TypingNotice: SocketPush {
    static let event = "chat.typing"
    var from: String
}

/// Whether the servers of the chat reach each other. While they don't, messages are late.
struct OutageNotice: SocketPush {
    static let event = "chat.outage"
    var available: Bool
}
#endif
