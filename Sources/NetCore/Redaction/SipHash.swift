/// SipHash-2-4, a keyed hash: without the key, a value can't be found by hashing guesses.
///
/// Jean-Philippe Aumasson and Daniel J. Bernstein, "SipHash: a fast short-input PRF", 2012.
struct SipHash {
    private var v0, v1, v2, v3: UInt64

    private init(_ k0: UInt64, _ k1: UInt64) {
        v0 = k0 ^ 0x736f_6d65_7073_6575
        v1 = k1 ^ 0x646f_7261_6e64_6f6d
        v2 = k0 ^ 0x6c79_6765_6e65_7261
        v3 = k1 ^ 0x7465_6462_7974_6573
    }

    /// Returns the hash of bytes under a key of two words.
    static func hash(_ bytes: some Sequence<UInt8>, _ k0: UInt64, _ k1: UInt64) -> UInt64 {
        var hash = SipHash(k0, k1)
        var (word, count) = (UInt64(0), UInt64(0))
        for byte in bytes {
            word |= UInt64(byte) << (8 * (count & 7))
            count += 1
            if count & 7 == 0 {
                hash.absorb(word)
                word = 0
            }
        }
        hash.absorb(word | (count & 0xff) << 56)
        hash.v2 ^= 0xff
        for _ in 0..<4 { hash.round() }
        return hash.v0 ^ hash.v1 ^ hash.v2 ^ hash.v3
    }

    private mutating func absorb(_ word: UInt64) {
        v3 ^= word
        round()
        round()
        v0 ^= word
    }

    private mutating func round() {
        v0 &+= v1
        v1 = Self.rotated(v1, 13) ^ v0
        v0 = Self.rotated(v0, 32)
        v2 &+= v3
        v3 = Self.rotated(v3, 16) ^ v2
        v0 &+= v3
        v3 = Self.rotated(v3, 21) ^ v0
        v2 &+= v1
        v1 = Self.rotated(v1, 17) ^ v2
        v2 = Self.rotated(v2, 32)
    }

    private static func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 {
        word << count | word >> (64 - count)
    }
}
