package import NetCore
internal import NetCrypto

/// The key of a client, and the response value that proves that a server understood it (RFC 6455 section 4.2.2).
package enum AcceptKey {
    /// Returns a new `Sec-WebSocket-Key`: sixteen random bytes in base64.
    package static func makeKey(_ random: NetRandom = .system) -> String {
        var bytes = [UInt8](repeating: 0, count: 16)
        bytes.withUnsafeMutableBytes { random.fill($0) }
        return Base64.encode(Bytes(bytes))
    }

    /// Returns the value of `Sec-WebSocket-Accept` for a key; nil if the system has no SHA-1.
    static func accept(for key: String) -> String? {
        let text = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        return RunningHash.digest(of: Bytes(text.utf8), .sha1).map(Base64.encode)
    }

    /// Returns true if a key is 16 bytes in base64, with padding.
    static func isKey(_ text: String) -> Bool {
        guard text.utf8.count == 24, text.hasSuffix("==") else { return false }
        return (try? Base64.decode(Array(text.utf8)[...]).get())?.count == 16
    }
}
