#if os(Linux)
import Glibc
import NetTesting
import Testing

@testable import NetCurl

@Suite(.timeLimit(.minutes(2))) struct CurlGlobalTests {
    @Test(arguments: [0, 1, 69, 1024, 1025, 1496, 4096, 4097, 65_537, 1 << 20])
    func memoryIsZeroedThoughItWasUsedBefore(size: Int) throws {
        for _ in 0..<3 {
            let block = try #require(CurlGlobal.allocateZeroed(1, size))
            #expect(UnsafeRawBufferPointer(start: block, count: size).allSatisfy { $0 == 0 })
            memset(block, 0xFF, size)
            CurlGlobal.releaseAny(block)
        }
    }

    /// If a block is too small, the memory after it is overwritten, and the heap's own checks end the process.
    @Test func aSpareBlockThatIsTooSmallIsNotTaken() throws {
        for size in [1100, 3000, 1200, 4000, 2000] {
            let block = try #require(CurlGlobal.allocateZeroed(size, 1))
            memset(block, 0xFF, size)
            CurlGlobal.releaseAny(block)
        }
    }

    @Test func anAmountThatNoNumberHoldsIsRefused() {
        #expect(CurlGlobal.allocateZeroed(.max, 2) == nil)
        #expect(CurlGlobal.allocateZeroed(1 << 33, 1 << 33) == nil)
    }
}
#endif
