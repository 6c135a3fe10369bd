internal import NetCore

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The dates of HAR files: ISO 8601, as programs write it.
package enum HARDate {
    /// Returns a date, and whether its offset from UTC is missing, which counts as none; nil for other text.
    ///
    /// | text | |
    /// |---|---|
    /// | `2026-03-01T10:00:00.123Z` | RFC 3339 |
    /// | `…+0530`, `…+05` | the offset without a colon (Logger++ 3.19.1), or without minutes |
    /// | `…T10:00Z` | without seconds |
    /// | `…T10:00:00` | without an offset |
    package static func read(_ text: String) -> (date: Date, isWithoutOffset: Bool)? {
        if let date = RFC3339.date(from: text) { return (date, false) }
        let bytes = Array(text.utf8)
        guard bytes.count > 11, let day = String(validating: bytes[..<10], as: UTF8.self) else { return nil }
        let rest = bytes[11...]
        let zone = rest.firstIndex {
            [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "Z"), UInt8(ascii: "z")].contains($0)
        }
        guard var clock = String(validating: rest[..<(zone ?? rest.endIndex)], as: UTF8.self),
            var offset = String(validating: rest[(zone ?? rest.endIndex)...], as: UTF8.self)
        else { return nil }
        clock = clock.replacing(",", with: ".")
        if clock.utf8.count == 5 { clock += ":00" }
        switch offset.utf8.count {
        case 0: offset = "Z"
        case 3: offset += ":00"
        case 5 where !offset.contains(":"): offset = "\(offset.prefix(3)):\(offset.suffix(2))"
        default: break
        }
        return RFC3339.date(from: "\(day)T\(clock)\(offset)").map { ($0, zone == nil) }
    }
}
