#if Tools
internal import NetCore
internal import NetStore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Hides values given on the command line wherever a response repeats them.
///
/// Applied to both sides of a comparison, so that hiding makes no difference.
struct SecretScrubber {
    /// The minimum length of a hidden value: shorter ones occur within ordinary words.
    static let shortest = 4

    /// The longest values first: a value that contains another is hidden as a whole.
    private let secrets: [[UInt8]]

    init(_ secrets: [String]) {
        let encoded = secrets.map { PercentEncoding.encode($0) }
        self.secrets = Set((secrets + encoded).map { Array($0.utf8) }).filter { $0.count >= Self.shortest }
            .sorted { $0.count > $1.count }
    }

    func text(_ text: String) -> String {
        guard !secrets.isEmpty else { return text }
        let bytes = self.bytes(Bytes(text.utf8))
        return bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    func bytes(_ bytes: Bytes) -> Bytes {
        var result = bytes
        for secret in secrets { result = Self.replacing(secret, in: result) }
        return result
    }

    func call(_ call: ComparedCall) -> ComparedCall {
        guard !secrets.isEmpty else { return call }
        var call = call
        call.url = text(call.url)
        call.responseHeaders = call.responseHeaders?.map(field)
        call.trailers = call.trailers?.map(field)
        if let body = call.responseBody { call.responseBody?.bytes = bytes(body.bytes) }
        return call
    }

    private func field(_ field: StoredExchange.Field) -> StoredExchange.Field {
        StoredExchange.Field(name: text(field.name), value: text(field.value))
    }

    private static func replacing(_ secret: [UInt8], in bytes: Bytes) -> Bytes {
        var pieces: [Bytes] = []
        var end = 0
        for start in places(of: secret, in: bytes) {
            pieces += [bytes[end..<start], Bytes(HiddenMark.plain.utf8)]
            end = start + secret.count
        }
        guard end > 0 else { return bytes }
        pieces.append(bytes[end..<bytes.count])
        return Bytes.join(pieces, count: pieces.reduce(0) { $0 + $1.count })
    }

    /// Searches with the C library's functions, which are fast in debug builds too.
    private static func places(of secret: [UInt8], in bytes: Bytes) -> [Int] {
        bytes.withUnsafeBytes { bytes in
            var places: [Int] = []
            guard let base = bytes.baseAddress else { return places }
            var start = 0
            while start + secret.count <= bytes.count,
                let found = memchr(base + start, CInt(secret[0]), bytes.count - secret.count + 1 - start)
            {
                let offset = UnsafeRawPointer(found) - base
                let isSecret = memcmp(found, secret, secret.count) == 0
                if isSecret { places.append(offset) }
                start = offset + (isSecret ? secret.count : 1)
            }
            return places
        }
    }
}
#endif
