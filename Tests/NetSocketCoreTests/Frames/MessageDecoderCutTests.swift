import NetCore
import NetSocketCore
import NetTesting
import Testing

/// The same bytes result in the same events, for all cuts and block sizes.
struct MessageDecoderCutTests {
    @Test(arguments: [131, 256, 64 << 10], [WebSocketRole.client, .server])
    func streamsGiveTheSameHoweverTheyAreCut(_ blockSize: Int, _ role: WebSocketRole) {
        for (index, frames) in Self.corpus.enumerated() {
            let bytes = frames.sent(to: role).bytes
            let whole = Decoded([bytes[...]], role: role, limit: 800)
            for rests in [false, true] {
                let byteByByte = Decoded(
                    bytes.indices.map { bytes[$0...$0] }, role: role, limit: 800, blockSize: blockSize, rests: rests)
                #expect(byteByByte == whole, "stream \(index) byte by byte")
            }
            for cut in 0...bytes.count {
                let parts = Decoded(
                    [bytes[..<cut], bytes[cut...]], role: role, limit: 800, blockSize: blockSize, rests: cut % 2 == 0)
                if parts != whole { Issue.record("stream \(index) cut at \(cut): \(parts), whole: \(whole)") }
            }
        }
    }

    @Test(arguments: [131, 256, 64 << 10], [WebSocketRole.client, .server])
    func streamsThatEndAnywhereGiveTheSame(_ blockSize: Int, _ role: WebSocketRole) {
        for (index, frames) in Self.corpus.enumerated() {
            let bytes = frames.sent(to: role).bytes
            for end in 0..<bytes.count {
                let whole = Decoded([bytes[..<end]], role: role, limit: 800)
                let parts = Decoded(
                    [bytes[..<(end / 2)], bytes[(end / 2)..<end]], role: role, limit: 800, blockSize: blockSize)
                if parts != whole { Issue.record("stream \(index) ended at \(end): \(parts), whole: \(whole)") }
            }
        }
    }

    @Test(arguments: UInt64(1)...20)
    func randomStreamsGiveTheSameInRandomPieces(_ seed: UInt64) {
        let random = SeededRandom(seed: seed)
        func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
        let role: WebSocketRole = below(2) == 0 ? .client : .server
        var bytes = (0..<30).map { _ in Self.randomFrame(below) }.sent(to: role).bytes
        if below(3) == 0 { bytes[below(bytes.count)] ^= UInt8(1 << below(8)) }
        let whole = Decoded([bytes[...]], role: role, limit: 100_000)
        var pieces: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let size = min(rest.count, 1 + below(below(2) == 0 ? 10 : 5000))
            pieces.append(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        let blockSize = [131, 1000, 64 << 10][below(3)]
        let parts = Decoded(pieces, role: role, limit: 100_000, blockSize: blockSize, rests: below(2) == 0)
        #expect(parts == whole)
    }

    private static func randomFrame(_ below: (Int) -> Int) -> WireFrame {
        switch below(4) {
        case 0: .ping(String(repeating: "p", count: below(126)))
        case 1: .text(String(repeating: "ä€😀", count: below(100)))
        default: .binary(pattern(below(below(5) == 0 ? 70_000 : 600)))
        }
    }

    private static let corpus: [[WireFrame]] = [
        [],
        [.text(""), .binary([]), .ping(""), .pong("")],
        [.text("Hello"), .binary(pattern(125)), .binary(pattern(126)), .text("ende")],
        [.text("aä€😀\u{10FFFF}"), .close(1000, Array("grüße".utf8))],
        [.text("ab", isFinal: false), .ping("x"), .continuation(Array("ä".utf8), isFinal: false), .continuation([])],
        [.text("€", isFinal: false), .continuation(pattern(0)), .pong(String(repeating: "q", count: 125))],
        [
            .binary(pattern(450), isFinal: false), .continuation(pattern(300), isFinal: false),
            .continuation(pattern(30)),
        ],
        [.binary(pattern(130)), .binary(pattern(240)), .binary(pattern(1)), .text(String(repeating: "é", count: 200))],
        [WireFrame(opcode: 1, payload: Array("abc".utf8) + [0xFF] + Array("def".utf8)), .text("never")],
        [WireFrame(opcode: 1, payload: [UInt8](repeating: 97, count: 300) + [0xC3])],
        [WireFrame(opcode: 1, payload: [0xE2, 0x82], isFinal: false), .continuation([0xAC]), .text("ok")],
        [WireFrame(opcode: 1, payload: [0xE2, 0x82], isFinal: false), .ping("x"), .continuation([0x41])],
        [WireFrame(opcode: 1, payload: [0xF0, 0x9F], isFinal: false), .continuation([0x98])],
        [.binary(pattern(800)), .binary(pattern(801))],
        [.binary(pattern(500), isFinal: false), .continuation(pattern(300), isFinal: false), .continuation([1])],
        [.text("a"), .continuation([1])],
        [.text("a", isFinal: false), .text("b")],
        [.ping("a"), WireFrame(opcode: 9, isFinal: false), .ping("b")],
        [.ping("a"), WireFrame(opcode: 9, payload: pattern(126))],
        [.ping("a"), WireFrame(opcode: 2, payload: pattern(10), form: .sixteenBits)],
        [.ping("a"), WireFrame(opcode: 2, payload: pattern(200), form: .sixtyFourBits)],
        [.pong("a"), WireFrame(opcode: 2, reserved: 4)], [.pong("a"), WireFrame(opcode: 11)],
        [.close(1000), .text("late")], [.close(1005)], [WireFrame(opcode: 8, payload: [3])],
        [.close(1000, [0xC0, 0x80])], [.binary([1], isFinal: false), .close(4999), .continuation([2])],
    ]
}
