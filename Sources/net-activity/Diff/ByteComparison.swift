#if Tools
internal import NetCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Finds differing bytes. Uses the C library's functions, which are fast in debug builds too.
enum ByteComparison {
    private static let block = 4096

    /// Returns the offset of the first differing byte, or the end of the shorter sequence; nil if they are equal.
    static func firstDifference(_ old: Bytes, _ new: Bytes) -> Int? {
        let shorter = min(old.count, new.count)
        let place = old.withUnsafeBytes { old in
            new.withUnsafeBytes { new in
                guard let first = old.baseAddress, let second = new.baseAddress else { return nil as Int? }
                for start in stride(from: 0, to: shorter, by: block) {
                    let count = min(block, shorter - start)
                    guard memcmp(first + start, second + start, count) != 0 else { continue }
                    return (start..<(start + count)).first { old[$0] != new[$0] }
                }
                return nil
            }
        }
        return place ?? (old.count == new.count ? nil : shorter)
    }
}
#endif
