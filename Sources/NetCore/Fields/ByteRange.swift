/// A single byte range of a request's `Range` header (RFC 9110 section 14.1.2).
package enum RequestedRange: Sendable, Hashable {
    case from(Int64, to: Int64?)
    case last(Int64)

    /// Parses a header value; nil if it's malformed, contains several ranges or uses another unit.
    package init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let range = Self.trimmed(parts[1])
        guard let dash = range.firstIndex(of: "-") else { return nil }
        let (first, last) = (range[..<dash], range[range.index(after: dash)...])
        if first.isEmpty {
            guard let count = Self.number(last) else { return nil }
            self = .last(count)
        } else {
            guard let first = Self.number(first) else { return nil }
            if last.isEmpty {
                self = .from(first, to: nil)
            } else {
                guard let last = Self.number(last), last >= first else { return nil }
                self = .from(first, to: last)
            }
        }
    }

    /// Returns the bytes that the range selects in a representation of `total` bytes; nil if there are none.
    package func resolved(total: Int64) -> Range<Int64>? {
        switch self {
        case .from(let first, let last):
            guard first < total else { return nil }
            return first..<min(last.map { $0 + 1 } ?? total, total)
        case .last(let count):
            guard count > 0, total > 0 else { return nil }
            return max(0, total - count)..<total
        }
    }

    fileprivate static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }

    /// Accepts only digits and values below 2^62, so that sums fit into 64 bits.
    fileprivate static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }), let value = Int64(text) else { return nil }
        return value < 1 << 62 ? value : nil
    }
}

/// The `Content-Range` of a part: its position in the representation, and the total size (RFC 9110 section 14.4).
package struct ContentRange: Sendable, Hashable {
    /// The position of the part.
    package let bytes: Range<Int64>
    /// The size of the whole representation; nil if the server didn't know it.
    package let total: Int64?

    /// Creates the header value of a part.
    package init(bytes: Range<Int64>, total: Int64?) {
        self.bytes = bytes
        self.total = total
    }

    /// Parses a header value; nil if it's malformed or contradicts itself.
    package init?(_ text: String) {
        let words = text.split { $0 == " " || $0 == "\t" }
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = RequestedRange.number(ends[0]), let last = RequestedRange.number(ends[1]),
            last >= first
        else { return nil }
        bytes = first..<(last + 1)
        if parts[1] == "*" {
            total = nil
        } else {
            guard let number = RequestedRange.number(parts[1]), number > last else { return nil }
            total = number
        }
    }

    /// The header value.
    package var value: String {
        "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(total.map { String($0) } ?? "*")"
    }
}
