/// Whether names in one text are sensitive, as far as they were judged: lists of objects repeat theirs.
///
/// Names are found by their bytes. The memory is bounded: a name takes the slot of another one.
struct NameVerdicts {
    private static let slotCount = 256

    private var starts = [Int](repeating: 0, count: slotCount)
    /// Twice the number of bytes, and one more for a sensitive name; zero for an empty slot.
    private var sizes = [Int](repeating: 0, count: slotCount)

    /// Returns the slot of the name in that range of a text.
    func slot(of name: Range<Int>, in text: UnsafePointer<UInt8>) -> Int {
        // FNV-1a.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        var place = name.lowerBound
        while place < name.upperBound {
            hash = (hash ^ UInt64(text[place])) &* 0x100_0000_01b3
            place += 1
        }
        return Int(truncatingIfNeeded: hash >> 32) & (Self.slotCount - 1)
    }

    /// The verdict in a slot; nil if it's about another name, or about none.
    subscript(slot: Int, of name: Range<Int>, in text: UnsafePointer<UInt8>) -> Bool? {
        let (start, size) = (starts[slot], sizes[slot])
        guard size != 0, size >> 1 == name.upperBound - name.lowerBound else { return nil }
        var offset = 0
        while offset < size >> 1 {
            if text[start + offset] != text[name.lowerBound + offset] { return nil }
            offset += 1
        }
        return size & 1 == 1
    }

    /// Puts a verdict into a slot, in place of the one that was there.
    mutating func keep(_ isSensitive: Bool, _ slot: Int, of name: Range<Int>) {
        starts[slot] = name.lowerBound
        sizes[slot] = name.count << 1 | (isSensitive ? 1 : 0)
    }
}
