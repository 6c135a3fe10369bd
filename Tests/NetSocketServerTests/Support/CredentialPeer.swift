#if Server
import NetCore
import NetSocket
import NetSocketServer
import NetTesting
import TestSupport

/// A client that writes its own messages, and changes its user.
struct CredentialPeer: Sendable {
    let socket: WebSocketConnection

    /// Only the user of `private:NAME` may join it, and everybody may join `room:*`.
    static func router() -> SocketRouter<User> {
        var router = SocketRouter<User>()
        router.allowsCommandsOutsideChannels = true
        router.channel("private:*") { join in
            guard join.topic == "private:\(join.principal.name)" else { throw Self.refusal }
            return ChannelRules(history: 10, presence: join.principal.name)
        }
        router.channel("room:*") { ChannelRules(history: 10, presence: $0.principal.name) }
        router.onCredentials { try Self.identity($0) }
        return router
    }

    static let refusal = SocketFailure("forbidden", "it is another user's")

    /// Returns the identity of a token, which is the name of the user; `nobody` has no user.
    static func identity(_ payload: SocketPayload?) throws -> SocketIdentity<User>? {
        let token = try payload?.decoded(as: [String: String].self)["token"] ?? ""
        return token.isEmpty ? nil : SocketIdentity(User(name: token), user: token == "nobody" ? nil : token)
    }

    func send(_ text: String) async throws { try await socket.send(.text(text)) }

    func join(_ topic: String, id: String = "1") async throws {
        try await requestJoin(topic, id: id)
        _ = try await heard(until: #""channel.join""#)
    }

    func requestJoin(_ topic: String, id: String = "1") async throws {
        try await send(#"{"event":"channel.join","requestId":"\#(id)","payload":{"topic":"\#(topic)"}}"#)
    }

    func authenticate(_ name: String, id: String = "a") async throws {
        try await send(#"{"event":"authenticate","requestId":"\#(id)","payload":{"token":"\#(name)"}}"#)
    }

    /// Changes the user, and returns the messages up to the reply.
    func change(to name: String) async throws -> [String] {
        try await authenticate(name)
        return try await heard(until: #""authenticate""#)
    }

    /// Returns the messages up to the first that contains a text.
    func heard(until text: String) async throws -> [String] {
        var texts: [String] = []
        while texts.last?.contains(text) != true { texts.append(try await socket.receive().text ?? "") }
        return texts
    }
}

extension ServerWorld {
    func peer(_ name: String = "ann") async throws -> CredentialPeer { CredentialPeer(socket: try await socket(name)) }
}

extension [String] {
    /// The messages that contain a text.
    func with(_ text: String) -> [String] { filter { $0.contains(text) } }
}
#endif
