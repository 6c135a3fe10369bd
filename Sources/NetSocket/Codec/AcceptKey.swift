internal import CCrypto
package import NetCore

/// The key of a client and the answer that proves a server understood it (RFC 6455 section 4.2.2).
package enum AcceptKey {
    /// A new `Sec-WebSocket-Key`: sixteen random bytes in base64.
    package static func makeKey(_ random: NetRandom = .system) -> String {
        var bytes = [UInt8](repeating: 0, count: 16)
        bytes.withUnsafeMutableBytes { random.fill($0) }
        return base64(bytes)
    }

    /// The value of `Sec-WebSocket-Accept` for a key; nil where the system has no SHA-1.
    static func accept(for key: String) -> String? {
        let text = Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
        var digest = [UInt8](repeating: 0, count: 20)
        guard net_crypto_sha1(text, text.count, &digest) == 1 else { return nil }
        return base64(digest)
    }

    /// Whether a key is sixteen bytes in base64.
    static func isKey(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count == 24 && bytes[22] == 61 && bytes[23] == 61 && bytes[..<22].allSatisfy(alphabet.contains)
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static func base64(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            let digits = (0..<4).map { alphabet[bits >> (18 - 6 * $0) & 63] }
            text += digits.prefix(group.count + 1)
            text += [UInt8](repeating: 61, count: 3 - group.count)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
