import Foundation
import NetCore
import NetTesting
import Synchronization
import Testing

@Suite struct BytesTests {
    @Test func bytesAreTheCollectionTheyWereMadeOf() {
        let bytes = Bytes([1, 2, 3])
        #expect(Array(bytes) == [1, 2, 3])
        #expect(bytes.count == 3)
        #expect(!bytes.isEmpty)
        #expect(Bytes().isEmpty)
        #expect(Array(Bytes([])).isEmpty)
        #expect(Array(Bytes(Data("hé".utf8))) == Array("hé".utf8))
        #expect(Array(Bytes([9, 1, 2, 9][1...2])) == [1, 2])
        #expect("\(Bytes("secret".utf8))" == "6 bytes")
    }

    @Test func aSliceSharesTheMemoryAndCountsFromZero() {
        let whole = Bytes(0..<100)
        let part: Bytes = whole[10..<20]
        #expect(Array(part) == Array(10..<20))
        #expect(part[0] == 10)
        let inner: Bytes = part[2..<4]
        #expect(Array(inner) == [12, 13])
        #expect(part[3..<3].isEmpty)
        #expect(whole[100..<100].isEmpty)
        #expect(whole.withUnsafeBytes { $0.baseAddress.map { $0 + 12 } } == inner.withUnsafeBytes { $0.baseAddress })
    }

    @Test func genericAlgorithmsFindTheRightPlaces() {
        let bytes = Bytes("ab--cd--ef".utf8)
        let hyphen = UInt8(ascii: "-")
        #expect(bytes.dropFirst(4).firstIndex(of: hyphen) == 6)
        #expect(bytes.split(separator: hyphen).map { Array($0) } == ["ab", "cd", "ef"].map { Array($0.utf8) })
        #expect(bytes.firstRange(of: Array("cd--".utf8)) == 4..<8)
        #expect(bytes.ranges(of: Array("--".utf8)) == [2..<4, 6..<8])
        #expect(Array(bytes.trimmingPrefix("ab".utf8)) == Array("--cd--ef".utf8))
        #expect(bytes.lastIndex(of: hyphen) == 7)
        #expect(Array(bytes.suffix(2)) == Array("ef".utf8))
    }

    @Test func equalBytesAreEqualWhereverTheyLie() {
        let left = Bytes("xabcx".utf8)[1..<4]
        let right = Bytes("abc".utf8)
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(Set([left, right]).count == 1)
        #expect(left != Bytes("abd".utf8))
        #expect(left != Bytes("ab".utf8))
    }

    @Test("Data outlives the bytes it came from", arguments: [0, 1, 1024, 1025, 100_000])
    func dataBridge(count: Int) {
        func make() -> Data {
            let bytes = Bytes((0..<count + 7).map { UInt8(truncatingIfNeeded: $0) })
            return bytes[7..<count + 7].data
        }
        let data = make()
        #expect(data.count == count)
        #expect(data.elementsEqual((7..<count + 7).map { UInt8(truncatingIfNeeded: $0) }))
        var changed = data
        changed.append(1)
        #expect(changed.count == count + 1)
        #expect(data.count == count)
    }

    @Test func joiningKeepsTheOrder() {
        let random = SeededRandom(seed: 7)
        for _ in 0..<100 {
            let chunks = (0..<Int(random.next() % 6)).map { _ in
                Bytes((0..<Int(random.next() % 9)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
            }
            let joined = Bytes.join(chunks, count: chunks.reduce(0) { $0 + $1.count })
            #expect(Array(joined) == chunks.flatMap { Array($0) })
        }
        let one = Bytes("x".utf8)
        #expect(Bytes.join([one], count: 1).storage === one.storage)
    }
}

@Suite struct ByteStorageTests {
    /// Counts the returns of memory.
    private final class Pool: Sendable {
        let returned = Mutex(0)
        func lend(_ count: Int) -> ByteStorage {
            let memory = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
            memory.initializeMemory(as: UInt8.self, repeating: 65, count: count)
            return ByteStorage(adopting: memory, capacity: count) { memory in
                memory.deallocate()
                self.returned.withLock { $0 += 1 }
            }
        }
        var count: Int { returned.withLock { $0 } }
    }

    @Test func memoryGoesBackOnceWhenTheLastReaderIsGone() {
        let pool = Pool()
        var whole: Bytes? = Bytes(storage: pool.lend(4096), count: 4096)
        var slice = whole?[100..<3000]
        var data = slice?.data
        whole = nil
        #expect(pool.count == 0)
        #expect(slice?.first == 65)
        slice = nil
        #expect(pool.count == 0)
        #expect(data?.last == 65)
        data = nil
        #expect(pool.count == 1)
    }

    @Test func unusedMemoryGoesBackToo() {
        let pool = Pool()
        _ = pool.lend(16)
        #expect(pool.count == 1)
        #expect(ByteStorage(capacity: 0).capacity == 1)
    }
}
