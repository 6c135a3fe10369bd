internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A source of random numbers that can be injected: the system's in production, a seeded one in tests.
///
///     let jitter = NetRandom.system.unit()  // 0 ..< 1
public struct NetRandom: Sendable, RandomNumberGenerator {
    private let generate: @Sendable () -> UInt64
    private var isSystem = false

    /// Creates a source from a function that returns 64 uniform bits.
    public init(_ generate: @escaping @Sendable () -> UInt64) {
        self.generate = generate
    }

    /// Returns 64 uniform bits.
    public func next() -> UInt64 { generate() }

    /// Returns a uniform number in `0 ..< 1`.
    public func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Fills memory with uniform bytes. The system's generator is called once per 256 bytes, not once per eight.
    package func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        var rest = buffer[...]
        while !rest.isEmpty {
            let piece = UnsafeMutableRawBufferPointer(rebasing: rest.prefix(256))
            if !isSystem || !Self.fillFromSystem(piece) {
                for index in piece.indices { piece[index] = UInt8(truncatingIfNeeded: generate()) }
            }
            rest = rest.dropFirst(piece.count)
        }
    }

    static func fillFromSystem(_ piece: UnsafeMutableRawBufferPointer) -> Bool {
        guard let base = piece.baseAddress else { return true }
        #if canImport(Darwin)
        arc4random_buf(base, piece.count)
        return true
        #elseif canImport(Glibc)
        return getentropy(base, piece.count) == 0
        #else
        return false
        #endif
    }

    /// A pool, since a system call for each number costs 1% of a small request.
    private static let pool = Mutex(RandomPool())

    /// The system's generator.
    public static let system = {
        var random = NetRandom { pool.withLock { $0.next() } }
        random.isSystem = true
        return random
    }()
}
