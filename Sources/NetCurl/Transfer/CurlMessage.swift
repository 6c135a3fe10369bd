#if os(Linux)

/// A message of libcurl that says something that none of its callbacks and codes does. libcurl writes messages only if
/// `CURLOPT_VERBOSE` is set.
enum CurlMessage: Equatable {
    /// The request was sent on this stream of an HTTP/2 connection.
    case openedStream(Int)
    /// A GOAWAY arrived on the connection of a transfer.
    case wentAway(lastStream: Int)
    /// The connection of the transfer has ended; it begins again.
    case connectionDied
    /// There are more bytes than belong to the response.
    case excess

    /// Reads a message; nil for one of the many others.
    init?(_ text: UnsafeRawBufferPointer) {
        switch text.first {
        // 7.81 to 8.2. 7.81 writes hexadecimal digits, but doesn't report a GOAWAY.
        case UInt8(ascii: "U"):
            guard let stream = Self.number(in: text, after: "Using Stream ID: ") else { return nil }
            self = .openedStream(stream)
        case UInt8(ascii: "["):
            guard let stream = Self.number(in: text, after: "[HTTP/2] ["), Self.find("] OPENED", in: text) != nil else {
                return nil
            }
            self = .openedStream(stream)
        // "recveived" in 7.88, "received" since 8.0.
        case UInt8(ascii: "r"):
            guard Self.find("ed GOAWAY, ", in: text) != nil, let last = Self.number(in: text, after: "last_stream=")
            else { return nil }
            self = .wentAway(lastStream: last)
        case UInt8(ascii: "C"):
            guard Self.find("Connection died", in: text) == 0 else { return nil }
            self = .connectionDied
        case UInt8(ascii: "E"):
            guard Self.find("Excess found", in: text) == 0 else { return nil }
            self = .excess
        default: return nil
        }
    }

    /// True if a request that libcurl has written is one over HTTP/1. A proxy is asked for a tunnel over HTTP/1, whatever
    /// follows through it.
    static func isHTTP1(_ head: UnsafeRawBufferPointer) -> Bool {
        guard let end = head.firstIndex(of: UInt8(ascii: "\n")), end >= 9, !head.starts(with: "CONNECT ".utf8) else {
            return false
        }
        return head[(end - 9)..<(end - 2)].elementsEqual("HTTP/1.".utf8)
    }

    /// Returns the number that follows the first occurrence of a text.
    private static func number(in text: UnsafeRawBufferPointer, after prefix: StaticString) -> Int? {
        guard let start = find(prefix, in: text) else { return nil }
        var number: Int?
        for byte in text[(start + prefix.utf8CodeUnitCount)...] {
            guard case 0x30...0x39 = byte else { break }
            let (larger, overflows) = (number ?? 0).multipliedReportingOverflow(by: 10)
            guard !overflows, larger < Int(Int32.max) else { return nil }
            number = larger + Int(byte - 0x30)
        }
        return number
    }

    /// Returns the first place at which a text occurs.
    private static func find(_ part: StaticString, in text: UnsafeRawBufferPointer) -> Int? {
        let count = part.utf8CodeUnitCount
        return part.withUTF8Buffer { part in
            guard text.count >= count else { return nil }
            return (0...text.count - count).first { start in
                text[start..<start + count].elementsEqual(part)
            }
        }
    }
}
#endif
