#if os(Linux)
import NetCore
import NetSocket
import TestSupport
import Testing

/// Peers that violate the protocol on an open connection: earlier messages are delivered, and the peer is notified of
/// the reason.
@Suite(.timeLimit(.minutes(1)))
struct ViolationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let closeCode: Int
        var code = NetError.Code.protocolViolation
    }

    private static let notText: [UInt8] = [0x61, 0xc3, 0x28]

    static let cases = [
        Case(
            testDescription: "text that is not UTF-8", bytes: TestFrame(opcode: 1, payload: notText).bytes,
            closeCode: 1007),
        Case(
            testDescription: "a fragment that is not UTF-8",
            bytes: TestFrame(opcode: 1, payload: notText, isFinal: false).bytes, closeCode: 1007),
        Case(
            testDescription: "text that ends inside a character",
            bytes: TestFrame(opcode: 1, payload: [0xe4, 0xb8]).bytes,
            closeCode: 1007),
        Case(
            testDescription: "a masked frame",
            bytes: TestFrame(opcode: 1, payload: [0x61], mask: [1, 2, 3, 4]).bytes, closeCode: 1002),
        Case(
            testDescription: "a reserved bit", bytes: TestFrame(opcode: 1, payload: [0x61], reserved: 4).bytes,
            closeCode: 1002),
        Case(testDescription: "a reserved opcode", bytes: TestFrame(opcode: 3, payload: []).bytes, closeCode: 1002),
        Case(
            testDescription: "a continuation of nothing", bytes: TestFrame(opcode: 0, payload: [0x61]).bytes,
            closeCode: 1002),
        Case(
            testDescription: "a message inside a fragmented one",
            bytes: TestFrame.text("a", isFinal: false).bytes + TestFrame.text("b").bytes, closeCode: 1002),
        Case(
            testDescription: "a fragmented ping", bytes: TestFrame(opcode: 9, payload: [], isFinal: false).bytes,
            closeCode: 1002),
        Case(
            testDescription: "a ping of 126 bytes",
            bytes: TestFrame(opcode: 9, payload: [UInt8](repeating: 0, count: 126)).bytes, closeCode: 1002),
        Case(
            testDescription: "a close frame of one byte", bytes: TestFrame(opcode: 8, payload: [3]).bytes,
            closeCode: 1002),
        Case(testDescription: "a close code that may not be sent", bytes: TestFrame.close(1005).bytes, closeCode: 1002),
        Case(
            testDescription: "a close reason that is not UTF-8",
            bytes: TestFrame(opcode: 8, payload: [3, 232] + notText).bytes, closeCode: 1007),
        Case(
            testDescription: "a message above the limit",
            bytes: TestFrame.binary([UInt8](repeating: 0, count: 1001)).bytes, closeCode: 1009, code: .bodyTooLarge),
        Case(
            testDescription: "the head of a huge frame", bytes: [0x82, 127, 0x7f, 255, 255, 255, 255, 255, 255, 255],
            closeCode: 1009, code: .bodyTooLarge),
        Case(
            testDescription: "fragments above the limit",
            bytes: TestFrame.binary([UInt8](repeating: 0, count: 999), isFinal: false).bytes
                + TestFrame(opcode: 0, payload: [1, 2]).bytes, closeCode: 1009, code: .bodyTooLarge),
        Case(
            testDescription: "a length with its highest bit set",
            bytes: [0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 1], closeCode: 1002),
    ]

    @Test(arguments: cases) func thePeerIsToldAndTheReaderToo(_ example: Case) async throws {
        let peer = try ScriptedPeer.accepting(.send(TestFrame.text("first")), .send(example.bytes), .readClose, .close)
        try await withScriptedPeer(peer, maximumMessageBytes: 1000) { socket, fixture in
            let first = try await socket.receive()
            #expect(first == .text("first"))
            let error = try await failure { try await socket.receive() }
            #expect(error.code == example.code, "\(error)")
            #expect(error.phase == .receiving, "\(error)")
            #expect(error.url?.contains("/peer") == true, "\(error)")
            #expect(error.elapsed != nil, "\(error)")
            let isTold = await eventually { peer.frames.last?.closeCode == example.closeCode }
            #expect(isTold, "the peer got \(peer.frames), close code \(peer.frames.last?.closeCode as Any)")
            #expect(peer.frames.allSatisfy { $0.mask != nil })
            // Later calls get the same error.
            let later = try await failure { try await socket.receive() }
            #expect(later.code == example.code, "\(later)")
            // The peer's close frame hasn't arrived (RFC 6455 section 7.1.5).
            #expect(later.closure?.code == .abnormalClosure)
            #expect(later.closure?.sentCode?.rawValue == UInt16(example.closeCode), "\(later.closure as Any)")
            #expect(later.closure?.isByPeer == false)
            let isIdle = await fixture.hasNoConnections()
            #expect(isIdle)
        }
    }

    @Test func aMessageAtTheLimitIsAccepted() async throws {
        let peer = try ScriptedPeer.accepting(
            .send(TestFrame.binary([UInt8](repeating: 7, count: 1000))),
            .send(TestFrame.binary([UInt8](repeating: 7, count: 600), isFinal: false)),
            .send(TestFrame(opcode: 0, payload: [UInt8](repeating: 8, count: 400))))
        try await withScriptedPeer(peer, maximumMessageBytes: 1000) { socket, _ in
            for _ in 0..<2 {
                let message = try await socket.receive()
                #expect(message.count == 1000)
            }
        }
    }

    @Test(arguments: [1, 2, 3, 5]) func aPeerThatEndsWithinAFrameIsALostConnection(after count: Int) async throws {
        let frame = TestFrame.text("second").bytes
        for end in [ScriptedPeer.Step.close, .reset] {
            // A reset discards unread bytes, so the client gets time to read them.
            let peer = try ScriptedPeer.accepting(
                .send(TestFrame.text("first")), .send(Array(frame[..<count])), .wait(.milliseconds(50)), end)
            try await withScriptedPeer(peer) { socket, fixture in
                let first = try await socket.receive()
                #expect(first == .text("first"))
                let error = try await failure { try await socket.receive() }
                #expect(error.code == .connectionLost, "\(error)")
                #expect(error.phase == .receiving, "\(error)")
                let isIdle = await fixture.hasNoConnections()
                #expect(isIdle)
            }
        }
    }

    @Test func aPeerThatEndsWithoutACloseFrameIsALostConnection() async throws {
        for end in [ScriptedPeer.Step.close, .reset] {
            let peer = try ScriptedPeer.accepting(.wait(.milliseconds(30)), end)
            try await withScriptedPeer(peer) { socket, _ in
                let error = try await failure { try await socket.receive() }
                #expect(error.code == .connectionLost, "\(error)")
                let sending = try await failure { try await socket.send("late") }
                #expect([.connectionLost, .webSocketClosed].contains(sending.code), "\(sending)")
                await socket.close()
            }
        }
    }
}
#endif
