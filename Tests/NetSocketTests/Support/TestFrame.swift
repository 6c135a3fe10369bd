import NetSocketCore

/// A frame encoded and decoded by hand (RFC 6455 section 5.2), independent of the codec under test.
struct TestFrame: Equatable, CustomStringConvertible {
    /// 1 text, 2 binary, 8 close, 9 ping, 10 pong, 0 continuation.
    var opcode: UInt8
    var payload: [UInt8]
    var isFinal = true
    var reserved: UInt8 = 0
    /// The mask; only a client may use one.
    var mask: [UInt8]?

    static func text(_ text: String, isFinal: Bool = true) -> TestFrame {
        TestFrame(opcode: 1, payload: Array(text.utf8), isFinal: isFinal)
    }
    static func binary(_ payload: [UInt8], isFinal: Bool = true) -> TestFrame {
        TestFrame(opcode: 2, payload: payload, isFinal: isFinal)
    }
    static func more(_ text: String, isFinal: Bool) -> TestFrame {
        TestFrame(opcode: 0, payload: Array(text.utf8), isFinal: isFinal)
    }
    static func close(_ code: UInt16, _ reason: String = "") -> TestFrame {
        TestFrame(opcode: 8, payload: [UInt8(code >> 8), UInt8(code & 255)] + Array(reason.utf8))
    }
    static func ping(_ text: String) -> TestFrame { TestFrame(opcode: 9, payload: Array(text.utf8)) }
    static func pong(_ payload: [UInt8]) -> TestFrame { TestFrame(opcode: 10, payload: payload) }

    /// The code of a close frame; nil for another frame, or for one without a code.
    var closeCode: Int? {
        opcode == 8 && payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : nil
    }
    /// The reason of a close frame.
    var closeReason: String { String(decoding: payload.dropFirst(2), as: UTF8.self) }
    var text: String { String(decoding: payload, as: UTF8.self) }
    var description: String { "opcode \(opcode)\(isFinal ? "" : ", not final"), \(payload.count) bytes" }

    var bytes: [UInt8] {
        var bytes: [UInt8] = [(isFinal ? 0x80 : 0) | reserved << 4 | opcode]
        let flag: UInt8 = mask == nil ? 0 : 0x80
        switch payload.count {
        case ..<126: bytes.append(flag | UInt8(payload.count))
        case ..<65_536: bytes += [flag | 126] + Self.bigEndian(payload.count, bytes: 2)
        default: bytes += [flag | 127] + Self.bigEndian(payload.count, bytes: 8)
        }
        guard let mask else { return bytes + payload }
        return bytes + mask + payload.enumerated().map { $0.element ^ mask[$0.offset & 3] }
    }

    /// Returns the complete frames at the start of a client's bytes, unmasked.
    static func parse(_ bytes: [UInt8]) -> [TestFrame] {
        var (frames, rest): ([TestFrame], ArraySlice<UInt8>) = ([], bytes[...])
        while let frame = takeFrame(from: &rest) { frames.append(frame) }
        return frames
    }

    private static func takeFrame(from bytes: inout ArraySlice<UInt8>) -> TestFrame? {
        var rest = bytes
        guard let first = rest.popFirst(), let second = rest.popFirst() else { return nil }
        var count = Int(second & 0x7f)
        if count > 125 {
            let size = count == 126 ? 2 : 8
            guard rest.count >= size else { return nil }
            count = rest.prefix(size).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(size)
        }
        var mask: [UInt8]?
        if second & 0x80 != 0 {
            guard rest.count >= 4 else { return nil }
            mask = Array(rest.prefix(4))
            rest = rest.dropFirst(4)
        }
        guard rest.count >= count else { return nil }
        let payload = rest.prefix(count).enumerated().map { $0.element ^ (mask?[$0.offset & 3] ?? 0) }
        bytes = rest.dropFirst(count)
        return TestFrame(
            opcode: first & 15, payload: payload, isFinal: first & 0x80 != 0, reserved: first >> 4 & 7, mask: mask)
    }

    private static func bigEndian(_ value: Int, bytes: Int) -> [UInt8] {
        (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
