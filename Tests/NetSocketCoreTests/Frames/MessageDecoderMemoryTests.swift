import NetCore
import NetSocketCore
import Testing

/// The memory in which messages are stored, and its size.
struct MessageDecoderMemoryTests {
    @Test func smallMessagesAreSlicesOfOneBlock() {
        let frames = [WireFrame](repeating: .binary(pattern(64)), count: 900)
        let storages = Set(slices(Decoded(frames).events).map { ObjectIdentifier($0.storage) })
        #expect(storages.count == 1)
    }

    @Test func slicesKeepTheirBytesWhileTheDecoderReadsOn() {
        var decoder = MessageDecoder(role: .server, maximumMessageBytes: 1 << 20, blocks: ReadBlock(size: 1024))
        var events: [WebSocketEvent] = []
        for index in 0..<500 {
            feed(&decoder, WireFrame.binary(pattern(index)).masked().bytes, into: &events)
        }
        #expect(events == (0..<500).map { .binary(pattern($0)) })
    }

    @Test func theBlockIsUsedAgainOnceNobodyHoldsASlice() {
        var decoder = MessageDecoder(role: .client, maximumMessageBytes: 1 << 20)
        let first = decoder.readBuffer()
        let frame = WireFrame.binary(pattern(64)).bytes
        for _ in 0..<10_000 {
            let events = read(&decoder, frame)
            #expect(events.count == 1)
        }
        #expect(decoder.readBuffer().baseAddress == first.baseAddress)
        #expect(first.count == 64 << 10)
    }

    @Test func aBlockWithSlicesInUseIsReplacedOnlyWhenItIsNearlyFull() {
        var decoder = MessageDecoder(role: .client, maximumMessageBytes: 1 << 20)
        let first = decoder.readBuffer().baseAddress
        let events = read(&decoder, WireFrame.binary(pattern(1000)).bytes)
        let next = decoder.readBuffer()
        #expect(next.baseAddress == first.map { $0 + 1004 })
        #expect(next.count == (64 << 10) - 1004)
        let more = read(&decoder, WireFrame.binary(pattern(60_000)).bytes)
        #expect(decoder.readBuffer().count == 64 << 10)
        #expect(events == [.binary(pattern(1000))])
        #expect(more == [.binary(pattern(60_000))])
    }

    @Test func aFrameThatTheRestOfTheBlockCannotHoldMovesAsSoonAsItsHeaderIsThere() {
        var decoder = MessageDecoder(role: .client, maximumMessageBytes: 1 << 20)
        let held = read(&decoder, WireFrame.binary(pattern(30_000)).bytes)
        #expect(decoder.readBuffer().count == (64 << 10) - 30_004)
        let frame = WireFrame.binary(pattern(40_000)).bytes
        #expect(read(&decoder, Array(frame.prefix(100))).isEmpty)
        #expect(decoder.readBuffer().count == (64 << 10) - 100)
        #expect(read(&decoder, Array(frame.dropFirst(100))) == [.binary(pattern(40_000))])
        #expect(held == [.binary(pattern(30_000))])
    }

    @Test func aLargePayloadIsReadStraightIntoItsMessage() throws {
        let size = 3_000_000
        var decoder = MessageDecoder(role: .client, maximumMessageBytes: size)
        var events: [WebSocketEvent] = []
        var rest = WireFrame.binary(pattern(size)).bytes[...]
        var largest = 0
        while !rest.isEmpty {
            let room = decoder.readBuffer()
            largest = max(largest, room.count)
            let piece = rest.prefix(room.count)
            room.copyBytes(from: piece)
            rest = rest.dropFirst(piece.count)
            try decoder.didRead(piece.count, into: &events)
        }
        #expect(largest == 512 << 10)
        #expect(events == [.binary(pattern(size))])
        let message = try #require(slices(events).first)
        #expect(message.offset == 0)
        #expect(message.storage.capacity < size + size / 2)
    }

    @Test func aHeaderAloneReservesLittle() {
        var decoder = MessageDecoder(role: .client, maximumMessageBytes: .max)
        var events: [WebSocketEvent] = []
        feed(&decoder, [0x82, 127, 0, 0, 0, 0, 0x40, 0, 0, 0], into: &events)
        #expect(decoder.readBuffer().count <= 512 << 10)
        // A length for which no machine has enough memory.
        var other = MessageDecoder(role: .client, maximumMessageBytes: .max)
        feed(&other, [0x82, 127, 0x7F, 255, 255, 255, 255, 255, 255, 255], into: &events)
        #expect(other.readBuffer().count <= 512 << 10)
        #expect(other.isMidMessage == true)
        #expect(events.isEmpty)
    }

    @Test func theDecoderStillOffersRoomAfterTheEnd() {
        var decoder = MessageDecoder(role: .client, maximumMessageBytes: 10)
        var events: [WebSocketEvent] = []
        feed(&decoder, WireFrame.close(1000).bytes, into: &events)
        for _ in 0..<100 {
            #expect(decoder.readBuffer().count > 0)
            #expect(read(&decoder, pattern(1000)).isEmpty)
        }
    }

    private func slices(_ events: [WebSocketEvent]) -> [Bytes] {
        events.compactMap { if case .message(let message) = $0 { message.binary } else { nil } }
    }

    private func feed(_ decoder: inout MessageDecoder, _ bytes: [UInt8], into events: inout [WebSocketEvent]) {
        do {
            try bytes.withUnsafeBytes { try decoder.receive($0, into: &events) }
        } catch {
            Issue.record("\(error)")
        }
    }

    private func read(_ decoder: inout MessageDecoder, _ bytes: [UInt8]) -> [WebSocketEvent] {
        var events: [WebSocketEvent] = []
        feed(&decoder, bytes, into: &events)
        return events
    }
}
