#if Server
import NetCore
import NetSocket
@testable import NetSocketServer
import NetTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ServerSocketEventTests {
    private static let say = #"{"event":"say","requestId":"1","payload":{"text":"hi","token":"PLANTED"}}"#

    private func watch(
        _ interest: ActivityInterest, body: @Sendable (ServerWorld, Watcher) async throws -> Void
    ) async throws -> Watcher {
        var router = SocketRouter<User>()
        router.on(Say.self) { say, _ in .init(text: say.text) }
        let watcher = Watcher(interest)
        try await ServerWorld.run(router) {
            $0.listeners = [watcher]
        } body: {
            try await body($0, watcher)
        }
        return watcher
    }

    private func exchange(_ world: ServerWorld, _ watcher: Watcher) async throws {
        let socket = try await world.socket()
        try await socket.send(Self.say)
        _ = try await socket.receive()
        await socket.close()
        await world.wait { watcher.socketLines.last?.hasPrefix("closed") == true }
    }

    @Test func `A WebSocket opens, and ends once with what it has carried`() async throws {
        let watcher = try await watch(.sockets) { try await exchange($0, $1) }
        #expect(watcher.socketLines == ["opened -", "closed 1001 1/1 webSocketClosed"])
        #expect(watcher.sockets.map(\.side) == [.server, .server])
        #expect(watcher.sockets.map(\.url) == ["/socket", "/socket"])
        #expect(watcher.activities.isEmpty)
    }

    @Test func `Frames and redacted previews are for those who ask for them`() async throws {
        let watcher = try await watch([.sockets, .socketFrames, .socketPreviews]) { try await exchange($0, $1) }
        try #require(watcher.socketLines.count == 4)
        let received = watcher.socketLines[1]
        #expect(received.hasPrefix("received text \(Self.say.utf8.count) {"))
        #expect(received.contains("hi"))
        #expect(!received.contains("PLANTED"))
        #expect(watcher.socketLines[2].hasPrefix("sent text "))
        #expect(watcher.sockets.map(\.sequence) == [1, 2, 3, 4])
    }

    @Test func `Messages are for those who ask for them, without secrets of the handshake`() async throws {
        let log = CaptureLog(.socketMessages)
        let said = #"{"event":"say","requestId":"1","payload":{"text":"PLANTED-query","token":"PLANTED-json"}}"#
        try await HandshakeTests.serve {
            $0.listeners = [log]
        } body: { _, address in
            let socket = try await WebSocketClient().connect(
                "\(address.url)/socket?user=ada&access_token=PLANTED-query")
            try await socket.send(said)
            _ = try await socket.receive()
            await socket.close()
            while log.messages.count < 2, !Task.isCancelled { await Task.yield() }
        }
        let messages = log.messages
        #expect(messages.map(\.side) == [.server, .server])
        #expect(messages.map(\.direction) == [.received, .sent])
        #expect(messages.map(\.sequence) == [1, 2])
        #expect(messages.first?.count == said.utf8.count)
        let texts = messages.compactMap { $0.redacted().text }
        #expect(texts.count == 2, "\(texts)")
        #expect(!texts.joined().contains("PLANTED"), "\(texts)")
        #expect(texts.first?.contains("say") == true, "\(texts)")
    }

    @Test func `A shared frame is told for each receiver`() async throws {
        let watcher = try await watch([.sockets, .socketFrames]) { world, watcher in
            let (ada, bob) = (try await world.socket("ada"), try await world.socket("bob"))
            await world.wait { world.server.core.connections.count == 2 }
            try await world.server.everybody.push(Said(text: "hello"))
            for socket in [ada, bob] {
                _ = try await socket.receive()
                await socket.close()
            }
            await world.wait { watcher.socketLines.count { $0.hasPrefix("closed") } == 2 }
        }
        #expect(watcher.socketLines.count { $0.hasPrefix("sent text") } == 2)
        #expect(watcher.socketLines.count { $0.contains(" 1/0 ") } == 2)
    }

    @Test func `The answer to a ping is a round trip`() async throws {
        let watcher = try await watch(.sockets) { world, watcher in
            let socket = try await world.socket()
            await world.wait { world.server.core.connections.count == 1 }
            await world.advance(by: .seconds(1)) { watcher.socketLines.contains("round trip") }
            await socket.close()
        }
        #expect(watcher.socketLines.prefix(2) == ["opened -", "round trip"])
    }

    @Test func `Control frames of a real socket are told with their sizes`() async throws {
        let watcher = Watcher([.sockets, .socketFrames])
        try await HandshakeTests.serve {
            $0.listeners = [watcher]
        } body: { _, address in
            let socket = try await WebSocketClient().connect("\(address.url)/socket?user=ada")
            _ = try await socket.ping()
            await socket.close(.normalClosure, reason: "PLANTED")
            while watcher.socketLines.last?.hasPrefix("closed") != true, !Task.isCancelled { await Task.yield() }
        }
        #expect(
            watcher.socketLines == [
                "opened -", "received ping 1", "sent pong 1", "received close 9", "sent close 2",
                "closed 1001 0/0 webSocketClosed",
            ])
        guard case .closed(let ending)? = watcher.sockets.last?.kind else { return }
        #expect(ending.code == .normalClosure)
        #expect(ending.isByPeer)
        #expect(ending.error.closure?.reason == "")
    }
}
#endif
