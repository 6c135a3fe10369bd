public import NetCore
internal import Synchronization

/// Random numbers that are the same in every run: xoshiro256** seeded by SplitMix64.
///
/// Not for secrets. Several tasks may share one generator; then the sequence is fixed, but not which task gets which
/// number.
///
///     let random = SeededRandom(seed: 7)
///     let environment = CallContext.Environment(random: random.netRandom)
public final class SeededRandom: Sendable {
    private let state: Mutex<(UInt64, UInt64, UInt64, UInt64)>

    /// Creates a generator; equal seeds produce equal sequences.
    public init(seed: UInt64) {
        var mix = seed
        func split() -> UInt64 {
            mix &+= 0x9e37_79b9_7f4a_7c15
            var bits = mix
            bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
            bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
            return bits ^ (bits >> 31)
        }
        state = Mutex((split(), split(), split(), split()))
    }

    /// The next 64 bits.
    public func next() -> UInt64 {
        state.withLock { state in
            let result = Self.rotate(state.1 &* 5, 7) &* 9
            let shifted = state.1 << 17
            state.2 ^= state.0
            state.3 ^= state.1
            state.1 ^= state.2
            state.0 ^= state.3
            state.2 ^= shifted
            state.3 = Self.rotate(state.3, 45)
            return result
        }
    }

    /// The generator in the form that the library uses.
    public var netRandom: NetRandom { NetRandom { self.next() } }

    private static func rotate(_ bits: UInt64, _ count: UInt64) -> UInt64 {
        (bits << count) | (bits >> (64 - count))
    }
}
