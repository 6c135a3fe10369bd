internal import HTTPTypes

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Secrets that were sent to a peer, to be found again if the peer repeats them.
struct KnownSecrets: Sendable {
    private static let maximumCount = 64

    private let policy: RedactionPolicy
    /// The minimum length; a shorter secret may be part of ordinary words.
    private let shortest: Int
    /// The secrets, longest first: one that contains another is hidden as a whole.
    private var secrets: [[UInt8]] = []

    init(policy: RedactionPolicy, shortest: Int = 8) {
        self.policy = policy
        self.shortest = shortest
    }

    /// Adds the secrets in the headers and the query of a request that isn't redacted yet.
    ///
    /// - Parameter hasCookies: Pass false to ignore cookies: most aren't secrets and may be ordinary words.
    mutating func note(_ request: CapturedExchange.Request, hasCookies: Bool = true) {
        for field in request.headers where policy.isSensitive(field.name) && (hasCookies || field.name != .cookie) {
            note(field.value)
            // An authentication scheme and its token; cookies and parameters with their names.
            for word in field.value.split(whereSeparator: { " ,;".contains($0) }) {
                note(word)
                if let equals = word.firstIndex(of: "=") { note(word[word.index(after: equals)...]) }
            }
        }
        let query = request.url.firstIndex(of: "?").map { request.url[request.url.index(after: $0)...] } ?? ""
        for item in query.split(separator: "&") {
            guard let equals = item.firstIndex(of: "=") else { continue }
            let (name, value) = (item[..<equals], item[item.index(after: equals)...])
            guard policy.isSensitive(formName: PercentEncoding.decode(name, plusIsSpace: true)) else { continue }
            note(value)
            note(PercentEncoding.decode(value, plusIsSpace: true))
        }
    }

    mutating func note(_ secret: some StringProtocol) { note(Array(secret.utf8)) }

    mutating func note(_ secret: [UInt8]) {
        guard secret.count >= shortest, secrets.count < Self.maximumCount, !secrets.contains(secret),
            Array(policy.placeholder.utf8).firstRange(of: secret) == nil,
            !policy.isHidden(String(decoding: secret, as: UTF8.self))
        else { return }
        secrets.append(secret)
        secrets.sort { $0.count > $1.count }
    }

    /// Returns the edits that hide the secrets, in order.
    func edits(in bytes: [UInt8]) -> [BodyEdit] {
        var edits: [BodyEdit] = []
        for secret in secrets {
            let hidden = Array(policy.hidden(secret))
            for range in Self.ranges(of: secret, in: bytes) where !edits.contains(where: { $0.range.overlaps(range) }) {
                edits.append(BodyEdit(range: range, replacement: hidden))
            }
        }
        return edits.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// Searches with the C library's functions, which are fast in debug builds too.
    private static func ranges(of secret: [UInt8], in bytes: [UInt8]) -> [Range<Int>] {
        guard let first = secret.first else { return [] }
        var ranges: [Range<Int>] = []
        bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            var start = 0
            while start + secret.count <= bytes.count,
                let found = memchr(base + start, CInt(first), bytes.count - secret.count + 1 - start)
            {
                let offset = UnsafeRawPointer(found) - base
                let isSecret = memcmp(found, secret, secret.count) == 0
                if isSecret { ranges.append(offset..<offset + secret.count) }
                start = offset + (isSecret ? secret.count : 1)
            }
        }
        return ranges
    }

    /// Hides the beginning of a secret at the end of truncated bytes.
    func hidingCut(in bytes: [UInt8]) -> [UInt8] {
        for secret in secrets {
            let lengths = stride(from: min(secret.count - 1, bytes.count), to: 3, by: -1)
            if let length = lengths.first(where: { bytes.suffix($0).elementsEqual(secret.prefix($0)) }) {
                return bytes.dropLast(length) + policy.placeholder.utf8
            }
        }
        return bytes
    }
}
