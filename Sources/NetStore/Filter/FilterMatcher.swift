/// Compares UTF-8 text with a pattern case-insensitively: ASCII letters byte by byte, others by Unicode's lowercase
/// mappings.
///
/// Backtracks only to the last `*`: matching takes at most pattern times text steps, and allocates nothing.
struct FilterMatcher: Sendable {
    /// The lowercase text to search for; nil if there are wildcards.
    private let needle: [UInt8]?
    /// The pattern with wildcards: lowercase bytes, and the two wildcard constants.
    private let units: [UInt16]
    /// True if the pattern contains letters beyond ASCII; the text is then lowercased first.
    private let isBeyondASCII: Bool

    private static let one: UInt16 = 256
    private static let any: UInt16 = 257

    init(_ tokens: [FilterPattern.Token]) {
        var units: [UInt16] = []
        var literal = String.UnicodeScalarView()
        var isBeyondASCII = false
        func flush() {
            for byte in String(literal).lowercased().utf8 {
                units.append(UInt16(byte))
                if byte >= 0x80 { isBeyondASCII = true }
            }
            literal = String.UnicodeScalarView()
        }
        for token in tokens {
            switch token {
            case .literal(let scalar): literal.append(scalar)
            case .one:
                flush()
                units.append(Self.one)
            case .any:
                flush()
                units.append(Self.any)
            }
        }
        flush()
        self.isBeyondASCII = isBeyondASCII
        // `*text*` is searched for anywhere, like a pattern without `*`.
        let isWithin =
            !units.contains(Self.any) || (units.count > 1 && units.first == Self.any && units.last == Self.any)
        let inner = units.contains(Self.any) ? Array(units.dropFirst().dropLast()) : units
        if isWithin, inner.allSatisfy({ $0 < Self.one }) {
            needle = inner.map { UInt8(truncatingIfNeeded: $0) }
            self.units = []
        } else {
            needle = nil
            self.units = units.contains(Self.any) ? units : [Self.any] + units + [Self.any]
        }
    }

    func matches(_ text: UnsafeRawBufferPointer) -> Bool {
        guard isBeyondASCII else { return matchesFolded(text) }
        guard text.contains(where: { $0 >= 0x80 }) else { return false }
        var lowercase = String(decoding: text, as: UTF8.self).lowercased()
        return lowercase.withUTF8 { matchesFolded(UnsafeRawBufferPointer($0)) }
    }

    private func matchesFolded(_ text: UnsafeRawBufferPointer) -> Bool {
        if let needle { return needle.withUnsafeBytes { Self.contains(text, $0) } }
        return units.withUnsafeBufferPointer { Self.matches(text, $0) }
    }

    /// Lowercases an ASCII letter; returns other bytes unchanged.
    @inline(__always) private static func folded(_ byte: UInt8) -> UInt8 {
        byte &- 65 < 26 ? byte | 0x20 : byte
    }

    /// Scans eight positions at a time: compares the other bytes only where the first two match, in either case.
    private static func contains(_ text: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer) -> Bool {
        guard let first = needle.first else { return true }
        guard text.count >= needle.count else { return false }
        let second = needle.count > 1 ? 1 : 0
        let (ones, cases): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x2020_2020_2020_2020)
        let firsts = UInt64(first | 0x20) &* ones
        let seconds = UInt64(needle[second] | 0x20) &* ones
        let places = text.count - needle.count + 1
        var start = 0
        while start < places, start + second + 8 <= text.count {
            let bytes = text.loadUnaligned(fromByteOffset: start, as: UInt64.self)
            let next = text.loadUnaligned(fromByteOffset: start + second, as: UInt64.self)
            // A byte of the difference is zero where both match: only then the borrow sets the byte's highest bit.
            let difference = ((bytes | cases) ^ firsts) | ((next | cases) ^ seconds)
            if (difference &- ones) & ~difference & (ones << 7) != 0 {
                for place in start..<min(start + 8, places) where begins(text, at: place, with: needle) { return true }
            }
            start += 8
        }
        while start < places {
            if begins(text, at: start, with: needle) { return true }
            start += 1
        }
        return false
    }

    @inline(__always) private static func begins(
        _ text: UnsafeRawBufferPointer, at start: Int, with needle: UnsafeRawBufferPointer
    ) -> Bool {
        var offset = 0
        while offset < needle.count, folded(text[start + offset]) == needle[offset] { offset += 1 }
        return offset == needle.count
    }

    private static func matches(_ text: UnsafeRawBufferPointer, _ units: UnsafeBufferPointer<UInt16>) -> Bool {
        var place = 0
        var index = 0
        var star: (index: Int, place: Int)?
        while place < text.count {
            if index < units.count, units[index] == any {
                star = (index, place)
                index += 1
            } else if index < units.count, units[index] == one {
                index += 1
                place += 1
                // Skips continuation bytes of the character.
                while place < text.count, text[place] & 0xc0 == 0x80 { place += 1 }
            } else if index < units.count, units[index] == UInt16(folded(text[place])) {
                index += 1
                place += 1
            } else if let last = star {
                star = (last.index, last.place + 1)
                (index, place) = (last.index + 1, last.place + 1)
            } else {
                return false
            }
        }
        return units[index...].allSatisfy { $0 == any }
    }
}
