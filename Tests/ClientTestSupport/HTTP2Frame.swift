/// HTTP/2 frames for a scripted peer (RFC 9113 section 4.1); payloads under 256 bytes.
enum HTTP2Frame {
    static func bytes(_ type: UInt8, _ flags: UInt8, _ stream: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
        [0, 0, UInt8(payload.count), type, flags, 0, 0, 0, stream] + payload
    }

    static let settings = bytes(4, 0, 0)
}
