#if Server
import NetCore
import NetSocket
import NetSocketCore
import NetTesting
import TestSupport
import Testing

@testable import NetSocketServer

/// Commands received by a session, regardless of the fate of their connection.
@Suite struct SessionCommandTests {
    private static func resume(_ received: Int, epoch: String? = nil) -> String {
        let epoch = epoch.map { "\"epoch\":\"\($0)\"," } ?? ""
        return "{\"event\":\"session.resume\",\"sessionId\":\"5f0c\",\(epoch)\"received\":\(received)}"
    }

    private static func say(_ number: Int) -> String {
        "{\"seq\":\(number),\"event\":\"say\",\"requestId\":\"r\(number)\",\"payload\":{\"text\":\"\(number)\"}}"
    }

    private static func epoch(in message: WebSocketMessage) throws -> String {
        let value = try SocketPayload(json: message.text ?? "").decoded(as: JSONValue.self)
        return try #require(value["epoch"]?.stringValue)
    }

    /// Reads the given number of replies; returns their texts, in order.
    private static func replies(_ count: Int, from socket: WebSocketConnection) async throws -> [String] {
        var texts: [String] = []
        while texts.count < count {
            let value = try SocketPayload(json: try await socket.receive().text ?? "").decoded(as: JSONValue.self)
            if let text = value["payload"]?["text"]?.stringValue { texts.append(text) }
        }
        return texts
    }

    @Test func `Received and waiting commands run, and their responses arrive on the next connection`() async throws {
        let (gate, begun, heard) = (Gate(), Locked(false), Locked<[String]>([]))
        var router = SocketRouter<User>()
        router.on(Say.self) { say, _ in
            begun.change { $0 = true }
            if say.text == "1" { await gate.wait() }
            heard.change { $0.append(say.text) }
            return .init(text: say.text)
        }
        try await ServerWorld.run(router) { world in
            let first = try await world.socket("ada", subprotocols: [JSONWireName.numbered])
            try await first.send(Self.resume(0))
            let epoch = try Self.epoch(in: try await first.receive())
            for number in 1...3 { try await first.send(Self.say(number)) }
            await world.wait { begun.value }
            await first.close()
            await world.wait { world.server.core.connections.count == 0 }
            let second = try await world.socket("ada", subprotocols: [JSONWireName.numbered])
            try await second.send(Self.resume(0, epoch: epoch))
            #expect(try await second.receive().text?.contains("\"received\":3") == true)
            // It waits for the earlier ones, although they arrived on another connection.
            try await second.send(Self.say(4))
            gate.open()
            #expect(try await Self.replies(4, from: second) == ["1", "2", "3", "4"])
            await second.close()
        }
        #expect(heard.value == ["1", "2", "3", "4"])
    }

    @Test func `A client that comes back before its connection has ended finds its commands, too`() async throws {
        let (gate, heard) = (Gate(), Locked<[String]>([]))
        var router = SocketRouter<User>()
        router.on(Say.self) { say, _ in
            if say.text == "1" { await gate.wait() }
            heard.change { $0.append(say.text) }
            return .init(text: say.text)
        }
        try await ServerWorld.run(router) { world in
            var sockets: [WebSocketConnection] = []
            var epoch: String?
            for number in 1...4 {
                let socket = try await world.socket("ada", subprotocols: [JSONWireName.numbered])
                try await socket.send(Self.resume(0, epoch: epoch))
                epoch = try Self.epoch(in: try await socket.receive())
                try await socket.send(Self.say(number))
                try await socket.send("{\"event\":\"heartbeat\"}")
                while try await socket.receive().text?.contains("heartbeat") != true {}
                sockets.append(socket)
            }
            gate.open()
            #expect(try await Self.replies(4, from: sockets[3]) == ["1", "2", "3", "4"])
            for socket in sockets { await socket.close() }
        }
        #expect(heard.value == ["1", "2", "3", "4"])
    }
}
#endif
