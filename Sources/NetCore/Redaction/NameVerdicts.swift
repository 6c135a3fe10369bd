/// A cache of the names in one text that were checked for sensitivity: arrays of objects repeat their names.
///
/// Names are found by their bytes. Memory is bounded: a name can evict another one from its slot.
struct NameVerdicts {
    private static let slotCount = 256

    private var starts = [Int](repeating: 0, count: slotCount)
    /// Four times the number of bytes, plus the verdict; zero for an empty slot.
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

    /// The verdict in a slot; nil if the slot is empty or holds another name.
    subscript(slot: Int, of name: Range<Int>, in text: UnsafePointer<UInt8>) -> SensitiveName.Verdict? {
        let (start, size) = (starts[slot], sizes[slot])
        guard size != 0, size >> 2 == name.upperBound - name.lowerBound else { return nil }
        var offset = 0
        while offset < size >> 2 {
            if text[start + offset] != text[name.lowerBound + offset] { return nil }
            offset += 1
        }
        return SensitiveName.Verdict(rawValue: size & 3)
    }

    /// Stores a verdict in a slot, replacing the previous one.
    mutating func keep(_ verdict: SensitiveName.Verdict, _ slot: Int, of name: Range<Int>) {
        starts[slot] = name.lowerBound
        sizes[slot] = name.count << 2 | verdict.rawValue
    }
}
