#if Tools
internal import NetCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The placeholder for a hidden secret in a store: `<redacted>` or `<redacted:1f2e3d4c>`, also in the encodings of
/// forms and XML.
enum HiddenMark {
    /// The placeholder without a digest.
    static let plain = "<redacted>"

    private static let word = Array("redacted".utf8)
    private static let brackets = [("<", ":", ">"), ("%3C", "%3A", "%3E"), ("&lt;", ":", "&gt;")].map {
        (start: Array($0.0.utf8), colon: Array($0.1.utf8), end: Array($0.2.utf8))
    }

    /// Returns true if the text contains a placeholder.
    static func isIn(_ text: String) -> Bool { !places(in: Bytes(text.utf8)).isEmpty }

    /// Returns the text with every placeholder replaced by ``plain``: digests from different runs are never equal.
    static func normalized(_ text: String) -> String {
        let bytes = Bytes(text.utf8)
        let normalized = Self.normalized(bytes)
        return normalized.count == bytes.count ? text : String(decoding: normalized, as: UTF8.self)
    }

    /// Returns the bytes with the digest of every placeholder removed.
    static func normalized(_ bytes: Bytes) -> Bytes {
        let marks = places(in: bytes).filter { $0.digest != nil }
        guard !marks.isEmpty else { return bytes }
        var pieces: [Bytes] = []
        var start = 0
        for mark in marks {
            guard let digest = mark.digest else { continue }
            pieces.append(bytes[start..<digest.lowerBound])
            start = digest.upperBound
        }
        pieces.append(bytes[start..<bytes.count])
        return Bytes.join(pieces, count: pieces.reduce(0) { $0 + $1.count })
    }

    /// A placeholder in bytes.
    struct Place {
        var range: Range<Int>
        /// The colon and the digits after it; nil if the placeholder has no digest.
        var digest: Range<Int>?
    }

    /// Returns the placeholders in order.
    ///
    /// Searches with the C library's functions, which are fast in debug builds too.
    static func places(in bytes: Bytes) -> [Place] {
        var places: [Place] = []
        bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            var start = 0
            while start + word.count <= bytes.count,
                let found = memchr(base + start, CInt(word[0]), bytes.count - word.count + 1 - start)
            {
                let offset = UnsafeRawPointer(found) - base
                start = offset + 1
                guard memcmp(found, word, word.count) == 0, let place = place(at: offset, in: bytes) else { continue }
                places.append(place)
                start = place.range.upperBound
            }
        }
        return places
    }

    /// Returns the placeholder whose word begins at the offset; nil if the word isn't in brackets.
    private static func place(at offset: Int, in bytes: UnsafeRawBufferPointer) -> Place? {
        func has(_ text: [UInt8], at start: Int) -> Bool {
            start >= 0 && start + text.count <= bytes.count && text.indices.allSatisfy { bytes[start + $0] == text[$0] }
        }
        let end = offset + word.count
        for bracket in brackets where has(bracket.start, at: offset - bracket.start.count) {
            let start = offset - bracket.start.count
            if has(bracket.end, at: end) { return Place(range: start..<(end + bracket.end.count), digest: nil) }
            let digits = end + bracket.colon.count
            guard has(bracket.colon, at: end), has(bracket.end, at: digits + 8),
                bytes[digits..<(digits + 8)].allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
            else { continue }
            return Place(range: start..<(digits + 8 + bracket.end.count), digest: end..<(digits + 8))
        }
        return nil
    }
}
#endif
