#if os(Linux) && Server
import NetCore
import NetSocket
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// Messages before an end are received, and replies to them are sent, before the close.
@Suite(.timeLimit(.minutes(1)))
struct EndOrderTests {
    @Test(arguments: [TestFrame(opcode: 3, payload: []), TestFrame.close(1001)])
    func answersGoOutBeforeTheCloseFrame(_ end: TestFrame) async throws {
        let bytes = (0..<20).flatMap { TestFrame.text("\($0)").bytes } + end.bytes
        let peer = try ScriptedPeer.accepting(.send(bytes), .readClose, .close)
        try await withScriptedPeer(peer) { socket, _ in
            let error = try await failure {
                while true { try await socket.send(try await socket.receive()) }
            }
            #expect(error.code == (end.opcode == 3 ? .protocolViolation : .webSocketClosed))
            let isThere = await eventually(within: .seconds(5)) { peer.frames.count == 21 }
            #expect(isThere)
            #expect(peer.frames.prefix(20).map(\.text) == (0..<20).map { "\($0)" })
            #expect(peer.frames.last?.closeCode == (end.opcode == 3 ? 1002 : 1001))
        }
    }

    @Test func aReceiverThatDoesNotAskAgainHasASecond() async throws {
        let peer = try ScriptedPeer.accepting(
            .send(TestFrame.text("a").bytes + TestFrame.close(1000).bytes), .readClose, .close)
        try await withScriptedPeer(peer) { socket, fixture in
            #expect(try await socket.receive() == .text("a"))
            try await socket.send("answer")
            let isIdle = await fixture.hasNoConnections()
            #expect(isIdle)
            #expect(peer.frames.map(\.opcode) == [1, 8])
        }
    }

    @Test func closingHereDoesNotWaitForTheReceiver() async throws {
        let peer = try ScriptedPeer.accepting(
            .send(TestFrame.text("a").bytes + TestFrame.close(1001).bytes), .readClose, .close)
        try await withScriptedPeer(peer) { (socket, _) async throws in
            #expect(try await socket.receive() == .text("a"))
            await socket.close()
            #expect(peer.frames.map(\.closeCode) == [1001], "the peer's close is answered, not ours sent")
        }
    }

    @Test func aPongIsSeenThoughMessagesWaitBeforeIt() async throws {
        let frame = TestFrame.binary([UInt8](repeating: 1, count: 1000)).bytes
        let peer = try ScriptedPeer.accepting(
            .repeated(frame, count: 100), .read(7), .answer({ _ in TestFrame.pong(Array("1".utf8)).bytes }, pieces: 3),
            .readToEnd)
        try await withScriptedPeer(peer, with: .inbox(bytes: 80_000)) { socket, _ in
            try await standstill { peer.sent.first ?? 0 }
            let time = try await within(.seconds(5)) { try await socket.ping() }
            #expect(time != nil)
            var count = 0
            while count < 100 { count += try await socket.receiveAll().count }
            #expect(count == 100)
        }
    }

    /// Reading continues beyond the limit until the pong has arrived, and stops in the middle of a turn.
    @Test func messagesAroundAPongReachNoOtherConnection() async throws {
        let messages = (0..<380).map { WebSocketMessage.text("\($0) " + String(repeating: "x", count: 1000)) }
        let stub = WebSocketStub("/full") { socket in
            try await socket.send(contentsOf: messages)
            try await socket.pong(Bytes("1".utf8))
            try await socket.send("after")
            while try await socket.receive() != nil {}
        }
        let server = try await TestServer.start(webSockets: [stub, .echo()], configuration: .tls())
        try await Fixture.run(trusting: server.caCertificatePEM, with: .inbox(bytes: 250_000)) { fixture in
            let full = try await fixture.client.connect(server.webSocketURL + "/full")
            let other = try await fixture.client.connect(server.webSocketURL + "/echo")
            // By then all messages have been sent, and the client has stopped reading.
            try await Task.sleep(for: .milliseconds(200))
            try await full.ping()
            try await other.send("mine")
            #expect(try await other.receive() == .text("mine"))
            for message in messages { #expect(try await full.receive() == message) }
            #expect(try await full.receive() == .text("after"))
        }
        await server.stop()
    }
}
#endif
