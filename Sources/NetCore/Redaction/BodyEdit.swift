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

    /// The edits in order. Of those that overlap, the first one replaces the bytes of all.
    var withoutOverlaps: [BodyEdit] {
        if count < 2 { return self }
        let inOrder = sorted {
            ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound)
        }
        var kept: [BodyEdit] = []
        for edit in inOrder {
            if let last = kept.last?.range, edit.range.lowerBound < last.upperBound {
                kept[kept.count - 1].range = last.lowerBound..<Swift.max(last.upperBound, edit.range.upperBound)
            } else {
                kept.append(edit)
            }
        }
        return kept
    }

    /// Returns these edits, which are in order, together with those of `others` that touch none of them.
    func joined(with others: [BodyEdit]) -> [BodyEdit] {
        if others.isEmpty { return self }
        if isEmpty { return others }
        var (result, index): ([BodyEdit], Int) = ([], 0)
        for edit in others {
            while index < count, self[index].range.upperBound <= edit.range.lowerBound {
                result.append(self[index])
                index += 1
            }
            if index == count || !self[index].range.overlaps(edit.range) { result.append(edit) }
        }
        return result + self[index...]
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
