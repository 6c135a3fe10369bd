#if Server
internal import NetCore

/// Encodes heads and bodies for a protocol version, valid or invalid: nothing here is checked.
///
/// On HTTP/2, every field is a literal without indexing (RFC 7541 section 6.2.2), so that frames that bypass the
/// connection's own encoder don't change its table.
enum WireFormat: Sendable {
    case http1
    case http2(stream: Int)

    var isHTTP2: Bool { if case .http2 = self { true } else { false } }

    private static let maximumFrameBytes = 16_384

    /// The frame types that faults consist of (RFC 9113 section 6).
    private enum Frame: UInt8 {
        case data = 0
        case headers = 1
        case continuation = 9
    }

    /// A response head; names in lower case.
    func head(_ status: Int, _ fields: [(String, String)], endsStream: Bool = false) -> [UInt8] {
        switch self {
        case .http1:
            Array("HTTP/1.1 \(status) \(status == 200 ? "OK" : "")\r\n".utf8) + lines(fields) + [13, 10]
        case .http2:
            headers([(":status", String(status))] + fields, endsHeaders: true, endsStream: endsStream)
        }
    }

    /// A piece of a body; `isChunked` only affects HTTP/1.1, `endsStream` only HTTP/2.
    func data(_ bytes: [UInt8], isChunked: Bool = false, endsStream: Bool = false) -> [UInt8] {
        switch self {
        case .http1:
            isChunked ? Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10] : bytes
        case .http2:
            frame(.data, flags: endsStream ? 1 : 0, bytes)
        }
    }

    /// The beginning of an unterminated trailer section.
    func startOfTrailers(_ fields: [(String, String)]) -> [UInt8] {
        switch self {
        case .http1: Array("0\r\n".utf8) + lines(fields)
        case .http2: headers(fields, endsHeaders: false, endsStream: true)
        }
    }

    /// More trailer fields, also without an end.
    func moreTrailers(_ fields: [(String, String)]) -> [UInt8] {
        switch self {
        case .http1: lines(fields)
        case .http2: frame(.continuation, flags: 0, Self.literals(fields))
        }
    }

    private func lines(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { Array("\($0.0): \($0.1)\r\n".utf8) }
    }

    /// A HEADERS frame and as many CONTINUATION frames as the fields need.
    private func headers(_ fields: [(String, String)], endsHeaders: Bool, endsStream: Bool) -> [UInt8] {
        var rest = Self.literals(fields)[...]
        var kind = Frame.headers
        var out: [UInt8] = []
        repeat {
            let part = rest.prefix(Self.maximumFrameBytes)
            rest = rest.dropFirst(part.count)
            let ends: UInt8 = kind == .headers && endsStream ? 0x1 : 0
            let isLast: UInt8 = rest.isEmpty && endsHeaders ? 0x4 : 0
            out += frame(kind, flags: ends | isLast, Array(part))
            kind = .continuation
        } while !rest.isEmpty
        return out
    }

    private func frame(_ kind: Frame, flags: UInt8, _ payload: [UInt8]) -> [UInt8] {
        guard case .http2(let stream) = self else { return [] }
        let (count, id) = (payload.count, UInt32(truncatingIfNeeded: stream))
        return [UInt8(truncatingIfNeeded: count >> 16), UInt8(truncatingIfNeeded: count >> 8)]
            + [UInt8(truncatingIfNeeded: count), kind.rawValue, flags]
            + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: id >> UInt32($0)) } + payload
    }

    private static func literals(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { [0] + string($0.0) + string($0.1) }
    }

    /// A string without Huffman coding, with its length as an integer with a 7-bit prefix (RFC 7541 section 5.1).
    private static func string(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        guard bytes.count >= 127 else { return [UInt8(bytes.count)] + bytes }
        var length: [UInt8] = [127]
        var rest = bytes.count - 127
        while rest >= 128 {
            length.append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        return length + [UInt8(rest)] + bytes
    }
}
#endif
