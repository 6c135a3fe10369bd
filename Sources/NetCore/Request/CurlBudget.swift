/// How many bytes of a request a cURL command may still show, and what it has cut.
struct CurlBudget {
    private var left: Int
    private var cuts: [String] = []
    private var omittedFields = 0

    /// nil for no limit.
    init(_ maximum: Int?) { left = max(0, maximum ?? .max) }

    /// As much of a value as may be shown, cut between two characters.
    mutating func take(_ text: String, _ name: String) -> String {
        let count = text.utf8.count
        let shown = count <= left ? text : text.prefix(upToBytes: left)
        if shown.utf8.count < count { cuts.append("\(shown.utf8.count) of \(count) bytes of \(name)") }
        left -= shown.utf8.count
        return shown
    }

    /// As much of a field's line as may be shown; nil if that isn't even its name.
    mutating func take(field line: String, _ name: String) -> String? {
        guard line.utf8.count <= left || name.utf8.count + 2 < left else {
            omittedFields += 1
            return nil
        }
        return take(line, "the field \(name)")
    }

    /// Lets `body` use half of what is left.
    mutating func halve(_ body: (inout CurlBudget) -> Void) {
        let kept = left == .max ? 0 : left - left / 2
        left -= kept
        body(&self)
        left += kept
    }

    /// A comment for the end of the command; empty if nothing was cut.
    var comment: String {
        let fields = omittedFields == 0 ? [] : ["without \(omittedFields) field\(omittedFields == 1 ? "" : "s")"]
        let all = cuts + fields
        return all.isEmpty ? "" : " # cut: " + all.joined(separator: ", ")
    }
}

extension String {
    /// The beginning of so many bytes at most, never cut within a Unicode scalar.
    package func prefix(upToBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: Swift.max(0, limit))
        while end > startIndex, utf8[end] & 0xc0 == 0x80 { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
