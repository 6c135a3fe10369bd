/// The number of bytes of a request that a cURL command may still show, and the parts that were cut.
struct CurlBudget {
    /// The number of bytes that are left.
    private(set) var left: Int
    private var cuts: [String] = []
    private var omittedFields = 0

    /// Creates a budget of `maximum` bytes; nil means no limit.
    init(_ maximum: Int?) { left = max(0, maximum ?? .max) }

    /// Returns the part of a value that fits, cut between two Unicode scalars.
    mutating func take(_ text: String, _ name: String) -> String {
        let count = text.utf8.count
        let shown = count <= left ? text : text.prefix(upToBytes: left)
        if shown.utf8.count < count { cuts.append("\(shown.utf8.count) of \(count) bytes of \(name)") }
        left -= shown.utf8.count
        return shown
    }

    /// Returns the part of a header line that fits; nil if not even the name fits.
    mutating func take(field line: String, _ name: String) -> String? {
        guard line.utf8.count <= left || name.utf8.count + 2 < left else {
            omittedFields += 1
            return nil
        }
        return take(line, "the field \(name)")
    }

    /// Calls `body` with half of the remaining bytes.
    mutating func halve(_ body: (inout CurlBudget) -> Void) {
        let kept = left == .max ? 0 : left - left / 2
        left -= kept
        body(&self)
        left += kept
    }

    /// A comment for the end of the command; empty if nothing was cut.
    var comment: String {
        let headers = omittedFields == 0 ? [] : ["without \(omittedFields) field\(omittedFields == 1 ? "" : "s")"]
        let all = cuts + headers
        return all.isEmpty ? "" : " # cut: " + all.joined(separator: ", ")
    }
}

extension String {
    /// Returns the longest prefix of at most `limit` bytes that doesn't split a Unicode scalar.
    package func prefix(upToBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: Swift.max(0, limit))
        while end > startIndex, utf8[end] & 0xc0 == 0x80 { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
