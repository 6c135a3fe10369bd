import HTTPTypes
import NetTesting
import TestSupport
import Testing

@testable import NetCore

struct CapturedSocketMessageTests {
    private let id = CallID(high: 1, low: 2)

    private func recorder(
        _ log: CaptureLog, side: SocketEvent.Side = .client, clock: TestClock = TestClock(),
        policy: RedactionPolicy = .safeDefault
    ) throws -> SocketRecorder {
        let handshake = CapturedExchange.Request(
            method: .get, url: "wss://h/?access_token=PLANTED-query", headers: [.authorization: "Bearer PLANTED-header"]
        )
        return SocketRecorder(
            [try #require(SocketEventListener(log))], id, on: side, url: "wss://h/", redaction: policy,
            handshake: handshake, subprotocol: "PLANTED-protocol", clock: clock.netClock)
    }

    private func text(_ message: CapturedSocketMessage) -> String {
        switch message.redacted() {
        case .text(let text): text
        case .binary(let bytes): String(decoding: bytes, as: UTF8.self)
        }
    }

    @Test func messagesComeInOrderWithTheirSizes() async throws {
        let (log, clock) = (CaptureLog(.socketMessages), TestClock())
        let recorder = try recorder(log, clock: clock)
        recorder.opened(.init())
        recorder.record(.sent, .text("hello"))
        await clock.advance(by: .seconds(2))
        recorder.record(.received, [.text("one"), .binary([1, 2, 3])])
        recorder.record(.received, .ping, bytes: 4)
        recorder.closed(NetError(.webSocketClosed, phase: .receiving, message: "closed"))
        recorder.record(.received, .text("late"))
        let messages = log.messages
        #expect(messages.map(\.sequence) == [1, 2, 3])
        #expect(messages.allSatisfy { $0.socket == id && $0.side == .client })
        #expect(messages.map(\.direction) == [.sent, .received, .received])
        #expect(messages.map(\.count) == [5, 3, 3])
        #expect(messages.map(\.kind) == [.text, .text, .binary])
        #expect(messages.map(\.elapsed) == [.zero, .seconds(2), .seconds(2)])
        #expect(messages.map { $0.redacted() } == [.text("hello"), .text("one"), .binary([1, 2, 3])])
        #expect(log.names.isEmpty)
    }

    @Test func aLongMessageIsCutAndDoesNotKeepItsBufferAlive() throws {
        let log = CaptureLog(.socketMessages, limits: CaptureLimits(bodyBytes: 4))
        let recorder = try recorder(log)
        weak var storage: ByteStorage?
        do {
            let block = Bytes([UInt8](repeating: 7, count: 1000))
            storage = block.storage
            recorder.record(.received, [.text("abcdefg"), .binary(block[0..<100]), .binary(block[0..<2])])
        }
        #expect(storage == nil)
        #expect(log.messages.map(\.isCut) == [true, true, false])
        #expect(log.messages.map(\.count) == [7, 100, 2])
        #expect(log.messages.map { $0.redacted() } == [.text("abcd"), .binary([7, 7, 7, 7]), .binary([7, 7])])
    }

    @Test func aMessageInPartsIsOneMessage() throws {
        let log = CaptureLog([.socketMessages, .socketFrames], limits: CaptureLimits(bodyBytes: 5))
        let recorder = try recorder(log)
        recorder.record(part: Bytes("abc".utf8), of: .text, isLast: false)
        recorder.record(.received, .text("between"))
        recorder.record(part: Bytes("def".utf8), of: .text, isLast: false)
        recorder.record(part: Bytes(), of: .text, isLast: true)
        #expect(log.messages.map(\.count) == [7, 6])
        #expect(log.messages.map(\.direction) == [.received, .sent])
        #expect(log.messages.last?.redacted() == .text("abcde"))
    }

    @Test(arguments: [SocketEvent.Side.client, .server])
    func secretsOfTheHandshakeAndOfTheClientsJSONAreInNoMessage(_ side: SocketEvent.Side) throws {
        let log = CaptureLog(.socketMessages)
        let recorder = try recorder(log, side: side)
        let (fromClient, fromServer): (SocketEvent.Direction, SocketEvent.Direction) =
            side == .client ? (.sent, .received) : (.received, .sent)
        recorder.record(fromServer, .text("welcome PLANTED-header, PLANTED-query, PLANTED-protocol"))
        recorder.record(fromClient, .text(#"{"password":"PLANTED-json","note":"x"}"#))
        recorder.record(fromServer, .text("you said PLANTED-json"))
        recorder.record(fromServer, .binary(Bytes("bytes: PLANTED-json".utf8)))
        recorder.record(fromServer, .binary(Bytes(#"{"token":"PLANTED-bytes"}"#.utf8)))
        recorder.record(fromClient, .text("<auth token='PLANTED-xml'/>"))
        let texts = log.messages.map(text)
        #expect(!texts.joined().contains("PLANTED"), "\(texts)")
        #expect(texts.contains("you said <redacted>"))
        #expect(texts.contains(#"{"password":"<redacted>","note":"x"}"#))
        for message in log.messages {
            var dumped = "\(message)"
            dump(message, to: &dumped)
            #expect(!dumped.contains("PLANTED"))
        }
    }

    @Test func aSecretThatIsCutIsHiddenToo() throws {
        let said = "you came with PLANTED-header"
        for limit in 18...said.utf8.count {
            let log = CaptureLog(.socketMessages, limits: CaptureLimits(bodyBytes: limit))
            try recorder(log).record(.received, .text(said))
            #expect(!(try text(#require(log.messages.first))).contains("PLAN"))
        }
    }

    @Test func marksShowThatASecretIsRepeated() throws {
        var policy = RedactionPolicy.safeDefault
        policy.markKey = RedactionPolicy.MarkKey(random: SeededRandom(seed: 3).netRandom)
        let log = CaptureLog(.socketMessages)
        let recorder = try recorder(log, policy: policy)
        recorder.record(.sent, .text(#"{"password":"PLANTED-json"}"#))
        recorder.record(.received, .text("PLANTED-json"))
        let texts = log.messages.map(text)
        let mark = try #require(texts.last)
        #expect(texts == [#"{"password":"\#(mark)"}"#, mark])
        #expect(mark.hasPrefix("<redacted:"))
    }

    @Test func aPolicyThatHidesNothingShowsAll() throws {
        let log = CaptureLog(.socketMessages)
        try recorder(log, policy: .disabled).record(.sent, .text(#"{"password":"x"}"#))
        #expect(log.messages.first?.redacted() == .text(#"{"password":"x"}"#))
    }

    @Test func messagesGoOnlyToListenersThatRequestThem() throws {
        let (frames, messages) = (CaptureLog([.sockets, .socketFrames]), CaptureLog(.socketMessages))
        let listeners = [frames, messages].compactMap { SocketEventListener($0) }
        let recorder = SocketRecorder(
            listeners, id, on: .client, url: "wss://h/", redaction: .safeDefault, clock: TestClock().netClock)
        recorder.record(.sent, .text("hello"))
        #expect(frames.messages.isEmpty)
        #expect(messages.messages.count == 1)
        #expect(SocketEventListener(CaptureLog([.calls, .bodies])) == nil)
    }
}
