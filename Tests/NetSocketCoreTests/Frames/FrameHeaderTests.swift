import NetCore
import Testing

@testable import NetSocketCore

/// The contents of a header, and the number of bytes it needs (RFC 6455 section 5.2).
struct FrameHeaderTests {
    private func read(
        _ bytes: [UInt8], count: Int? = nil, role: WebSocketRole = .client, allowsCompression: Bool = false
    ) throws -> FrameHeader? {
        try bytes.withUnsafeBytes { buffer throws(WebSocketViolation) -> FrameHeader? in
            guard let base = buffer.baseAddress else { return nil }
            return try FrameHeader.read(
                base, count: count ?? bytes.count, role: role, allowsCompression: allowsCompression)
        }
    }

    @Test(
        arguments: [
            ([0x82, 0], WebSocketRole.client, 0, 2), ([0x82, 125], .client, 125, 2),
            ([0x82, 126, 0, 126], .client, 126, 4), ([0x82, 126, 0xFF, 0xFF], .client, 65_535, 4),
            ([0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0], .client, 65_536, 10),
            ([0x82, 127, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .client, Int.max, 10),
            ([0x82, 0x80, 1, 2, 3, 4], .server, 0, 6), ([0x82, 0xFE, 1, 0, 1, 2, 3, 4], .server, 256, 8),
            ([0x82, 0xFF, 0, 0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 4], .server, 1 << 24, 14),
        ] as [([UInt8], WebSocketRole, Int, Int)])
    func lengthsHaveThreeForms(bytes: [UInt8], role: WebSocketRole, length: Int, size: Int) throws {
        let header = try #require(try read(bytes, role: role))
        #expect(header.length == length)
        #expect(header.size == size)
        #expect(header.opcode == .binary)
        #expect(header.isFinal)
        #expect(header.key == (role == .server ? 0x0403_0201 : 0))
        for count in 0..<bytes.count {
            let part = try read(bytes, count: count, role: role)
            #expect(part == nil, "\(count) bytes")
        }
    }

    @Test func theFirstByteHoldsTheBits() throws {
        for (first, isFinal, isCompressed, opcode) in [
            (0x81, true, false, Opcode.text), (0x01, false, false, .text), (0xC1, true, true, .text),
            (0x42, false, true, .binary), (0x80, true, false, .continuation), (0x00, false, false, .continuation),
            (0x88, true, false, .close), (0x89, true, false, .ping), (0x8A, true, false, .pong),
        ] as [(UInt8, Bool, Bool, Opcode)] {
            let header = try #require(try read([first, 0], allowsCompression: true))
            #expect(header.isFinal == isFinal)
            #expect(header.isCompressed == isCompressed)
            #expect(header.opcode == opcode)
        }
    }

    /// Each is rejected as soon as the violating byte has arrived.
    @Test(
        arguments: [
            ([0xC1], false), ([0xA1], true), ([0x91], true), ([0x83], true), ([0xC9], true), ([0xC0], true),
            ([0x09], true),
            ([0x08], true), ([0x81, 0x80], true), ([0x89, 126], true), ([0x88, 127], true),
            ([0x82, 126, 0, 125], true),
            ([0x82, 127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], true), ([0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0], true),
        ] as [([UInt8], Bool)])
    func invalidFrameHeadersAreRejected(bytes: [UInt8], allowsCompression: Bool) {
        let error = #expect(throws: WebSocketViolation.self) {
            try read(bytes, allowsCompression: allowsCompression)
        }
        #expect(error?.code == .protocolError)
    }

    @Test func aServerWantsMasks() {
        let error = #expect(throws: WebSocketViolation.self) { try read([0x81, 0], role: .server) }
        #expect(error?.message.contains("from the client is not masked") == true)
        let other = #expect(throws: WebSocketViolation.self) { try read([0x81, 0x80]) }
        #expect(other?.message.contains("from the server is masked") == true)
    }

    @Test func theLargestControlFrameHasAMaskAnd125Bytes() {
        #expect(FrameHeader.largestControlFrame == 131)
        for opcode in [Opcode.continuation, .text, .binary] { #expect(!opcode.isControl) }
        for opcode in [Opcode.close, .ping, .pong] { #expect(opcode.isControl) }
    }
}
