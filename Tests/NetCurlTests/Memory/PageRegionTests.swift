#if os(Linux)
import Glibc
import NetTesting
import Testing

@testable import NetCurl

@Suite(.timeLimit(.minutes(2))) struct PageRegionTests {
    private let page = Int(sysconf(CInt(_SC_PAGESIZE)))

    @Test func blocksAreWholePagesApart() throws {
        let region = PageRegion(blocksOf: page + 1, count: 4, warmLimit: 4)
        #expect(region.blockSize == 2 * page)
        let first = try #require(region.take())
        let second = try #require(region.take())
        #expect(second - first == 2 * page)
        #expect(region.contains(first))
        #expect(region.contains(second + 2 * page - 1))
        #expect(!region.contains(first - 1))
        #expect(!region.contains(first + 8 * page))
    }

    @Test func theLastBlockGivenBackIsTheNextToBeTaken() throws {
        let region = PageRegion(blocksOf: page, count: 4, warmLimit: 4)
        let blocks = (0..<3).compactMap { _ in region.take() }
        for block in blocks { region.give(block) }
        #expect((0..<3).compactMap { _ in region.take() } == blocks.reversed())
    }

    @Test func aRegionInUseHasNoMoreBlocksUntilOneComesBack() throws {
        let region = PageRegion(blocksOf: page, count: 2, warmLimit: 2)
        let first = try #require(region.take())
        _ = try #require(region.take())
        #expect(region.take() == nil)
        #expect(region.take() == nil)
        region.give(first)
        #expect(region.take() == first)
    }

    @Test func aWarmBlockKeepsWhatWasWrittenAndOneOverTheLimitIsTheKernelsAgain() throws {
        let region = PageRegion(blocksOf: page, count: 2, warmLimit: 1)
        let blocks = (0..<2).compactMap { _ in region.take() }
        for block in blocks { block.storeBytes(of: 7, as: UInt8.self) }
        for block in blocks { region.give(block) }
        #expect(region.take()?.load(as: UInt8.self) == 7)
        #expect(region.take()?.load(as: UInt8.self) == 0)
    }

    @Test func trimmingGivesTheMemoryOfAllBlocksButSomeBack() throws {
        let region = PageRegion(blocksOf: page, count: 8, warmLimit: 8)
        let blocks = (0..<8).compactMap { _ in region.take() }
        for block in blocks { block.storeBytes(of: 7, as: UInt8.self) }
        for block in blocks { region.give(block) }
        region.trim(to: 3)
        let values = (0..<8).compactMap { _ in region.take()?.load(as: UInt8.self) }
        #expect(values == [7, 7, 7, 0, 0, 0, 0, 0])
    }

    @Test func manyThreadsNeverHoldTheSameBlock() async {
        let region = PageRegion(blocksOf: page, count: 64, warmLimit: 8)
        let clashes = await withTaskGroup(of: Int.self) { group in
            for worker in 1...8 {
                group.addTask {
                    var clashes = 0
                    for round in 0..<20_000 {
                        guard let block = region.take() else { continue }
                        let mark = UInt64(worker) << 32 | UInt64(round)
                        block.storeBytes(of: mark, as: UInt64.self)
                        if round % 64 == 0 { await Task.yield() }
                        if block.load(as: UInt64.self) != mark { clashes += 1 }
                        region.give(block)
                    }
                    return clashes
                }
            }
            return await group.reduce(0, +)
        }
        #expect(clashes == 0)
        var seen: Set<UnsafeMutableRawPointer> = []
        while let block = region.take() { #expect(seen.insert(block).inserted) }
        #expect(seen.count == 64)
    }
}
#endif
