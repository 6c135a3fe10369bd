#if os(Linux)
import NetCore
import NetCurl
import NetSocketCore
import NetTesting
import Synchronization
import Testing

@testable import NetSocket

/// The reports to listeners about a connection: every frame once, in order, and one end.
@Suite(.timeLimit(.minutes(1)))
struct SocketRecordingTests {
    private let log = SocketLog()
    private let clock = TestClock()

    private func socket(_ change: (inout WebSocketRequest) -> Void = { _ in }) async throws -> DrivenSocket {
        var request = WebSocketRequest(url: "ws://a.test/")
        change(&request)
        return try await DrivenSocket(request, on: clock.netClock, listeners: [log])
    }

    @Test func framesOfTheServerAreToldOnce() async throws {
        let socket = try await socket()
        socket.open()
        socket.arrives(TestFrame.ping("abc").bytes + TestFrame.text("hello").bytes + TestFrame.binary([1, 2]).bytes)
        socket.arrives(.pong([1, 2, 3, 4]))
        #expect(socket.texts.count == 2)
        #expect(socket.take() == nil)
        socket.arrives(.close(4000, "bye"))
        #expect(
            log.lines == [
                "opened - plain", "received ping 3", "sent pong 3", "received text 5", "received binary 2",
                "received pong 4", "received close 5", "closed 4000 webSocketClosed sent 0, 0 received 2, 7",
            ])
    }

    @Test func aCloseFrameMayBeEmpty() async throws {
        let socket = try await socket()
        socket.open()
        socket.arrives(TestFrame(opcode: 8, payload: []))
        #expect(log.lines.dropFirst() == ["received close 0", "closed 1005 webSocketClosed sent 0, 0 received 0, 0"])
    }

    @Test func theCloseOfThisSideIsTold() async throws {
        let socket = try await socket()
        socket.open()
        socket.close(.goingAway, "why")
        socket.arrives(.close(1001))
        #expect(
            log.lines.dropFirst() == [
                "sent close 5", "received close 2", "closed 1001 webSocketClosed sent 0, 0 received 0, 0",
            ])
    }

    @Test func aConnectionThatIsLostHasAnEndToo() async throws {
        let socket = try await socket()
        socket.open()
        socket.hangUp()
        socket.driver.streamIsReadable(socket.stream, isEnding: true)
        #expect(log.lines.dropFirst() == ["closed 1006 connectionLost sent 0, 0 received 0, 0"])
    }

    @Test func theTimeOfAPingIsTold() async throws {
        let socket = try await socket()
        socket.open()
        await clock.advance(by: .seconds(2))
        let ping = socket.driver.pings.withLock { $0.begin(now: clock.now) }
        await clock.advance(by: .seconds(3))
        socket.arrives(.pong(Array("1".utf8)))
        #expect(log.lines.dropFirst() == ["received pong 1", "round trip \(Duration.seconds(3))"])
        socket.driver.pings.withLock { $0.end(ping) }
    }

    @Test func questionsOfTheWatchAreTold() async throws {
        let socket = try await socket {
            $0.liveness = WebSocketLiveness(
                silence: .seconds(10), grace: .seconds(4), probe: .message { .text("there?") })
        }
        socket.open()
        socket.pass(.seconds(10))
        socket.arrives(.text("yes"))
        _ = socket.driver.outbox.withLock { $0.beginParts() }
        socket.pass(.seconds(4))
        socket.pass(.seconds(6))
        #expect(log.lines.dropFirst() == ["sent text 6", "received text 3", "sent ping 1"])
    }

    @Test(arguments: [("chat", "chat compressed"), ("geheim", "- compressed")])
    func theSubprotocolIsToldUnlessItIsASecret(chosen: String, told: String) async throws {
        let socket = try await socket {
            ($0.subprotocols, $0.secretSubprotocol) = (["chat"], "geheim")
            $0.compression = WebSocketCompression()
        }
        socket.open("Sec-WebSocket-Protocol: \(chosen)\r\nSec-WebSocket-Extensions: permessage-deflate\r\n")
        #expect(log.lines == ["opened \(told)"])
    }

    // MARK: Links

    /// A message sent by a link is reported before it is written.
    @Test func everySentFrameIsReportedOnce() async throws {
        let peer = try ScriptedPeer.accepting(
            .read(7 + 10 + 9 + 9 + 7 + 8 + 6 + 7 + 6 + 7), .send(TestFrame.pong(Array("1".utf8))), .readClose,
            .send(TestFrame.close(1001)), .close)
        defer { peer.stop() }
        let transport = CurlWebSocketTransport()
        let client = WebSocketClient(configuration: .init(listeners: [log]), transport: transport)
        let socket = try await client.connect(peer.url)
        try await socket.send("1")
        try await socket.send(contentsOf: [.text("four"), .binary(Bytes([1, 2, 3]))])
        try await socket.send(contentsOf: [.text("one")])
        try await socket.send(contentsOf: [])
        #expect(socket.sendsImmediately)
        #expect(socket.sendImmediately(.text("n")))
        try await socket.send(parts: Self.stream(["ab"]), as: .text)
        try await socket.send(parts: Self.stream(["c"]), as: .binary)
        try await socket.ping()
        await socket.close(.goingAway)
        #expect(!socket.sendImmediately(.text("late")))
        let lines = log.lines.filter { !$0.hasPrefix("round trip") }
        #expect(
            lines == [
                "opened - plain", "sent text 1", "sent text 4", "sent binary 3", "sent text 3", "sent text 1",
                "sent text 2", "sent text 0", "sent binary 1", "sent binary 0", "sent ping 1", "received pong 1",
                "sent close 2", "received close 2", "closed 1001 webSocketClosed sent 7, 15 received 0, 0",
            ])
        #expect(log.lines.count == lines.count + 1)
        #expect(log.addresses == ["127.0.0.1:\(peer.port)"])
        #expect(peer.frames.map(\.opcode) == [1, 1, 2, 1, 1, 1, 0, 2, 0, 9, 8])
        await client.shutdown()
    }

    @Test func onlyMessagesAcceptedBySendImmediatelyAreWritten() async throws {
        let peer = try ScriptedPeer.accepting(.readToEnd)
        defer { peer.stop() }
        try await withScriptedPeer(peer, with: .sendBuffer(bytes: 1000)) { socket, _ in
            let text = String(repeating: "x", count: 100_000)
            var taken = 0
            while socket.sendImmediately(.text(text)), taken < 10_000 { taken += 1 }
            #expect(taken < 10_000)
            while !socket.sendImmediately(.text("last")), !Task.isCancelled { await Task.yield() }
            let isThere = await eventually { peer.received.first?.count == taken * 100_014 + 10 }
            #expect(isThere)
        }
    }

    private static func stream(_ parts: [String]) -> AsyncStream<Bytes> {
        AsyncStream { feed in
            for part in parts { feed.yield(Bytes(part.utf8)) }
            feed.finish()
        }
    }
}
#endif
