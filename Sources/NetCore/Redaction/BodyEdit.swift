/// A range of a body and the bytes that replace it.
package struct BodyEdit {
    package var range: Range<Int>
    package var replacement: [UInt8]
    /// True if the range is a secret itself, rather than a text that contains one.
    var isSecret = false

    package init(range: Range<Int>, replacement: [UInt8]) {
        self.range = range
        self.replacement = replacement
    }
}

extension [BodyEdit] {
    /// Returns the bytes with the edits applied. The edits must be in order and must not overlap.
    package func applied(to bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var position = 0
        for edit in self {
            result += bytes[position..<edit.range.lowerBound]
            result += edit.replacement
            position = edit.range.upperBound
        }
        return result + bytes[position...]
    }

    /// Returns the position that an offset of the old bytes has in the new ones; inside an edit, the end of the edit.
    package func moved(_ offset: Int) -> Int {
        var moved = offset
        for edit in self where edit.range.lowerBound < offset {
            moved += edit.replacement.count - edit.range.count
            if offset < edit.range.upperBound { moved += edit.range.upperBound - offset }
        }
        return moved
    }
}
