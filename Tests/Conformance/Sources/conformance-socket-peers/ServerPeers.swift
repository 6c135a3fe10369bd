#if Server
import NetCore
import NetSocketCore
import NetSocketServer
import Synchronization

/// A complete server of ours for clients of the default wire protocol, of events, and of Phoenix channels.
enum ServerPeers {
    /// A command of a type that the server knows.
    private struct Typed: SocketCommand {
        static let event = "typed"
        var number: Int
        struct Response: Codable, Sendable { var number: Int }
    }

    private struct News: SocketPush {
        static let event = "news"
        var text: String
        var from: String?
    }

    private struct Text: Decodable { var text: String }
    private struct Token: Decodable { var token: String? }

    /// A client of the default wire protocol, implemented with the package websockets.
    static func websockets() -> RouterPeer {
        let endpoint = RouterPeer.Endpoint(name: "json", path: "/json", wire: .numberedJSON)
        // Some of its cases send invalid messages.
        let complaints = ["could not be read"]
        return RouterPeer("websockets", "websockets_client.py", [endpoint], complaints: complaints, chat)
    }

    /// The same client with numbered messages.
    static func numbered() -> RouterPeer {
        let endpoint = RouterPeer.Endpoint(name: "numbered", path: "/numbered", wire: .numberedJSON)
        return RouterPeer("websockets, numbered", "numbered_client.py", [endpoint], chat)
    }

    private static func chat(_ router: inout SocketRouter<String>, _ diary: Diary) {
        let count = Counter()
        router.on("echo") { payload, context in
            let id = context.requestID
            diary.note(.request(WireRequest(id: id, event: "echo", payload: payload)), context)
            return payload
        }
        router.on("refuse") { _, _ in throw SocketFailure("42", "not for you") }
        router.on("whoami") { _, context in try SocketPayload(["name": context.principal]) }
        router.on("count") { _, _ in try SocketPayload(count.next()) }
        router.on(Typed.self) { command, _ in Typed.Response(number: command.number + 1) }
        router.on("hello") { payload, context in
            let text = try payload?.decoded(as: Text.self).text ?? ""
            try await context.connection.push(News(text: text))
            return nil
        }
        router.on("shout") { payload, context in
            let text = try payload?.decoded(as: Text.self).text ?? ""
            let channel = context.server.channel(context.topic ?? "")
            try await channel.push(News(text: text, from: context.principal), except: context.connection)
            return nil
        }
        router.channel("room:*") { join in
            guard join.topic != "room:refused" else { throw SocketFailure("unauthorized", "members only") }
            return ChannelRules()
        }
        router.channel("greeted:*") { join in ChannelRules(reply: SocketPayload(json: #"{"role":"member"}"#)) }
        router.channel("history:*") { _ in ChannelRules(history: 10) }
    }

    static func socketIO() -> RouterPeer {
        var wire = SocketWire.socketIO
        wire.serverHeartbeat?.interval = .seconds(1)
        let endpoint = RouterPeer.Endpoint(name: "socketio", path: "/socket.io/", wire: wire)
        return RouterPeer("python-socketio", "socketio_client.py", [endpoint]) { router, diary in
            router.onOpening { payload, context in
                diary.note(.open(payload), context)
                guard try payload?.decoded(as: Token.self).token != "wrong" else {
                    throw SocketFailure("401", "wrong token")
                }
                return SocketPayload(json: #"{"motd":"hello"}"#)
            }
            router.channel("*") { join in
                diary.note("join \(join.topic)", on: join.connection.path)
                guard join.topic != "/refused" else { throw SocketFailure("403", "members only") }
                return ChannelRules()
            }
            answerEvents(&router, diary)
        }
    }

    static func jsonRPC() -> RouterPeer {
        let endpoint = RouterPeer.Endpoint(name: "jsonrpc", path: "/socket", wire: .jsonRPC)
        return RouterPeer("jsonrpc-websocket", "jsonrpc_client.py", [endpoint]) { answerEvents(&$0, $1) }
    }

    private static func answerEvents(_ router: inout SocketRouter<String>, _ diary: Diary) {
        for event in ["echo", "names.echo"] {
            router.on(event) { payload, context in
                diary.note(.request(WireRequest(id: context.requestID, event: event, payload: payload)), context)
                return payload
            }
        }
        router.on("nothing") { _, _ in nil }
        router.on("refuse") { _, _ in
            throw SocketFailure("42", "not for you", details: SocketPayload(json: #"{"seats":4}"#))
        }
    }

    static func realtime() -> RouterPeer {
        let endpoint = RouterPeer.Endpoint(name: "realtime", path: "/realtime/websocket", wire: .phoenixV1)
        return RouterPeer("realtime", "realtime_client.py", [endpoint], rooms)
    }

    static func phoenix(_ version: String, _ wire: SocketWire) -> RouterPeer {
        let endpoint = RouterPeer.Endpoint(name: version, path: "/\(version)/websocket", wire: wire)
        return RouterPeer("phoenix-channels-python-client \(version)", "phoenix_client.py", [endpoint], rooms)
    }

    /// Rooms: those named "refused" reject every join, and those named "once" reject a second one.
    private static func rooms(_ router: inout SocketRouter<String>, _ diary: Diary) {
        let joined = Mutex<Set<String>>([])
        router.channel("*") { join in
            let signal = WireSignal.join(WireJoin(id: 0, topic: join.topic, payload: join.payload))
            diary.note(signal.words, on: join.connection.path)
            let isNew = joined.withLock { $0.insert(join.topic).inserted }
            if join.topic.contains("refused") || join.topic.contains("once") && !isNew {
                throw SocketFailure("unauthorized", "members only")
            }
            return ChannelRules()
        }
        router.onAny { request, context in
            diary.note(.request(request), context)
            guard request.event != "refuse" else { throw SocketFailure("forbidden", "not for you") }
            return request.payload
        }
    }

    private final class Counter: Sendable {
        private let count = Mutex(0)
        func next() -> Int {
            count.withLock {
                $0 += 1
                return $0
            }
        }
    }
}
#endif
