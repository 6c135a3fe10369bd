/// The existing bytes of a file: ordered ranges that neither overlap nor touch.
package struct ByteRanges: Sendable, Hashable {
    /// The ranges; none is empty, and there is a gap between each two.
    package private(set) var ranges: [Range<Int64>] = []

    package init() {}

    /// Creates the union of ranges in any order.
    package init(_ ranges: some Sequence<Range<Int64>>) {
        for range in ranges { insert(range) }
    }

    package var isEmpty: Bool { ranges.isEmpty }

    /// The number of bytes.
    package var count: Int64 { ranges.reduce(0) { $0 + Int64($1.count) } }

    /// The end of the contiguous bytes from the beginning of the file; 0 if the first byte is missing.
    package var prefixEnd: Int64 { ranges.first.map { $0.lowerBound == 0 ? $0.upperBound : 0 } ?? 0 }

    /// The end of the last range; 0 if there is none.
    package var end: Int64 { ranges.last?.upperBound ?? 0 }

    /// Adds the bytes of a range; bytes that already exist aren't counted twice. Ignores an empty range.
    package mutating func insert(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        // Nearly every range continues the previous one.
        let start = place(of: range.lowerBound)
        var end = start
        var joined = range
        while end < ranges.count, ranges[end].lowerBound <= joined.upperBound {
            let lower = min(joined.lowerBound, ranges[end].lowerBound)
            joined = lower..<max(joined.upperBound, ranges[end].upperBound)
            end += 1
        }
        if end == start + 1 { ranges[start] = joined } else { ranges.replaceSubrange(start..<end, with: [joined]) }
    }

    /// Adds the bytes of other ranges.
    package mutating func formUnion(_ other: ByteRanges) {
        for range in other.ranges { insert(range) }
    }

    /// Removes the bytes from an offset to the end.
    package mutating func removeAll(from end: Int64) {
        ranges.removeAll { $0.lowerBound >= end }
        if let last = ranges.last, last.upperBound > end { ranges[ranges.count - 1] = last.lowerBound..<end }
    }

    /// Returns true if all bytes of a range exist; also for an empty range.
    package func contains(_ range: Range<Int64>) -> Bool {
        guard !range.isEmpty else { return true }
        let place = place(of: range.lowerBound)
        guard place < ranges.count else { return false }
        return ranges[place].lowerBound <= range.lowerBound && ranges[place].upperBound >= range.upperBound
    }

    /// Returns the missing ranges before `length`.
    package func gaps(upTo length: Int64) -> [Range<Int64>] {
        var gaps: [Range<Int64>] = []
        var start: Int64 = 0
        for range in ranges where start < length {
            let end = min(range.lowerBound, length)
            if start < end { gaps.append(start..<end) }
            start = range.upperBound
        }
        if start < length { gaps.append(start..<length) }
        return gaps
    }

    /// The index of the first range that ends at or after `offset`.
    private func place(of offset: Int64) -> Int {
        if let last = ranges.last, last.upperBound < offset { return ranges.count }
        var (low, high) = (0, max(ranges.count - 1, 0))
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension ByteRanges: Codable {
    /// Decodes ranges in any order; throws for one that begins before zero or ends before it begins.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let ranges = try container.decode([Range<Int64>].self)
        guard ranges.allSatisfy({ $0.lowerBound >= 0 }) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a range begins before zero")
        }
        self.init(ranges)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(ranges)
    }
}

extension ByteRanges: CustomStringConvertible {
    /// `0-99,200-299`: the first and the last byte of each range, as in a `Range` header.
    package var description: String {
        ranges.map { "\($0.lowerBound)-\($0.upperBound - 1)" }.joined(separator: ",")
    }
}
