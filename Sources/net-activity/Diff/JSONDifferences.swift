#if Tools
internal import NetCore

/// The differences between two JSON values, in the order of their paths.
///
/// Values that are hidden on either side aren't compared.
struct JSONDifferences {
    /// The first differences.
    private(set) var found: [BodyDifference] = []
    /// The total number of differences.
    private(set) var count = 0
    /// The number of values that weren't compared because they are hidden.
    private(set) var hidden = 0
    private let limit: Int
    /// The maximum number of characters of a value that are rendered to find the part that differs.
    private static let readCharacters = 1 << 20

    init(_ old: JSONTree, _ new: JSONTree, limit: Int) {
        self.limit = limit
        compare(old, new, "$")
    }

    private mutating func compare(_ old: JSONTree, _ new: JSONTree, _ path: String) {
        if Self.isHidden(old) || Self.isHidden(new) {
            hidden += 1
            return
        }
        switch (old, new) {
        case (.object(let old), .object(let new)):
            for key in Set(old.keys).union(new.keys).sorted() { compare(old[key], new[key], path + Self.step(key)) }
        case (.array(let old), .array(let new)): compare(old, new, path)
        default: if old != new { add(path, old, new) }
        }
    }

    private mutating func compare(_ old: JSONTree?, _ new: JSONTree?, _ path: String) {
        if let old, let new { compare(old, new, path) } else { add(path, old, new) }
    }

    /// Compares elements by index. If the lengths differ, skips the equal elements at both ends.
    private mutating func compare(_ old: [JSONTree], _ new: [JSONTree], _ path: String) {
        var (start, end) = (0, 0)
        if old.count != new.count {
            let shorter = min(old.count, new.count)
            while start < shorter, old[start] == new[start] { start += 1 }
            while end < shorter - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
        }
        for index in start..<max(old.count - end, new.count - end) {
            compare(
                index < old.count - end ? old[index] : nil, index < new.count - end ? new[index] : nil,
                path + "[\(index)]")
        }
    }

    private mutating func add(_ path: String, _ old: JSONTree?, _ new: JSONTree?) {
        count += 1
        guard found.count < limit else { return }
        found.append(
            BodyDifference(path, old: old?.text(limit: Self.readCharacters), new: new?.text(limit: Self.readCharacters))
        )
    }

    /// Returns true if the value is a text that contains a placeholder.
    private static func isHidden(_ value: JSONTree) -> Bool {
        guard case .string(let text) = value else { return false }
        return HiddenMark.isIn(text)
    }

    /// Returns `.name`, or `["a name"]` if the key can't follow a dot.
    static func step(_ key: String) -> String {
        let isPlain =
            key.utf8.first.map { !(48...57).contains($0) } ?? false
            && key.utf8.allSatisfy {
                (48...57).contains($0) || (97...122).contains($0 | 0x20) || $0 == UInt8(ascii: "_")
            }
        return isPlain ? ".\(key)" : "[\(TerminalText.clean(JSONTree.quoted(String(key.prefix(100)))))]"
    }
}
#endif
