internal import HTTPTypes
internal import NetCore

extension RecordedExchange.Response {
    /// Takes `Content-Encoding` out where the body was decoded on its way into the recording, as transports and browsers
    /// do: a server that sends it again would say what is not so.
    package mutating func dropDecodedCoding() {
        guard let coding = headers[.contentEncoding], body.count > 0, !Self.isCoded(body.bytes, coding) else { return }
        headers[.contentEncoding] = nil
    }

    /// Whether the bytes look as the coding says: by their first two for gzip (RFC 1952) and zlib (RFC 1950), else by not
    /// being text.
    private static func isCoded(_ bytes: Bytes, _ coding: String) -> Bool {
        guard bytes.count >= 2 else { return false }
        let (first, second) = (Int(bytes[0]), Int(bytes[1]))
        if first == 0x1f, second == 0x8b { return true }
        switch coding.lowercased() {
        case "gzip", "x-gzip": return false
        case "deflate": return first & 0x0f == 8 && (first << 8 + second) % 31 == 0
        default: return String(validating: bytes, as: UTF8.self) == nil
        }
    }
}
