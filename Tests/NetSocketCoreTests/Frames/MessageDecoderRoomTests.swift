import NetCore
import Testing

@testable import NetSocketCore

/// The place for the next bytes, and the memory held between two reads.
struct MessageDecoderRoomTests {
    private func decoder(_ size: Int, limit: Int = 1 << 20) -> MessageDecoder {
        MessageDecoder(role: .client, maximumMessageBytes: limit, blocks: ReadBlock(size: size))
    }

    /// Reads bytes like a driver.
    private func read(_ decoder: inout MessageDecoder, _ bytes: some Collection<UInt8>) -> [WebSocketEvent] {
        var events: [WebSocketEvent] = []
        let bytes = Array(bytes)
        let room = decoder.readBuffer()
        guard room.count >= bytes.count else {
            Issue.record("there are \(room.count) bytes of room")
            return []
        }
        room.copyBytes(from: bytes)
        do throws(WebSocketViolation) { try decoder.didRead(bytes.count, into: &events) } catch {
            Issue.record("\(error)")
        }
        return events
    }

    /// A payload is read directly into its message while at least half a block of it is missing.
    @Test(arguments: [(499, 1000), (500, 500), (501, 501)])
    func theRestOfALargePayloadIsReadIntoItsMessage(rest: Int, room: Int) {
        var decoder = decoder(1000)
        let frame = WireFrame.binary(pattern(1500)).bytes
        #expect(read(&decoder, frame[..<1000]).isEmpty)
        #expect(read(&decoder, frame[1000..<(1504 - rest)]).isEmpty)
        #expect(decoder.readBuffer().count == room)
        #expect(decoder.isMidMessage == true)
        #expect(read(&decoder, frame[(1504 - rest)...]) == [.binary(pattern(1500))])
        #expect(decoder.isMidMessage == false)
        #expect(decoder.readBuffer().count == 1000)
    }

    /// A frame that fits in a block waits there for its end.
    @Test(arguments: [(996, 1000), (997, 1000)])
    func aFrameThatFitsInABlockIsASliceOfIt(payload: Int, size: Int) {
        var decoder = decoder(size)
        let frame = WireFrame.binary(pattern(payload)).bytes
        #expect(read(&decoder, frame[..<10]).isEmpty)
        #expect(decoder.isMidMessage == true)
        let isWhole = payload + 4 <= size
        #expect(decoder.readBuffer().count == (isWhole ? size - 10 : payload - 6))
        #expect(read(&decoder, frame[10...]) == [.binary(pattern(payload))])
    }

    @Test func anIncompleteFrameOutlivesItsBlock() {
        let blocks = ReadBlock(size: 1000)
        var first = MessageDecoder(role: .client, maximumMessageBytes: 1000, blocks: blocks)
        var second = MessageDecoder(role: .client, maximumMessageBytes: 1000, blocks: blocks)
        let frames = [WireFrame.text("first"), .text("second")].map(\.bytes)
        for index in 0..<8 {
            let isLast = index == 6
            #expect(read(&first, [frames[0][index % 7]]) == (isLast ? [.text("first")] : []))
            first.rest()
            #expect(read(&second, [frames[1][index]]) == (index == 7 ? [.text("second")] : []))
            second.rest()
        }
        #expect(first.isMidMessage == true)
        #expect(second.isMidMessage == false)
    }

    @Test func aRestingDecoderLendsTheMemoryOfItsTexts() {
        let blocks = ReadBlock(size: 1000)
        var decoder = MessageDecoder(role: .client, maximumMessageBytes: 1000, blocks: blocks)
        #expect(read(&decoder, WireFrame.text("frag", isFinal: false).bytes).isEmpty)
        decoder.rest()
        #expect(blocks.borrowSpare().capacity == 0, "its message isn't complete")
        #expect(read(&decoder, WireFrame.continuation(Array("ments".utf8)).bytes) == [.text("fragments")])
        decoder.rest()
        #expect(blocks.borrowSpare().capacity > 0)
    }

    @Test func aQuietDecoderStartsAtTheFront() {
        var decoder = decoder(1000)
        let base = decoder.readBuffer().baseAddress
        for _ in 0..<5 {
            #expect(read(&decoder, WireFrame.ping("p").bytes).count == 1)
            decoder.rest()
            decoder.rest()
        }
        let room = decoder.readBuffer()
        #expect(room.baseAddress == base)
        #expect(room.count == 1000)
    }

    @Test func aLimitOfEverythingIsOneForCompressedMessages() {
        var frames = FrameBuffer(role: .server, maskKeys: MaskKeys())
        frames.startCompressing(WebSocketCompression(minimumBytes: 0), pool: DeflatePool())
        frames.append(.text("hello"))
        let bytes = frames.withPending { Array($0) }
        for limit in [5, .max - 1, .max] {
            #expect(Decoded([bytes[...]], limit: limit, compression: .init()).events == [.text("hello")])
        }
    }

    @Test func bytesAfterTheCloseFrameAreDiscarded() {
        var decoder = decoder(1000)
        #expect(read(&decoder, WireFrame.close(1000).bytes).count == 1)
        #expect(decoder.isMidMessage == false)
        #expect(read(&decoder, WireFrame.binary(pattern(2000)).bytes[..<900]).isEmpty)
        #expect(decoder.isMidMessage == false)
        #expect(decoder.readBuffer().count == 1000)
    }
}
