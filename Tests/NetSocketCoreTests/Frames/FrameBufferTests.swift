import NetCore
import NetSocketCore
import NetTesting
import Testing

/// Frames as they are sent.
struct FrameBufferTests {
    @Test(arguments: [0, 1, 125, 126, 65_535, 65_536, 3_000_000], [WebSocketRole.client, .server])
    func encodedMessagesAreDecodedUnchanged(_ size: Int, _ role: WebSocketRole) {
        var buffer = FrameBuffer(role: role, maskKeys: MaskKeys())
        let text = String(repeating: "ö", count: size / 2)
        buffer.append(.binary(Bytes(pattern(size))))
        buffer.append(.text(text))
        buffer.appendClose(.goingAway, reason: "bye")
        let decoded = Decoded([pending(buffer)[...]], role: role == .client ? .server : .client, limit: 4_000_000)
        #expect(decoded.events == [.binary(pattern(size)), .text(text), .close(.goingAway, reason: "bye")])
        #expect(decoded.violation == nil)
        #expect(!decoded.isMidMessage)
    }

    @Test func framesAreWrittenAsTheSpecificationSays() {
        var server = FrameBuffer(role: .server, maskKeys: MaskKeys())
        append(&server, .text, "Hel", isFinal: false)
        append(&server, .continuation, "lo")
        append(&server, .ping, "Hello")
        #expect(
            pending(server) == [0x01, 3, 0x48, 0x65, 0x6C, 0x80, 2, 0x6C, 0x6F, 0x89, 5, 0x48, 0x65, 0x6C, 0x6C, 0x6F])
        var client = FrameBuffer(role: .client, maskKeys: MaskKeys(NetRandom { 0x37 }))
        append(&client, .pong, "\u{37}\u{36}")
        #expect(pending(client) == [0x8A, 0x82, 0x37, 0x37, 0x37, 0x37, 0, 1])
    }

    @Test func everyFrameHasAKeyOfItsOwn() {
        var buffer = FrameBuffer(role: .client, maskKeys: MaskKeys(SeededRandom(seed: 1).netRandom))
        for _ in 0..<300 { buffer.append(.text("")) }
        let bytes = pending(buffer)
        let keys = stride(from: 2, to: bytes.count, by: 6).map { Array(bytes[$0..<($0 + 4)]) }
        #expect(keys.count == 300)
        #expect(Set(keys).count > 295)
    }

    @Test func bytesAreTakenFromTheFrontInAnyPieces() {
        let random = SeededRandom(seed: 3)
        var buffer = FrameBuffer(role: .server, maskKeys: MaskKeys())
        var expected: [UInt8] = []
        var taken: [UInt8] = []
        for index in 0..<2000 {
            let frame = WireFrame.binary(pattern(index % 700))
            expected += frame.bytes
            buffer.append(.binary(Bytes(frame.payload)))
            let count = Int(random.next() % UInt64(buffer.count + 1))
            taken += pending(buffer).prefix(count)
            buffer.consume(count)
        }
        taken += pending(buffer)
        #expect(taken == expected)
    }

    @Test func theHandshakeIsAppendedAsItIs() {
        var buffer = FrameBuffer(role: .client, maskKeys: MaskKeys())
        Array("GET / HTTP/1.1\r\n\r\n".utf8).withUnsafeBytes { buffer.append(raw: $0) }
        #expect(pending(buffer) == Array("GET / HTTP/1.1\r\n\r\n".utf8))
        #expect(buffer.count == 18)
    }

    @Test func aFrameCostsNoMemoryOnceTheBufferHasGrown() {
        var buffer = FrameBuffer(role: .client, maskKeys: MaskKeys())
        let message = WebSocketMessage.binary(Bytes(pattern(64)))
        buffer.append(message)
        let capacity = buffer.capacity
        let base = address(buffer)
        buffer.consume(buffer.count)
        for _ in 0..<100_000 {
            buffer.append(message)
            buffer.append(.text("text"))
            if buffer.count > 900 { buffer.consume(buffer.count) }
        }
        buffer.consume(buffer.count)
        #expect(buffer.capacity == capacity)
        #expect(address(buffer) == base)
    }

    @Test func aReaderThatNeverEmptiesItMakesItNoLarger() {
        var buffer = FrameBuffer(role: .client, maskKeys: MaskKeys())
        let message = WebSocketMessage.binary(Bytes(pattern(64)))
        buffer.append(message)
        for _ in 0..<100_000 {
            buffer.append(message)
            buffer.consume(70)
        }
        #expect(buffer.capacity == 1024)
        #expect(buffer.count == 70)
    }

    @Test func muchMemoryIsGivenBackWhenNothingWaits() {
        var buffer = FrameBuffer(role: .client, maskKeys: MaskKeys())
        buffer.append(.binary(Bytes(pattern(200_000))))
        #expect(buffer.capacity >= 200_000)
        buffer.consume(1)
        #expect(buffer.capacity >= 200_000)
        buffer.consume(buffer.count)
        #expect(buffer.capacity == 0)
        #expect(buffer.count == 0)
        buffer.append(.text("again"))
        buffer.consume(buffer.count)
        #expect(buffer.capacity == 1024)
    }

    @Test func buffersLendOneAnotherWhatTheyHaveGrownTo() {
        let spare = SpareBlock()
        var first = FrameBuffer(role: .server, maskKeys: MaskKeys(), spare: spare)
        var second = FrameBuffer(role: .server, maskKeys: MaskKeys(), spare: spare)
        first.append(.binary(Bytes(pattern(50_000))))
        let base = address(first)
        first.consume(first.count)
        #expect(first.capacity == 0)
        // Waiting frames are kept.
        second.append(.text("one"))
        second.append(.binary(Bytes(pattern(40_000))))
        #expect(address(second) == base)
        let decoded = Decoded([pending(second)[...]])
        #expect(decoded.events == [.text("one"), .binary(pattern(40_000))])
        first.append(.binary(Bytes(pattern(50_000))))
        #expect(Decoded([pending(first)[...]]).events == [.binary(pattern(50_000))])
    }

    @Test func aCodeThatMustNotBeSentGivesAnEmptyCloseFrame() {
        for code in [WebSocketCloseCode.noStatusReceived, .abnormalClosure, .tlsHandshake, .init(rawValue: 0)] {
            var buffer = FrameBuffer(role: .server, maskKeys: MaskKeys())
            buffer.appendClose(code, reason: "unsaid")
            #expect(pending(buffer) == [0x88, 0])
        }
    }

    @Test func aLongReasonIsCutBetweenTwoCharacters() {
        for (character, expected) in [("a", 123), ("ä", 61), ("€", 41), ("😀", 30)] {
            for lead in 0..<4 {
                var buffer = FrameBuffer(role: .server, maskKeys: MaskKeys())
                let start = String(repeating: "-", count: lead)
                buffer.appendClose(.normalClosure, reason: start + String(repeating: character, count: 200))
                let kept = min(expected, (123 - lead) / character.utf8.count)
                let reason = start + String(repeating: character, count: kept)
                #expect(Decoded([pending(buffer)[...]]).events == [.close(.normalClosure, reason: reason)])
            }
        }
        var buffer = FrameBuffer(role: .server, maskKeys: MaskKeys())
        buffer.appendClose(.normalClosure, reason: String(repeating: "x", count: 123))
        #expect(buffer.count == 127)
    }

    private func pending(_ buffer: borrowing FrameBuffer) -> [UInt8] { buffer.withPending { Array($0) } }

    private func address(_ buffer: borrowing FrameBuffer) -> UnsafeRawPointer? {
        buffer.withPending { $0.baseAddress }
    }

    private func append(_ buffer: inout FrameBuffer, _ opcode: Opcode, _ text: String, isFinal: Bool = true) {
        Array(text.utf8).withUnsafeBytes { buffer.append(opcode, payload: $0, isFinal: isFinal) }
    }
}
