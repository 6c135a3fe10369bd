import NetCore
import NetSocketCore
import Testing

/// RFC 6455 section 5: the meaning of frames, and the rejected ones.
struct MessageDecoderTests {
    @Test(arguments: [WebSocketRole.client, .server])
    func messagesAndControlFramesComeInTheirOrder(_ role: WebSocketRole) {
        let decoded = Decoded(
            [
                .text("Hello"), .ping("a"), .binary([0, 255]), .pong(""), .text("grüß"),
                .close(1001, Array("bye".utf8)),
            ],
            role: role)
        #expect(
            decoded.events == [
                .text("Hello"), .ping("a"), .binary([0, 255]), .pong(""), .text("grüß"),
                .close(.goingAway, reason: "bye"),
            ])
        #expect(decoded.violation == nil)
        #expect(!decoded.isMidMessage)
    }

    @Test func theExamplesOfTheSpecificationAreRead() {
        // RFC 6455 section 5.7.
        let hello: [UInt8] = [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F]
        #expect(Decoded([hello[...]]).events == [.text("Hello")])
        let masked: [UInt8] = [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
        #expect(Decoded([masked[...]], role: .server).events == [.text("Hello")])
        let fragments: [UInt8] = [0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F]
        #expect(Decoded([fragments[...]]).events == [.text("Hello")])
    }

    @Test(arguments: [0, 1, 125, 126, 65_535, 65_536, 3_000_000], [WebSocketRole.client, .server])
    func payloadsOfEverySizeArriveWhole(_ size: Int, _ role: WebSocketRole) {
        let payload = pattern(size)
        let text = String(repeating: "x", count: size)
        let decoded = Decoded([.binary(payload), .text(text), .ping("after")], role: role, limit: 3_000_000)
        #expect(decoded.events == [.binary(payload), .text(text), .ping("after")])
    }

    @Test func fragmentsArePutTogetherAroundControlFrames() {
        let decoded = Decoded([
            .text("ab", isFinal: false), .ping("1"), .continuation([], isFinal: false), .pong("2"),
            .continuation(Array("c".utf8), isFinal: false), .continuation(Array("d".utf8)),
            .binary([1], isFinal: false), .continuation([]),
        ])
        #expect(decoded.events == [.ping("1"), .pong("2"), .text("abcd"), .binary([1])])
        #expect(decoded.violation == nil)
    }

    @Test func emptyFragmentsMakeAnEmptyMessage() {
        let frames: [WireFrame] = [
            .text("", isFinal: false), .continuation([]), .binary([], isFinal: false), .continuation([]),
        ]
        #expect(Decoded(frames).events == [.text(""), .binary([])])
    }

    @Test(arguments: UInt8(1)...7)
    func aReservedBitIsRefused(_ bits: UInt8) {
        #expect(Decoded([WireFrame(opcode: 1, reserved: bits)]).isOnly(.protocolError))
        #expect(Decoded([WireFrame(opcode: 9, reserved: bits)]).isOnly(.protocolError))
    }

    @Test(arguments: [3, 4, 5, 6, 7, 11, 12, 13, 14, 15] as [UInt8])
    func aReservedOpcodeIsRefused(_ opcode: UInt8) {
        #expect(Decoded([WireFrame(opcode: opcode)]).isOnly(.protocolError))
        #expect(Decoded([WireFrame(opcode: opcode)], role: .server).isOnly(.protocolError))
    }

    @Test(arguments: [8, 9, 10] as [UInt8])
    func aControlFrameIsShortAndInOnePiece(_ opcode: UInt8) {
        #expect(Decoded([WireFrame(opcode: opcode, isFinal: false)]).isOnly(.protocolError))
        #expect(Decoded([WireFrame(opcode: opcode, payload: pattern(126))]).isOnly(.protocolError))
        #expect(Decoded([WireFrame(opcode: opcode, payload: pattern(65_536))]).isOnly(.protocolError))
        let longest = WireFrame(opcode: opcode, payload: [0x03, 0xE8] + [UInt8](repeating: 97, count: 123))
        #expect(Decoded([longest]).events.count == 1)
    }

    @Test func lengthsAreInTheirShortestForm() {
        for count in [0, 1, 125] {
            #expect(Decoded([WireFrame(opcode: 2, payload: pattern(count), form: .sixteenBits)]).isOnly(.protocolError))
        }
        for count in [0, 125, 126, 65_535] {
            let frame = WireFrame(opcode: 2, payload: pattern(count), form: .sixtyFourBits)
            #expect(Decoded([frame]).isOnly(.protocolError))
            #expect(Decoded([frame], role: .server).isOnly(.protocolError))
        }
    }

    @Test func theHighestBitOfALengthIsZero() {
        let bytes: [UInt8] = [0x82, 127, 0x80, 0, 0, 0, 0, 1, 0, 0]
        let decoded = Decoded([bytes[...]])
        #expect(decoded.isOnly(.protocolError))
    }

    @Test func aClientMasksAndAServerDoesNot() {
        #expect(Decoded(raw: [.text("a").masked()], role: .client).isOnly(.protocolError))
        #expect(Decoded(raw: [.text("a")], role: .server).isOnly(.protocolError))
        #expect(Decoded(raw: [.text("a").masked([0, 0, 0, 0])], role: .server).events == [.text("a")])
    }

    @Test func aContinuationNeedsABeginningAndABeginningAnEnd() {
        #expect(Decoded([.continuation([1])]).isOnly(.protocolError))
        #expect(Decoded([.binary([1], isFinal: false), .text("b")]).isOnly(.protocolError))
        #expect(Decoded([.binary([1], isFinal: false), .binary([2], isFinal: false)]).isOnly(.protocolError))
        let after = Decoded([.binary([1], isFinal: false), .continuation([2]), .continuation([3])])
        #expect(after.events == [.binary([1, 2])])
        #expect(after.violation?.code == .protocolError)
    }

    @Test func eventsBeforeAViolationAreKept() {
        let decoded = Decoded([.text("a"), .ping("b"), WireFrame(opcode: 3), .text("c")])
        #expect(decoded.events == [.text("a"), .ping("b")])
        #expect(decoded.violation?.code == .protocolError)
    }

    @Test func nothingAfterACloseFrameIsLookedAt() {
        let decoded = Decoded([.close(1000), .text("late"), WireFrame(opcode: 3), .binary([1], isFinal: false)])
        #expect(decoded.events == [.close(.normalClosure, reason: "")])
        #expect(decoded.violation == nil)
        #expect(!decoded.isMidMessage)
    }

    @Test func aCloseFrameEndsAFragmentedMessage() {
        let decoded = Decoded([.text("a", isFinal: false), .close(1000)])
        #expect(decoded.events == [.close(.normalClosure, reason: "")])
        #expect(!decoded.isMidMessage)
    }

    @Test func aCloseFrameMayBeEmpty() {
        #expect(Decoded([WireFrame(opcode: 8)]).events == [.close(.noStatusReceived, reason: "")])
        #expect(Decoded([WireFrame(opcode: 8, payload: [3])]).isOnly(.protocolError))
    }

    @Test(arguments: [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535] as [UInt16])
    func aCloseCodeThatMustNotBeSentIsRefused(_ code: UInt16) {
        #expect(Decoded([.close(code)]).isOnly(.protocolError))
    }

    @Test func theReasonOfACloseIsUTF8() {
        #expect(Decoded([.close(3000, Array("größer".utf8))]).events.count == 1)
        #expect(Decoded([.close(3000, [0xC3])]).isOnly(.invalidPayload))
        #expect(Decoded([.close(3000, [0xED, 0xA0, 0x80])]).isOnly(.invalidPayload))
    }

    @Test func aMessageOfTheLimitPassesAndOneByteMoreIsTooBig() {
        #expect(Decoded([.binary(pattern(100))], limit: 100).events == [.binary(pattern(100))])
        #expect(Decoded([.binary(pattern(101))], limit: 100).isOnly(.messageTooBig))
        #expect(Decoded([.binary([])], limit: 0).events == [.binary([])])
        let fragments = Decoded(
            [.text("0123456789", isFinal: false), .continuation(pattern(5), isFinal: false), .continuation([65])],
            limit: 15)
        #expect(fragments.isOnly(.messageTooBig))
    }

    @Test func theLimitDoesNotCountControlFrames() {
        #expect(Decoded([.ping("longer than the limit"), .binary([1])], limit: 1).events.count == 2)
    }

    @Test func aMessageThatIsTooBigIsRefusedAtItsHeader() {
        let header: [UInt8] = [0x82, 127, 0, 0, 0, 1, 0, 0, 0, 0]
        #expect(Decoded([header[...]]).isOnly(.messageTooBig))
        let largest: [UInt8] = [0x82, 127, 0x7F, 255, 255, 255, 255, 255, 255, 255]
        #expect(Decoded([largest[...]], limit: .max - 1).isOnly(.messageTooBig))
        let second = WireFrame.text("abc", isFinal: false).bytes + [0x80, 127, 0x7F, 255, 255, 255, 255, 255, 255, 255]
        #expect(Decoded([second[...]], limit: .max).isOnly(.messageTooBig))
    }

    @Test func anEndInsideAFrameOrAMessageIsSeen() {
        let frame = WireFrame.binary(pattern(300)).bytes
        for cut in 1..<frame.count { #expect(Decoded([frame[..<cut]]).isMidMessage) }
        #expect(!Decoded([frame[...]]).isMidMessage)
        #expect(!Decoded([ArraySlice<UInt8>]()).isMidMessage)
        #expect(Decoded([.text("a", isFinal: false)]).isMidMessage)
        #expect(Decoded([.text("a", isFinal: false), .ping("")]).isMidMessage)
    }
}
