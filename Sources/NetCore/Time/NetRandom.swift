/// A source of random numbers that can be handed in: the system's in production, a seeded one in tests.
///
///     let jitter = NetRandom.system.unit()  // 0 ..< 1
public struct NetRandom: Sendable, RandomNumberGenerator {
    private let generate: @Sendable () -> UInt64

    /// Wraps a function that returns 64 uniform bits.
    public init(_ generate: @escaping @Sendable () -> UInt64) {
        self.generate = generate
    }

    /// Sixty-four uniform bits.
    public func next() -> UInt64 { generate() }

    /// A uniform number in `0 ..< 1`.
    public func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// The system's generator.
    public static let system = NetRandom {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}
