import NetCore
import Testing

/// Bytes assembled piece by piece.
@Suite struct BytesAppendingTests {
    @Test func bytesAreJoined() {
        let left = Bytes("ab".utf8)
        #expect(left + Bytes("cd".utf8) == Bytes("abcd".utf8))
        #expect(left + Bytes() == left)
        #expect(Bytes() + left == left)
        #expect(left + [99] == Bytes("abc".utf8))
        var sum = Bytes()
        for piece in ["a", "", "bc", "def"] { sum += Bytes(piece.utf8) }
        #expect(sum == Bytes("abcdef".utf8))
    }

    @Test func oneByteAfterAnother() {
        var bytes = Bytes()
        for byte in 0..<5000 { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        #expect(bytes.elementsEqual((0..<5000).map { UInt8(truncatingIfNeeded: $0) }))
        bytes.append(contentsOf: [1, 2].lazy.map { $0 + 1 })
        bytes.append(contentsOf: [UInt8]())
        #expect(bytes.count == 5002)
        #expect(bytes.suffix(2).elementsEqual([2, 3]))
    }

    /// Values share memory, but appending to one doesn't change another.
    @Test func copiesStayAsTheyAre() {
        var one = Bytes("abc".utf8)
        one.reserveCapacity(100)
        one.append(UInt8(ascii: "d"))
        var two = one
        one.append(UInt8(ascii: "1"))
        two.append(UInt8(ascii: "2"))
        var slice = one[0..<2]
        slice.append(UInt8(ascii: "3"))
        #expect(one == Bytes("abcd1".utf8))
        #expect(two == Bytes("abcd2".utf8))
        #expect(slice == Bytes("ab3".utf8))
        let data = one.data
        one.append(0)
        #expect(data.elementsEqual("abcd1".utf8))
    }

    @Test func aSliceOfItsOwnIsAppended() {
        var bytes = Bytes("abcdef".utf8)
        bytes.append(contentsOf: bytes[1..<3])
        bytes.append(contentsOf: bytes)
        #expect(bytes == Bytes("abcdefbcabcdefbc".utf8))
        var none = Bytes()
        none.append(contentsOf: bytes[0..<2])
        #expect(none == Bytes("ab".utf8))
    }

    /// Appending within the capacity doesn't move the bytes.
    @Test func roomIsMadeOnce() {
        var bytes = Bytes()
        bytes.reserveCapacity(10_000)
        let start = bytes.withUnsafeBytes { $0.baseAddress }
        for _ in 0..<100 { bytes.append(contentsOf: [UInt8](repeating: 7, count: 100)) }
        #expect(bytes.withUnsafeBytes { $0.baseAddress } == start)
        #expect(bytes.count == 10_000)
    }
}
