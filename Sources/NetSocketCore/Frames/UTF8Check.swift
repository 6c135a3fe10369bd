/// Strict, incremental UTF-8 validation (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
///
/// Only the number of expected continuation bytes and the range of the next one are carried between pieces. The first
/// invalid byte is detected as soon as it arrives.
package struct UTF8Check: Sendable {
    private var expected = 0
    /// The range of the next continuation byte; after some first bytes it's narrower than 80...BF.
    private var low: UInt8 = 0x80
    private var high: UInt8 = 0xBF

    package init() {}

    /// True if the bytes so far end with a complete character.
    package var isComplete: Bool { expected == 0 }

    /// Consumes the next bytes. Returns false if they can't be UTF-8; don't call it again then.
    package mutating func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        var index = 0
        while index < bytes.count {
            let byte = base.load(fromByteOffset: index, as: UInt8.self)
            if expected > 0 {
                guard byte >= low, byte <= high else { return false }
                (low, high) = (0x80, 0xBF)
                expected &-= 1
            } else if byte < 0x80 {
                index = Self.endOfASCII(base, from: index &+ 1, to: bytes.count)
                continue
            } else if let end = Self.endOfCharacters(base, from: index, to: bytes.count) {
                index = end
                continue
            } else {
                guard begins(with: byte) else { return false }
            }
            index &+= 1
        }
        return true
    }

    /// Begins a character of several bytes (table 3-7 of the Unicode standard). Returns false for an invalid first
    /// byte.
    private mutating func begins(with byte: UInt8) -> Bool {
        switch byte {
        case 0xC2...0xDF: expected = 1
        case 0xE0: (expected, low) = (2, 0xA0)
        case 0xED: (expected, high) = (2, 0x9F)
        case 0xE1...0xEF: expected = 2
        case 0xF0: (expected, low) = (3, 0x90)
        case 0xF1...0xF3: expected = 3
        case 0xF4: (expected, high) = (3, 0x8F)
        default: return false
        }
        return true
    }

    private static func endOfASCII(_ base: UnsafeRawPointer, from start: Int, to end: Int) -> Int {
        var index = start
        let highBits = SIMD4<UInt64>(repeating: 0x8080_8080_8080_8080)
        while index &+ 32 <= end,
            base.loadUnaligned(fromByteOffset: index, as: SIMD4<UInt64>.self) & highBits == .zero
        {
            index &+= 32
        }
        while index &+ 8 <= end {
            let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let high = word & 0x8080_8080_8080_8080
            if high != 0 { return index &+ high.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < end, base.load(fromByteOffset: index, as: UInt8.self) < 0x80 { index &+= 1 }
        return index
    }

    /// Returns the index after the complete, valid characters of two to four bytes at `start`; nil if there are none.
    /// The caller then checks byte by byte.
    private static func endOfCharacters(_ base: UnsafeRawPointer, from start: Int, to end: Int) -> Int? {
        var index = start
        while index &+ 4 <= end {
            let word = UInt32(littleEndian: base.loadUnaligned(fromByteOffset: index, as: UInt32.self))
            // The bits of the first two bytes that reveal overlong forms, surrogates and numbers that are too large.
            let three = word & 0x200F
            let four = word & 0x3007
            if word & 0x00C0_C0F0 == 0x0080_80E0, three != 0, three != 0x200D {
                index &+= 3
            } else if word & 0xC0E0 == 0x80C0, word & 0x1E != 0 {
                index &+= 2
            } else if word & 0xC0C0_C0F8 == 0x8080_80F0, four != 0, four & 7 < 4 || four == 4 {
                index &+= 4
            } else {
                break
            }
        }
        return index > start ? index : nil
    }
}
