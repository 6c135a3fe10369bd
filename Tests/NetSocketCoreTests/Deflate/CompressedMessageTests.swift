import NetCore
import NetSocketCore
import NetTesting
import Testing

/// RFC 7692 sections 6 and 7.2: compressed messages, from one side to the other.
struct CompressedMessageTests {
    static let settings: [WebSocketCompression] = [9, 10, 12, 15].flatMap { bits in
        [true, false].flatMap { context in
            [1, 9].map { level in
                let direction = WebSocketCompression.Direction(windowBits: bits, takesOverContext: context)
                return WebSocketCompression(
                    sending: direction, receiving: direction, minimumBytes: 0, level: level, memoryLevel: level)
            }
        }
    }

    static let messages: [WebSocketMessage] = [
        .text(""), .binary(Bytes()), .text("Hello"), .text("Hello"), .text(""),
        .text(String(repeating: "{\"price\": 17.5, \"näme\": \"€\"}", count: 60)), .binary(Bytes(pattern(70_000))),
        .binary(Bytes(SeededRandom(seed: 5).bytes(3000))), .text(String(repeating: "a", count: 300_000)),
    ]

    @Test(arguments: settings)
    func compressedMessagesAreDecodedUnchanged(_ settings: WebSocketCompression) {
        for role in [WebSocketRole.client, .server] {
            let bytes = sent(Self.messages, role, settings)
            let decoded = Decoded([bytes[...]], role: role == .client ? .server : .client, compression: settings)
            #expect(decoded.events == Self.messages.map { .message($0) })
            #expect(decoded.violation == nil)
        }
    }

    @Test(arguments: [settings[0], settings[3], WebSocketCompression(minimumBytes: 0)])
    func messagesAreTheSameHoweverTheyAreCut(_ settings: WebSocketCompression) {
        let messages = Array(Self.messages.prefix(6))
        let bytes = sent(messages, .client, settings)
        let whole = Decoded([bytes[...]], role: .server, compression: settings)
        #expect(whole.events.count == messages.count)
        for rests in [false, true] {
            let pieces = bytes.indices.map { bytes[$0...$0] }
            #expect(Decoded(pieces, role: .server, compression: settings, rests: rests) == whole)
        }
        for cut in 0...bytes.count {
            let pieces = [bytes[..<cut], bytes[cut...]]
            let parts = Decoded(
                pieces, role: .server, blockSize: 256, compression: settings, rests: cut % 2 == 0)
            if parts != whole { Issue.record("cut at \(cut): \(parts)") }
        }
    }

    @Test func theExamplesOfTheSpecificationAreRead() {
        // RFC 7692 section 7.2.3.1 to 7.2.3.6.
        let whole: [UInt8] = [0xC1, 0x07, 0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
        let fragments: [UInt8] = [0x41, 0x03, 0xF2, 0x48, 0xCD, 0x80, 0x04, 0xC9, 0xC9, 0x07, 0x00]
        let sharedWindow = whole + [0xC1, 0x05, 0xF2, 0x00, 0x11, 0x00, 0x00]
        let notCompressed: [UInt8] = [0xC1, 0x0B, 0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00]
        let lastBlock: [UInt8] = [0xC1, 0x08, 0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]
        let twoBlocks: [UInt8] = [
            0xC1, 0x0D, 0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00,
        ]
        for bytes in [whole, fragments, notCompressed, lastBlock, twoBlocks] {
            #expect(Decoded([bytes[...]], compression: .init()).events == [.text("Hello")])
        }
        #expect(Decoded([sharedWindow[...]], compression: .init()).events == [.text("Hello"), .text("Hello")])
        #expect(Decoded([[0xC1, 0x01, 0x00]], compression: .init()).events == [.text("")])
    }

    @Test func aBlockMarkedAsTheLastKeepsTheWindow() {
        let bytes: [UInt8] = [
            0xC1, 0x08, 0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00, 0xC1, 0x05, 0xF2, 0x00, 0x11, 0x00, 0x00,
        ]
        #expect(Decoded([bytes[...]], compression: .init()).events == [.text("Hello"), .text("Hello")])
    }

    @Test func theMarkIsOnTheFirstFrameOfAMessageOnly() {
        // RFC 7692 section 6.
        let marked = WireFrame(opcode: 9, reserved: 4)
        #expect(Decoded([marked.bytes[...]], compression: .init()).isOnly(.protocolError))
        let second: [UInt8] = [0x41, 0x03, 0xF2, 0x48, 0xCD, 0xC0, 0x04, 0xC9, 0xC9, 0x07, 0x00]
        #expect(Decoded([second[...]], compression: .init()).isOnly(.protocolError))
        #expect(Decoded([[0xC1, 0x01, 0x00]]).isOnly(.protocolError))
        for bits in [1, 2, 3, 5, 6, 7] as [UInt8] {
            let frame = WireFrame(opcode: 1, reserved: bits)
            #expect(Decoded([frame.bytes[...]], compression: .init()).isOnly(.protocolError))
        }
    }

    @Test func plainMessagesPassBetweenCompressedOnes() {
        var frames = FrameBuffer(role: .server, maskKeys: MaskKeys())
        frames.startCompressing(WebSocketCompression(minimumBytes: 10), pool: DeflatePool())
        let long = WebSocketMessage.text(String(repeating: "abc", count: 30))
        for (message, choice) in [
            (long, MessageCompression.never), (.text("short"), .automatic), (long, .automatic),
            (.text("short"), .always),
        ] { frames.append(message, compression: choice) }
        let bytes = frames.withPending { Array($0) }
        #expect(bytes[0] == 0x81)
        #expect(bytes[92] == 0x81)
        #expect(bytes[99] == 0xC1)
        let decoded = Decoded([bytes[...]], compression: .init())
        #expect(decoded.events == [.message(long), .text("short"), .message(long), .text("short")])
    }

    @Test func withoutContextAMessageThatWouldGrowIsSentAsItIs() {
        let settings = WebSocketCompression.withoutContext
        let noise = WebSocketMessage.binary(Bytes(SeededRandom(seed: 1).bytes(1000)))
        #expect(sent([noise], .server, settings)[0] == 0x82)
        #expect(sent([noise], .server, WebSocketCompression())[0] == 0xC2)
        var everything = settings
        everything.minimumBytes = 0
        #expect(sent([noise], .server, everything)[0] == 0xC2)
    }

    @Test func aMessageCanGoOutInParts() {
        for settings in Self.settings {
            for choice in [MessageCompression.automatic, .never] {
                var frames = FrameBuffer(role: .client, maskKeys: MaskKeys())
                frames.startCompressing(settings, pool: DeflatePool())
                let parts = ["one ", "", "two ", "one two ", "three"]
                for _ in 0..<2 {
                    for (index, part) in parts.enumerated() {
                        Array(part.utf8).withUnsafeBytes {
                            frames.append(
                                part: $0, of: .text, isFirst: index == 0, isFinal: index == parts.count - 1,
                                compression: choice)
                        }
                        frames.append(.ping, payload: UnsafeRawBufferPointer(start: nil, count: 0))
                    }
                }
                let bytes = frames.withPending { Array($0) }
                let decoded = Decoded([bytes[...]], role: .server, compression: settings)
                let messages = decoded.events.filter { $0 != .ping("") }
                #expect(messages == [.text(parts.joined()), .text(parts.joined())])
                #expect(decoded.events.count == 12)
            }
        }
    }

    @Test func theLimitCountsWhatAMessageExpandsTo() {
        let message = WebSocketMessage.text(String(repeating: "a", count: 100_000))
        for settings in [WebSocketCompression(), .withoutContext] {
            let bytes = sent([message, message], .server, settings)
            #expect(bytes.count < 1000)
            #expect(Decoded([bytes[...]], limit: 100_000, compression: settings).events.count == 2)
            #expect(Decoded([bytes[...]], limit: 99_999, compression: settings).isOnly(.messageTooBig))
            // Long before the frame is complete.
            #expect(Decoded([bytes[..<100]], limit: 1000, compression: settings).isOnly(.messageTooBig))
        }
        #expect(Decoded([[0xC1, 0x01, 0x00]], limit: 0, compression: .init()).events == [.text("")])
    }

    @Test func invalidCompressedDataIsRejected() {
        // A block of a nonexistent type.
        #expect(Decoded([[0xC1, 0x02, 0x07, 0xFF]], compression: .init()).isOnly(.invalidPayload))
        // A distance that reaches before the window.
        let distance: [UInt8] = [0xC1, 0x05, 0xF2, 0x00, 0x11, 0x00, 0x00]
        #expect(Decoded([distance[...]], compression: .init()).isOnly(.invalidPayload))
        // A text whose decompressed bytes aren't UTF-8.
        var frames = FrameBuffer(role: .server, maskKeys: MaskKeys())
        frames.startCompressing(WebSocketCompression(minimumBytes: 0), pool: DeflatePool())
        [UInt8](repeating: 0xC3, count: 100).withUnsafeBytes {
            frames.append(part: $0, of: .text, isFirst: true, isFinal: true)
        }
        let bytes = frames.withPending { Array($0) }
        #expect(Decoded([bytes[...]], compression: .init()).isOnly(.invalidPayload))
    }

    @Test func noMessageRefersToAnotherWithoutContext() {
        let settings = WebSocketCompression.withoutContext
        let message = WebSocketMessage.text(String(repeating: "0123456789", count: 100))
        let once = sent([message], .server, settings)
        let twice = sent([message, message], .server, settings)
        #expect(twice == once + once)
        let kept = sent([message, message], .server, WebSocketCompression())
        #expect(kept.count < 2 * once.count - 5)
    }

    @Test func connectionsWithoutContextShareTheirStreams() {
        let (pool, blocks) = (DeflatePool(), ReadBlock())
        let settings = WebSocketCompression.withoutContext
        let message = WebSocketMessage.text(String(repeating: "0123456789", count: 100))
        for _ in 0..<100 {
            var frames = FrameBuffer(role: .server, maskKeys: MaskKeys())
            frames.startCompressing(settings, pool: pool)
            frames.append(message)
            var decoder = MessageDecoder(role: .client, maximumMessageBytes: 1 << 20, blocks: blocks)
            decoder.startInflating(settings, pool: pool)
            var events: [WebSocketEvent] = []
            frames.withPending { bytes in
                do throws(WebSocketViolation) {
                    try decoder.receive(bytes, into: &events)
                } catch {
                    Issue.record("\(error)")
                }
            }
            decoder.rest()
            #expect(events == [.message(message)])
        }
    }

    private func sent(
        _ messages: [WebSocketMessage], _ role: WebSocketRole, _ settings: WebSocketCompression
    ) -> [UInt8] {
        var frames = FrameBuffer(role: role, maskKeys: MaskKeys())
        frames.startCompressing(settings, pool: DeflatePool())
        for message in messages { frames.append(message) }
        return frames.withPending { Array($0) }
    }
}
