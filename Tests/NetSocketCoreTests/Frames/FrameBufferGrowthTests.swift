import NetCore
import NetSocketCore
import NetTesting
import Testing

/// The memory used by waiting frames, and the number of messages placed into it at a time.
struct FrameBufferGrowthTests {
    private func buffer(_ role: WebSocketRole = .server, spare: SpareBlock = SpareBlock()) -> FrameBuffer {
        FrameBuffer(role: role, maskKeys: MaskKeys(), spare: spare)
    }

    private func message(_ count: Int) -> WebSocketMessage { .binary(Bytes(pattern(count))) }

    /// Fourteen bytes are kept free for a header, regardless of its length.
    @Test(arguments: [(0, 1024), (1010, 1024), (1011, 1025), (70_000, 70_014)])
    func theFirstFrameTakesAKiBOrWhatItNeeds(count: Int, capacity: Int) {
        for role in [WebSocketRole.client, .server] {
            var buffer = buffer(role)
            #expect(buffer.capacity == 0)
            buffer.append(message(count))
            #expect(buffer.capacity == capacity)
        }
    }

    @Test func fullMemoryGrowsToFourTimesWhatWaits() {
        var buffer = buffer()
        buffer.append(message(500))
        buffer.append(message(500))
        #expect(buffer.count == 1008)
        #expect(buffer.capacity == 1024)
        buffer.append(message(2))
        #expect(buffer.capacity == 1024, "16 bytes are free")
        buffer.append(message(0))
        #expect(buffer.count == 1014)
        #expect(buffer.capacity == 4 * 1012)
        buffer.append(message(20_000))
        #expect(buffer.capacity == 1014 + 14 + 20_000)
    }

    /// Otherwise more bytes would have to be moved than are gained.
    @Test(arguments: [(504, 4032), (505, 1024)])
    func pendingBytesMoveToTheFrontOnceMoreThanHalfIsWritten(written: Int, capacity: Int) {
        var buffer = buffer()
        for byte in [1, 2] as [UInt8] { buffer.append(.binary(Bytes([UInt8](repeating: byte, count: 500)))) }
        buffer.consume(written)
        let waiting = buffer.withPending { Array($0) }
        buffer.append(message(100))
        #expect(buffer.capacity == capacity)
        #expect(buffer.count == 1008 - written + 102)
        let all = buffer.withPending { Array($0) }
        #expect(Array(all.prefix(waiting.count)) == waiting)
        #expect(Array(all.suffix(100)) == pattern(100))
    }

    @Test func aBufferThatHasGrownBorrowsNothing() {
        let spare = SpareBlock()
        var first = buffer(spare: spare)
        var second = buffer(spare: spare)
        var third = buffer(spare: spare)
        third.append(message(2000))
        first.append(message(100_000))
        first.consume(first.count)
        third.append(message(3000))
        #expect(third.capacity == 4 * 2004)
        second.append(message(0))
        second.consume(1)
        second.append(message(2000))
        #expect(second.capacity == 2 + 14 + 2000, "some of it was written already")
        second.append(message(3000))
        #expect(second.capacity < 100_000)
        first.append(message(5000))
        #expect(first.capacity == 100_014)
    }

    @Test func aLoanThatIsTooSmallIsGivenBack() {
        let spare = SpareBlock()
        var first = buffer(spare: spare)
        var second = buffer(spare: spare)
        first.append(message(2000))
        first.consume(first.count)
        second.append(message(5000))
        #expect(second.capacity == 5014)
        first.append(message(1500))
        #expect(first.capacity == 2014)
    }

    @Test(arguments: [(0, 0), (1, 1), (12, 1), (13, 2), (24, 2), (25, 3), (48, 4), (49, 5), (1000, 5)])
    func messagesAreTakenUntilTheLimitWaits(limit: Int, count: Int) {
        let messages = (0..<7).map { WebSocketMessage.binary(Bytes([UInt8](repeating: UInt8($0), count: 10))) }
        for compression in [nil, WebSocketCompression(minimumBytes: 11), WebSocketCompression(minimumBytes: 1)] {
            var buffer = buffer()
            if let compression { buffer.startCompressing(compression, pool: DeflatePool()) }
            let taken = buffer.append(messages[1..<6], limit: limit)
            if compression?.minimumBytes != 1 { #expect(taken == count) }
            let sent = buffer.withPending { Array($0) }
            let decoded = Decoded([sent[...]], compression: compression)
            #expect(decoded.events == messages[1...].prefix(taken).map { .message($0) })
        }
    }

    @Test func pendingBytesCountTowardTheLimit() {
        var buffer = buffer()
        buffer.append(message(10))
        #expect(buffer.append([message(1), message(1)], limit: 12) == 0)
        #expect(buffer.append([message(1), message(1)], limit: 13) == 1)
        #expect(buffer.append([], limit: 100) == 0)
    }

    @Test func nothingAndTheLongestControlPayloadAreFrames() {
        var buffer = buffer()
        buffer.append(.ping, payload: UnsafeRawBufferPointer(start: nil, count: 0))
        [UInt8](repeating: 7, count: 125).withUnsafeBytes { buffer.append(.pong, payload: $0) }
        buffer.append(raw: UnsafeRawBufferPointer(start: nil, count: 0))
        buffer.consume(0)
        #expect(buffer.withPending { Array($0) } == [0x89, 0, 0x8A, 125] + [UInt8](repeating: 7, count: 125))
        var empty = FrameBuffer(role: .client, maskKeys: MaskKeys())
        empty.append(raw: UnsafeRawBufferPointer(start: nil, count: 0))
        #expect(empty.count == 0)
        #expect(empty.capacity == 0)
        #expect(empty.withPending { $0.isEmpty })
    }

    @Test func headsHaveTenBytesAtMost() {
        for (length, size) in [(0, 2), (125, 2), (126, 4), (65_535, 4), (65_536, 10)] {
            var head = [UInt8](repeating: 0xEE, count: 16)
            let written = head.withUnsafeMutableBytes { head in
                head.baseAddress.map {
                    FrameBuffer.writeHead($0, opcode: .text, isFinal: true, length: length)
                }
            }
            #expect(written == size)
            #expect(head[0] == 0x81)
            #expect(head[size...].allSatisfy { $0 == 0xEE })
        }
        #expect(FrameBuffer.largestPlainHeader == 10)
    }

    // MARK: Compression

    /// Returns the first byte of the only frame.
    private func mark(_ message: WebSocketMessage, _ settings: WebSocketCompression, _ choice: MessageCompression)
        -> UInt8
    {
        var buffer = buffer()
        buffer.startCompressing(settings, pool: DeflatePool())
        buffer.append(message, compression: choice)
        return buffer.withPending { $0[0] }
    }

    @Test func theSmallestMessageThatIsCompressedIsOfTheMinimum() {
        let settings = WebSocketCompression(minimumBytes: 10)
        for (count, choice, isCompressed) in [
            (9, MessageCompression.automatic, false), (10, .automatic, true), (11, .automatic, true),
            (9, .always, true), (10, .never, false), (0, .always, true), (0, .automatic, false),
        ] {
            let message = WebSocketMessage.text(String(repeating: "a", count: count))
            #expect(mark(message, settings, choice) == (isCompressed ? 0xC1 : 0x81))
        }
    }

    @Test(arguments: [(0, MessageCompression.automatic, true), (1, .automatic, false), (1, .always, true)])
    func incompressibleMessagesAreCompressedOnlyWhenRequested(
        minimum: Int, choice: MessageCompression, isCompressed: Bool
    ) {
        var settings = WebSocketCompression.withoutContext
        settings.minimumBytes = minimum
        let noise = WebSocketMessage.binary(Bytes(SeededRandom(seed: 1).bytes(1000)))
        #expect(mark(noise, settings, choice) == (isCompressed ? 0xC2 : 0x82))
    }

    /// A compressed form of the same size isn't smaller, so it isn't used.
    @Test func messagesThatDoNotShrinkAreSentUncompressed() {
        var settings = WebSocketCompression.withoutContext
        settings.minimumBytes = 1
        var sizes: Set<Int> = []
        for text in (1...40).flatMap({ [String(repeating: "a", count: $0), String("abcdefghij ".prefix($0 % 12))] }) {
            var buffer = buffer()
            buffer.startCompressing(settings, pool: DeflatePool())
            buffer.append(.text(text), compression: .always)
            let gain = text.utf8.count - (buffer.count - 2)
            sizes.insert(gain.signum())
            #expect(mark(.text(text), settings, .automatic) == (gain > 0 ? 0xC1 : 0x81), "\(text)")
        }
        #expect(sizes == [-1, 0, 1])
    }

    @Test func withoutAnAgreementNothingIsCompressed() {
        for choice in [MessageCompression.automatic, .always] {
            var buffer = buffer()
            buffer.append(.text(String(repeating: "a", count: 1000)), compression: choice)
            let parts = Bytes(pattern(3))
            parts.withUnsafeBytes {
                buffer.append(part: $0, of: .binary, isFirst: true, isFinal: true, compression: choice)
            }
            let bytes = buffer.withPending { Array($0) }
            #expect(bytes[0] == 0x81)
            #expect(bytes.suffix(5) == [0x82, 3] + pattern(3))
        }
    }
}
