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
    /// The minimum length in bytes; a shorter secret may be part of ordinary words.
    static let shortest = 8
    private static let maximumCount = 256

    /// The secrets in each form (``SecretForms``), longest first: one that contains another is hidden as a whole.
    private var forms: [[UInt8]] = []

    var isEmpty: Bool { forms.isEmpty }

    /// Adds the secrets in the headers and the query of a request that isn't redacted yet.
    ///
    /// - Parameter hasCookies: Pass false to ignore cookies: most aren't secrets and may be ordinary words.
    mutating func note(_ request: CapturedExchange.Request, hasCookies: Bool = true, by policy: RedactionPolicy) {
        for field in request.headers where policy.isSensitive(field.name) {
            if field.name == .cookie {
                guard hasCookies else { continue }
                for pair in field.value.split(separator: ";") {
                    if let equals = pair.firstIndex(of: "=") { note(pair[pair.index(after: equals)...], by: policy) }
                }
            } else {
                for part in SecretForms.parts(ofCredential: field.value) { note(part, by: policy) }
            }
        }
        let query = request.url.firstIndex(of: "?").map { request.url[request.url.index(after: $0)...] } ?? ""
        for item in query.split(separator: "&") {
            guard let equals = item.firstIndex(of: "=") else { continue }
            let (name, value) = (item[..<equals], item[item.index(after: equals)...])
            guard policy.isSensitive(formName: PercentEncoding.decode(name, plusIsSpace: true)) else { continue }
            note(value, by: policy)
            note(PercentEncoding.decode(value, plusIsSpace: true), by: policy)
        }
    }

    /// Adds a secret, unless it is the replacement of one.
    mutating func note(_ secret: some StringProtocol, by policy: RedactionPolicy) {
        guard !policy.isHidden(secret), !policy.placeholder.contains(secret) else { return }
        note(String(secret))
    }

    /// Adds a secret.
    mutating func note(_ secret: String) {
        guard secret.utf8.count >= Self.shortest else { return }
        for form in SecretForms.all(of: secret).map({ Array($0.utf8) })
        where forms.count < Self.maximumCount && !forms.contains(form) {
            forms.append(form)
        }
        forms.sort { $0.count > $1.count }
    }

    /// Returns the edits that hide the secrets, in order.
    func edits(in bytes: UnsafeRawBufferPointer, by policy: RedactionPolicy) -> [BodyEdit] {
        var edits: [BodyEdit] = []
        for secret in forms {
            let found = Self.ranges(of: secret, in: bytes)
            if found.isEmpty { continue }
            let hidden = Array(policy.hidden(secret))
            edits += found.map { BodyEdit(range: $0, replacement: hidden) }
        }
        return edits.withoutOverlaps
    }

    /// Searches with the C library's functions, which are fast in debug builds too.
    private static func ranges(of secret: [UInt8], in bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        guard let first = secret.first, let base = bytes.baseAddress else { return [] }
        var ranges: [Range<Int>] = []
        var start = 0
        while start + secret.count <= bytes.count,
            let found = memchr(base + start, CInt(first), bytes.count - secret.count + 1 - start)
        {
            let offset = UnsafeRawPointer(found) - base
            let isSecret = memcmp(found, secret, secret.count) == 0
            if isSecret { ranges.append(offset..<offset + secret.count) }
            start = offset + (isSecret ? secret.count : 1)
        }
        return ranges
    }

    /// The number of bytes at the end of truncated bytes that are the beginning of a secret.
    func beginning(atEndOf bytes: UnsafeRawBufferPointer) -> Int {
        for secret in forms {
            let lengths = stride(from: min(secret.count - 1, bytes.count), to: 3, by: -1)
            if let length = lengths.first(where: { bytes.suffix($0).elementsEqual(secret.prefix($0)) }) {
                return length
            }
        }
        return 0
    }
}
