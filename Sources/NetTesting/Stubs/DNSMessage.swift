internal import NetCore

/// A DNS question and the response to it, as sent over HTTPS (RFC 1035 section 4, RFC 8484).
struct DNSMessage {
    private let bytes: [UInt8]
    /// The end of the question section.
    private let end: Int
    let name: String
    /// 1 for IPv4 addresses, 28 for IPv6.
    let type: UInt16

    /// Reads a message with one question; nil for anything else.
    init?(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count > 12, bytes[4] == 0, bytes[5] == 1 else { return nil }
        var labels: [String] = []
        var place = 12
        while place < bytes.count, bytes[place] != 0 {
            let length = Int(bytes[place])
            guard length < 64, place + length < bytes.count else { return nil }
            labels.append(String(decoding: bytes[(place + 1)...(place + length)], as: UTF8.self))
            place += length + 1
        }
        guard place + 5 <= bytes.count else { return nil }
        self.bytes = bytes
        end = place + 5
        name = labels.joined(separator: ".")
        type = UInt16(bytes[place + 1]) << 8 | UInt16(bytes[place + 2])
    }

    /// The response message.
    func response(_ answer: NameScript.Answer) -> Bytes {
        var (code, type, records): (UInt8, UInt16, [[UInt8]]) = (0, type, [])
        switch answer {
        case .addresses(let texts) where type == 1: records = texts.compactMap(Self.ipv4)
        case .addresses(let texts) where type == 28: records = texts.compactMap(Self.ipv6)
        case .addresses: break
        case .alias(let name):
            type = 5
            records = [
                name.split(separator: ".").flatMap { [UInt8($0.utf8.count & 63)] + Array($0.utf8.prefix(63)) } + [0]
            ]
        case .noSuchName: code = 3
        case .failure: code = 2
        case .garbage: return Bytes("garbage".utf8)
        }
        var message = Array(bytes[0..<2]) + [0x81, 0x80 | code, 0, 1, 0, UInt8(records.count), 0, 0, 0, 0]
        message += bytes[12..<end]
        for record in records {
            // The name of the question, the type, class IN, and a time to live of zero.
            message +=
                [0xc0, 12, UInt8(type >> 8), UInt8(type & 255), 0, 1, 0, 0, 0, 0, 0, UInt8(record.count)] + record
        }
        return Bytes(message)
    }

    private static func ipv4(_ text: String) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).compactMap { UInt8($0) }
        return parts.count == 4 ? parts : nil
    }

    private static func ipv6(_ text: String) -> [UInt8]? {
        guard text.contains(":") else { return nil }
        let halves = text.split(separator: "::", maxSplits: 1, omittingEmptySubsequences: false).map { half in
            half.split(separator: ":").map { UInt16($0, radix: 16) }
        }
        let groups = halves.flatMap { $0 }
        guard groups.allSatisfy({ $0 != nil }), halves.count == 2 ? groups.count < 8 : groups.count == 8 else {
            return nil
        }
        let zeros = [UInt16](repeating: 0, count: 8 - groups.count)
        let first = halves[0].compactMap(\.self)
        let last = halves.count == 2 ? halves[1].compactMap(\.self) : []
        return (first + zeros + last).flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    }
}

extension Stub {
    /// A server that resolves names over HTTPS (RFC 8484), by `POST` and `GET`.
    ///
    /// - Parameters:
    ///   - names: The script for the names.
    ///   - path: Default `/dns-query`.
    public static func dnsOverHTTPS(_ names: NameScript, at path: PathTemplate = "/dns-query") -> Stub {
        Stub(nil, path) { request in
            let bytes = request.method == .get ? base64(request.queryValue("dns") ?? "") : Array(request.body)
            guard let question = DNSMessage(bytes) else { return .status(.badRequest) }
            let answer = names.answer(question.name, question.type)
            return StubResponse(
                headers: [.contentType: "application/dns-message"], body: .bytes(question.response(answer)))
        }
    }

    /// Decodes base64url without padding (RFC 4648 section 5); returns no bytes for invalid text.
    private static func base64(_ text: String) -> [UInt8] {
        var (bytes, bits, count): ([UInt8], UInt32, Int) = ([], 0, 0)
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        for letter in text.utf8 {
            guard let value = letters.firstIndex(of: letter) else { return [] }
            (bits, count) = (bits << 6 | UInt32(value), count + 6)
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }
}
