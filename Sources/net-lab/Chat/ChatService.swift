#if Tools && Server
internal import Foundation
internal import NetSocketCore
internal import NetSocketServer

/// A connected user: a name, which isn't verified.
struct ChatUser: Sendable, Hashable {
    static let maximumLength = 24
    let name: String

    /// Creates a user; nil if the name isn't allowed.
    init?(name: String?) {
        guard let name = name?.trimmingCharacters(in: .whitespaces), !name.isEmpty, name.count <= Self.maximumLength
        else { return nil }
        self.name = name
    }
}

/// The commands of the chat and their handlers. The messages of a room are the history of its channel, which all
/// servers of the chat share.
struct ChatService: Sendable {
    private static let maximumLength = 2000
    private static let maximumHistory = 100
    private static let historyTime = Duration.seconds(24 * 60 * 60)

    private let now: @Sendable () -> Date

    init(now: @escaping @Sendable () -> Date = { Date() }) {
        self.now = now
    }

    var router: SocketRouter<ChatUser> {
        var router = SocketRouter<ChatUser>()
        router.channel("room:*") { join in
            guard ChatRoom.of(topic: join.topic) != nil else {
                throw SocketFailure("not_found", "This room doesn't exist")
            }
            return ChannelRules(
                history: Self.maximumHistory, historyTime: Self.historyTime, presence: join.principal.name)
        }
        router.channel("typing:*") { join in
            guard ChatRoom.of(topic: join.topic) != nil else {
                throw SocketFailure("not_found", "This room doesn't exist")
            }
            return ChannelRules()
        }
        router.on(ListRooms.self) { _ in ListRooms.Response(rooms: ChatRoom.all) }
        router.on(SendMessage.self) { message, context in try await self.send(message, context) }
        router.on(LoadHistory.self) { command, context in try await Self.history(command, context) }
        router.on(StartTyping.self) { context in
            guard let topic = context.topic else { return NoResponse() }
            let notice = TypingNotice(from: context.principal.name)
            try await context.server.channel(topic).push(notice, except: context.connection)
            return NoResponse()
        }
        return router
    }

    private func send(
        _ message: SendMessage, _ context: SocketContext<ChatUser>
    ) async throws -> SendMessage.Response {
        let room = try Self.room(of: context)
        guard message.text.count <= Self.maximumLength else {
            throw SocketFailure("too_long", "A message has at most \(Self.maximumLength) characters")
        }
        guard message.text.contains(where: { !$0.isWhitespace }), (1...64).contains(message.key.utf8.count) else {
            throw SocketFailure("empty", "A message needs a text and a key")
        }
        let time = Int(now().timeIntervalSince1970 * 1000)
        let push = ChatMessage(key: message.key, from: context.principal.name, text: message.text, at: time)
        // Includes the author, so that all users see the same order. A message that is sent again has the number of the
        // first one, and isn't pushed again.
        let position = try await context.server.channel(room.topic).push(push, id: message.key)
        return SendMessage.Response(id: position?.offset ?? 0, at: time)
    }

    private static func history(
        _ command: LoadHistory, _ context: SocketContext<ChatUser>
    ) async throws -> LoadHistory.Response {
        let count = min(max(command.limit, 0), maximumHistory)
        let history = try await context.server.channel(room(of: context).topic).history(last: count)
        let messages = try history.pushes.suffix(count).map { push in
            var message = try push.decoded(as: ChatMessage.self)
            message.id = push.offset
            return message
        }
        return LoadHistory.Response(messages: messages)
    }

    private static func room(of context: SocketContext<ChatUser>) throws -> ChatRoom {
        guard let room = ChatRoom.of(topic: context.topic) else {
            throw SocketFailure("no_room", "The command needs the channel of a room")
        }
        return room
    }
}
#endif
