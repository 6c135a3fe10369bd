internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Parses dates as a cache does: case-insensitively (RFC 9111 section 4.2), but strict about blanks.
enum CacheDate {
    static func date(from text: String) -> Date? {
        guard hasSingleBlanks(text) else { return nil }
        return HTTPDate.date(from: text) ?? HTTPDate.date(from: recased(text))
    }

    /// Two consecutive blanks are valid in the asctime form only, before a one-digit day.
    private static func hasSingleBlanks(_ text: String) -> Bool {
        var (previous, place, hasComma) = (UInt8(0), 0, false)
        for byte in text.utf8 {
            if byte == UInt8(ascii: ",") { hasComma = true }
            if byte == 32, previous == 32, place != 8 || hasComma { return false }
            previous = byte
            place += 1
        }
        return previous != 32 && text.utf8.first != 32
    }

    /// Capitalizes each word, and writes `GMT` in capitals.
    private static func recased(_ text: String) -> String {
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map { word -> String in
            if word.lowercased() == "gmt" { return "GMT" }
            var previousIsLetter = false
            let bytes = word.utf8.map { byte -> UInt8 in
                let isLetter = (97...122).contains(byte | 0x20)
                defer { previousIsLetter = isLetter }
                guard isLetter else { return byte }
                return previousIsLetter ? byte | 0x20 : byte & 0xdf
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        return words.joined(separator: " ")
    }
}
