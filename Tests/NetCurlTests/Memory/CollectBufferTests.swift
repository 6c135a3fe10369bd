#if os(Linux)
import NetCore
import Testing

@testable import NetCurl

@Suite(.timeLimit(.minutes(2))) struct CollectBufferTests {
    private func collect(_ bytes: [UInt8], piece: Int, announced: Int, limit: Int = .max) -> Bytes? {
        var buffer = CollectBuffer(limit: limit)
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(piece))
            guard part.withUnsafeBytes({ buffer.append($0, announced: buffer.count == 0 ? announced : 0) }) else {
                return nil
            }
            rest = rest.dropFirst(part.count)
        }
        return buffer.finish()
    }

    @Test(arguments: [0, 1, 4095, 4096, 4097, 131_071, 131_072, 131_073, 700_000], [1000, 16_384, 1 << 20])
    func anyBodyInAnyPieces(count: Int, piece: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        // The collected bytes are the received ones, regardless of the announced length: none, too small or too large.
        for announced in [0, count, count / 2, count * 2 + 1, Int.max] {
            #expect(collect(bytes, piece: piece, announced: announced).map(Array.init) == bytes)
        }
    }

    @Test func oneByteOverTheLimitIsRefused() {
        let bytes = [UInt8](repeating: 7, count: 100)
        #expect(collect(bytes, piece: 33, announced: 0, limit: 100)?.count == 100)
        #expect(collect(bytes, piece: 33, announced: 0, limit: 99) == nil)
    }
}
#endif
