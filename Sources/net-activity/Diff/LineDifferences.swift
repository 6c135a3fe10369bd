#if Tools
/// The differing lines of two texts.
struct LineDifferences {
    /// The maximum number of lines for which the shortest list of changes is computed.
    private static let maximumLines = 2000

    /// The first differences.
    private(set) var found: [BodyDifference] = []
    /// The total number of differences.
    private(set) var count = 0
    private let limit: Int

    init(_ old: String, _ new: String, limit: Int) {
        self.limit = limit
        let (old, new) = (Self.lines(old), Self.lines(new))
        let shorter = min(old.count, new.count)
        var (start, end) = (0, 0)
        while start < shorter, old[start] == new[start] { start += 1 }
        while end < shorter - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
        compare(old[start..<(old.count - end)], new[start..<(new.count - end)])
    }

    private mutating func compare(_ old: ArraySlice<Substring>, _ new: ArraySlice<Substring>) {
        var (removed, inserted) = (Set(old.indices), Set(new.indices))
        if old.count + new.count <= Self.maximumLines {
            (removed, inserted) = ([], [])
            for change in new.difference(from: old) {
                switch change {
                case .remove(let offset, _, _): removed.insert(old.startIndex + offset)
                case .insert(let offset, _, _): inserted.insert(new.startIndex + offset)
                }
            }
        }
        var (first, second) = (old.startIndex, new.startIndex)
        while first < old.endIndex || second < new.endIndex {
            let (isGone, isNew) = (removed.contains(first), inserted.contains(second))
            if isGone || isNew { add(isGone ? first : second, isGone ? old[first] : nil, isNew ? new[second] : nil) }
            if isGone || !isNew { first += 1 }
            if isNew || !isGone { second += 1 }
        }
    }

    private mutating func add(_ index: Int, _ old: Substring?, _ new: Substring?) {
        count += 1
        guard found.count < limit else { return }
        found.append(
            BodyDifference("line \(Figures.grouped(index + 1))", old: old.map(Self.shown), new: new.map(Self.shown)))
    }

    private static func shown(_ line: Substring) -> String {
        JSONTree.quoted(String(line))
    }

    private static func lines(_ text: String) -> [Substring] {
        // Splits by bytes, since CR LF is a single Character.
        text.utf8.split(separator: 10, omittingEmptySubsequences: false).map { Substring($0) }
    }
}
#endif
