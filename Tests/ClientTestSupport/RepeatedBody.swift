#if Server
import Foundation
import HTTPTypes
import NetCore
import NetTesting

/// Copies of one block: a large body that costs the test server nothing to create. The block is 256 KiB, not a multiple
/// of the pattern's period, so a shift is detected.
struct Repeated: IteratorProtocol, Sendable {
    static let block = BytePattern.bytes(from: 0, count: 256 << 10)
    static let twice = Array(block) + Array(block)
    var left: Int

    mutating func next() -> StubChunk? {
        guard left > 0 else { return nil }
        let count = min(left, Self.block.count)
        left -= count
        return StubChunk(count == Self.block.count ? Self.block : Self.block[0..<count])
    }

    /// Returns true if a chunk equals the bytes at that offset.
    static func matches(_ chunk: Bytes, at offset: Int) -> Bool {
        chunk.withUnsafeBytes { bytes in
            twice.withUnsafeBytes { block in
                var done = 0
                while done < bytes.count {
                    let start = (offset + done) % (block.count / 2)
                    let count = min(bytes.count - done, block.count - start)
                    guard let left = bytes.baseAddress, let right = block.baseAddress,
                        memcmp(left + done, right + start, count) == 0
                    else { return false }
                    done += count
                }
                return true
            }
        }
    }
}

/// Returns a stub with a body of that size at `/big`.
func big(_ count: Int, contentType: String = "application/octet-stream") -> Stub {
    let response = StubResponse(body: .generated(length: Int64(count)) { Repeated(left: count) })
    return Stub(.get, "/big", response.header(.contentType, contentType))
}
#endif
