#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The conversion of `JSONDecoder.KeyDecodingStrategy.convertFromSnakeCase`.
enum SnakeCase {
    /// Converts `one_two` to `oneTwo`; leading and trailing underscores stay.
    static func camelCase(_ name: String) -> String {
        guard name.utf8.contains(UInt8(ascii: "_")), let first = name.firstIndex(where: { $0 != "_" }),
            let last = name.lastIndex(where: { $0 != "_" })
        else { return name }
        let words = name[first...last].split(separator: "_")
        guard words.count > 1 else { return name }
        let joined = words[0].lowercased() + words.dropFirst().map(\.capitalized).joined()
        return name[..<first] + joined + name[name.index(after: last)...]
    }
}
