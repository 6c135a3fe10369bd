/// A stretch of a body that is replaced by other bytes.
package struct BodyEdit {
    package var range: Range<Int>
    package var replacement: [UInt8]
    /// True if the stretch is a secret, not something with a secret in it.
    var isSecret = false

    package init(range: Range<Int>, replacement: [UInt8]) {
        self.range = range
        self.replacement = replacement
    }
}

extension [BodyEdit] {
    /// The bytes with the edits made; the edits are in order and do not overlap.
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

    /// Where an offset of the old bytes lies in the new ones; inside an edit, at its end.
    package func moved(_ offset: Int) -> Int {
        var moved = offset
        for edit in self where edit.range.lowerBound < offset {
            moved += edit.replacement.count - edit.range.count
            if offset < edit.range.upperBound { moved += edit.range.upperBound - offset }
        }
        return moved
    }
}
