import NetCore
import NetSocketCore
import Testing

/// The frames of a message that is sent in parts.
struct PartSenderTests {
    @Test(arguments: [WebSocketMessage.Kind.text, .binary])
    func theFirstFrameIsMarkedAndTheLastOneIsEmpty(kind: WebSocketMessage.Kind) throws {
        var sender = PartSender(kind, .always)
        #expect(!sender.hasBegun)
        let first = try sender.frame(Bytes("a".utf8))
        #expect(first.isFirst)
        #expect(!first.isFinal)
        #expect(first.bytes == Bytes("a".utf8))
        #expect(sender.hasBegun)
        let second = try sender.frame(Bytes())
        #expect(!second.isFirst)
        #expect(!second.isFinal)
        #expect(second.bytes.isEmpty)
        let last = try sender.lastFrame()
        #expect(!last.isFirst)
        #expect(last.isFinal)
        #expect(last.bytes.isEmpty)
        for frame in [first, second, last] {
            #expect(frame.opcode == (kind == .text ? .text : .binary))
            #expect(frame.compression == .always)
        }
    }

    @Test func aMessageWithoutPartsIsOneFrame() throws {
        var sender = PartSender(.binary, .automatic)
        let only = try sender.lastFrame()
        #expect(only.isFirst)
        #expect(only.isFinal)
        #expect(sender.hasBegun)
        #expect(only.compression == .automatic)
    }

    @Test func aCharacterMayBeCutBetweenParts() throws {
        var sender = PartSender(.text, .never)
        for part in [[0x61, 0xE2], [0x82], [0xAC]] as [[UInt8]] { _ = try sender.frame(Bytes(part)) }
        _ = try sender.lastFrame()
    }

    @Test func textThatIsNotUTF8IsRefusedAndBytesAreNot() throws {
        for parts in [[[0xFF]], [[0xC3], [0x41]], [[0xC3]]] as [[[UInt8]]] {
            var text = PartSender(.text, .never)
            let error = #expect(throws: NetError.self) {
                for part in parts { _ = try text.frame(Bytes(part)) }
                _ = try text.lastFrame()
            }
            #expect(error?.code == .encoding)
            var binary = PartSender(.binary, .never)
            for part in parts { _ = try binary.frame(Bytes(part)) }
            _ = try binary.lastFrame()
        }
        var sender = PartSender(.text, .never)
        #expect(throws: NetError.self) { try sender.frame(Bytes([0xFF])) }
        #expect(!sender.hasBegun, "nothing has gone out")
    }
}
