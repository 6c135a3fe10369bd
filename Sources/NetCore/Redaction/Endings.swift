/// Ends of names, to be found in a name at the cost of one or two lookups: by their last six bytes, or by the last three of
/// shorter ones.
struct Endings: Sendable {
    private var long: [UInt64: [String]] = [:]
    private var short: [UInt64: [String]] = [:]

    init(_ names: some Sequence<String>) {
        for name in Set(names.map(SensitiveName.folded)) {
            if let key = Self.key(name.utf8[...], 6) {
                long[key, default: []].append(name)
            } else if let key = Self.key(name.utf8[...], 3) {
                short[key, default: []].append(name)
            }
        }
    }

    /// Returns an ending of the name that satisfies a condition.
    func first(of name: Substring.UTF8View, where isChosen: (String) -> Bool = { _ in true }) -> String? {
        func isEnding(_ ending: String) -> Bool {
            let count = ending.utf8.count
            return name.count >= count && name.suffix(count).elementsEqual(ending.utf8) && isChosen(ending)
        }
        guard let last = Self.key(name, 3) else { return nil }
        if let found = short[last]?.first(where: isEnding) { return found }
        return Self.key(name, 6).flatMap { long[$0]?.first(where: isEnding) }
    }

    /// The last bytes of a name as a number; nil if it has fewer.
    private static func key(_ name: Substring.UTF8View, _ count: Int) -> UInt64? {
        let tail = name.suffix(count)
        return tail.count == count ? tail.reduce(0) { $0 << 8 | UInt64($1) } : nil
    }
}
