#if os(Linux) && Server
import NetCore
import NetSocket
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// What came before an end is received, and what is answered to it goes out, before the close.
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
            .send(TestFrame.text("a").bytes + TestFrame.close(1000).bytes), .readClose, .close)
        try await withScriptedPeer(peer) { (socket, _) async throws in
            #expect(try await socket.receive() == .text("a"))
            await socket.close()
            #expect(peer.frames.map(\.opcode) == [8])
        }
    }

    @Test func aPongIsSeenThoughMessagesWaitBeforeIt() async throws {
        let frame = TestFrame.binary([UInt8](repeating: 1, count: 1000)).bytes
        let peer = try ScriptedPeer.accepting(
            .repeated(frame, count: 100), .read(14),
            .answer({ _ in TestFrame.pong([0, 0, 0, 0, 0, 0, 0, 1]).bytes }, pieces: 20),
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
}
#endif
