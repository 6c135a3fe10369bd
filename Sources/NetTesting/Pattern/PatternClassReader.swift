/// Reads `[…]` and escapes that represent characters.
enum PatternClassReader {
    /// Reads the set at a position; nil if it isn't terminated.
    static func read(_ scalars: [Unicode.Scalar], _ place: inout Int) -> ScalarSet? {
        var set = ScalarSet(items: [])
        place += 1
        if place < scalars.count, scalars[place] == "^" {
            set.isNegated = true
            place += 1
        }
        while place < scalars.count, scalars[place] != "]" {
            guard let item = member(scalars, &place) else { return nil }
            if case .range(let low) = item, place + 1 < scalars.count, scalars[place] == "-", scalars[place + 1] != "]"
            {
                place += 1
                guard let end = member(scalars, &place) else { return nil }
                guard case .range(let high) = end else {
                    set.items += [item, .range(45...45), end]
                    continue
                }
                guard low.lowerBound <= high.upperBound else { return nil }
                set.items.append(.range(low.lowerBound...high.upperBound))
            } else {
                set.items.append(item)
            }
        }
        guard place < scalars.count else { return nil }
        place += 1
        return set
    }

    private static func member(_ scalars: [Unicode.Scalar], _ place: inout Int) -> ScalarSet.Item? {
        if scalars[place] == "\\" {
            if place + 1 < scalars.count, scalars[place + 1] == "b" {
                place += 2
                return .range(8...8)
            }
            return escape(scalars, &place)
        }
        if scalars[place] == "[", let item = posix(scalars, &place) { return item }
        place += 1
        return .range(scalars[place - 1].value...scalars[place - 1].value)
    }

    /// Reads `[:digit:]` within a set, which isn't ECMAScript but occurs in some documents; nil for anything else. A
    /// class of several ranges, such as `[:space:]`, isn't read.
    private static func posix(_ scalars: [Unicode.Scalar], _ place: inout Int) -> ScalarSet.Item? {
        for (name, ranges) in [("[:digit:]", ScalarSet.digits), ("[:space:]", ScalarSet.space)] {
            if scalars[place...].starts(with: Array(name.unicodeScalars)), let first = ranges.first, ranges.count == 1 {
                place += name.unicodeScalars.count
                return .range(first)
            }
        }
        return nil
    }

    /// Reads the item that `\` and the next characters represent.
    static func escape(_ scalars: [Unicode.Scalar], _ place: inout Int) -> ScalarSet.Item? {
        guard place + 1 < scalars.count else { return nil }
        let letter = scalars[place + 1]
        place += 2
        func single(_ value: UInt32) -> ScalarSet.Item { .range(value...value) }
        switch letter {
        case "d": return .range(48...57)
        case "D": return .complement(ScalarSet.digits)
        case "w": return .complement(ScalarSet.inverted(ScalarSet.word))
        case "W": return .complement(ScalarSet.word)
        case "s": return .complement(ScalarSet.inverted(ScalarSet.space))
        case "S": return .complement(ScalarSet.space)
        case "n": return single(10)
        case "r": return single(13)
        case "t": return single(9)
        case "f": return single(12)
        case "v": return single(11)
        case "0": return single(0)
        case "x": return hex(scalars, &place, count: 2).map(single)
        case "u": return unicode(scalars, &place).map(single)
        case "p", "P": return category(scalars, &place, isNegated: letter == "P")
        case "c":
            guard place < scalars.count else { return nil }
            place += 1
            return single(scalars[place - 1].value % 32)
        default: return single(letter.value)
        }
    }

    private static func unicode(_ scalars: [Unicode.Scalar], _ place: inout Int) -> UInt32? {
        if place < scalars.count, scalars[place] == "{" {
            guard let end = scalars[place...].firstIndex(of: "}"), end - place <= 7 else { return nil }
            let digits = String(String.UnicodeScalarView(scalars[(place + 1)..<end]))
            place = end + 1
            return UInt32(digits, radix: 16)
        }
        guard let first = hex(scalars, &place, count: 4) else { return nil }
        guard (0xD800..<0xDC00).contains(first), place + 1 < scalars.count, scalars[place] == "\\",
            scalars[place + 1] == "u"
        else { return first }
        place += 2
        guard let second = hex(scalars, &place, count: 4), second >= 0xDC00 else { return nil }
        return 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
    }

    private static func hex(_ scalars: [Unicode.Scalar], _ place: inout Int, count: Int) -> UInt32? {
        guard place + count <= scalars.count else { return nil }
        let digits = String(String.UnicodeScalarView(scalars[place..<(place + count)]))
        place += count
        return UInt32(digits, radix: 16)
    }

    private static func category(_ scalars: [Unicode.Scalar], _ place: inout Int, isNegated: Bool) -> ScalarSet.Item? {
        guard place < scalars.count, scalars[place] == "{", let end = scalars[place...].firstIndex(of: "}") else {
            return nil
        }
        let name = String(String.UnicodeScalarView(scalars[(place + 1)..<end]))
        place = end + 1
        let long = ["Letter": "L", "Number": "N", "Punctuation": "P", "Symbol": "S", "Separator": "Z", "Mark": "M"]
        let short = long[name] ?? name
        guard short.unicodeScalars.count <= 2, let first = short.first, "LMNPSZC".contains(first) else { return nil }
        return .category(short, isNegated: isNegated)
    }
}

extension ScalarSet {
    /// The ranges between these sorted ranges.
    static func inverted(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        var result: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges {
            if range.lowerBound > next { result.append(next...(range.lowerBound - 1)) }
            next = range.upperBound + 1
        }
        result.append(next...0x10FFFF)
        return result
    }
}
