import NetCore
import NetSocketCore
import Testing

/// Frames with every kind of key, cut anywhere.
struct MaskedFrameTests {
    @Test(
        arguments: [[0, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0xFF, 0xFF, 0xFF, 0xFF], [0x80, 1, 2, 3]] as [[UInt8]])
    func keysAreTakenOff(key: [UInt8]) {
        let frames = [
            WireFrame.binary(pattern(20)), .text("grüße"), .ping("ping"), .binary(pattern(300)),
            .text("frag", isFinal: false), .continuation(Array("ments".utf8)),
        ]
        let bytes = frames.map { $0.masked(key) }.bytes
        let expected: [WebSocketEvent] = [
            .binary(pattern(20)), .text("grüße"), .ping("ping"), .binary(pattern(300)), .text("fragments"),
        ]
        for cut in 0...bytes.count {
            let decoded = Decoded([bytes[..<cut], bytes[cut...]], role: .server, blockSize: 256)
            #expect(decoded.events == expected, "cut at \(cut)")
            #expect(decoded.violation == nil, "cut at \(cut)")
        }
    }

    @Test func aCompressedMessageMayHaveAnyKey() {
        // RFC 7692 section 7.2.3.1.
        let hello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
        for key in [[0, 0, 0, 0], [1, 0, 0, 0], [9, 8, 7, 6]] as [[UInt8]] {
            let bytes = WireFrame(opcode: 1, payload: hello, reserved: 4, key: key).bytes
            for cut in 0...bytes.count {
                let decoded = Decoded([bytes[..<cut], bytes[cut...]], role: .server, compression: .init())
                #expect(decoded.events == [.text("Hello")])
            }
        }
    }
}
