internal import HTTPTypes

extension CapturedExchange.Response {
    /// Takes `Content-Encoding` out where the body was decoded on its way into the recording, as transports and browsers
    /// do: a server that sends it again would say what isn't so.
    package mutating func dropDecodedCoding() {
        guard let coding = headers[.contentEncoding], body.keptCount > 0, !body.isCoded(coding) else { return }
        headers[.contentEncoding] = nil
    }
}

extension CapturedBody {
    /// Returns whether the bytes look as the coding says: by their first two for gzip (RFC 1952) and zlib (RFC 1950), else
    /// by not being text.
    func isCoded(_ coding: String) -> Bool {
        let bytes = bytes
        guard bytes.count >= 2 else { return false }
        let (first, second) = (Int(bytes[0]), Int(bytes[1]))
        if first == 0x1f, second == 0x8b { return true }
        switch coding.lowercased() {
        case "gzip", "x-gzip": return false
        case "deflate": return first & 0x0f == 8 && (first << 8 + second) % 31 == 0
        default: return String(validating: isCut ? Self.whole(bytes) : bytes, as: UTF8.self) == nil
        }
    }

    /// Returns UTF-8 without the character that was cut at its end.
    private static func whole(_ bytes: Bytes) -> Bytes {
        let tail = bytes.suffix(4)
        guard let lead = tail.lastIndex(where: { $0 & 0xc0 != 0x80 }), bytes[lead] >= 0xc0 else { return bytes }
        return bytes[0..<lead]
    }

    /// Returns the body; without its bytes if they're in a content coding, which redaction can't look into.
    func readable(_ headers: HTTPFields) -> CapturedBody {
        guard let coding = headers[.contentEncoding], coding.lowercased() != "identity", keptCount > 0 else {
            return self
        }
        return withoutBytes
    }
}
