internal import HTTPTypes

extension CapturedExchange.Response {
    /// Removes `Content-Encoding` if the body was decoded before it was recorded, as transports and browsers do. A
    /// server that sends the response again would otherwise declare a coding that the body doesn't have.
    package mutating func dropDecodedCoding() {
        guard let coding = headers[.contentEncoding], body.keptCount > 0, !body.isCoded(coding) else { return }
        headers[.contentEncoding] = nil
    }
}

extension CapturedBody {
    /// Returns true if the bytes seem to have the coding: for gzip (RFC 1952) and zlib (RFC 1950), based on the first
    /// two bytes; for any other coding, if the bytes aren't text.
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

    /// Returns the body; omits its bytes if they have a content coding, because redaction can't read them.
    func readable(_ headers: HTTPFields) -> CapturedBody {
        guard let coding = headers[.contentEncoding], coding.lowercased() != "identity", keptCount > 0 else {
            return self
        }
        return withoutBytes
    }
}
