import NetTesting
import TestSupport
import Testing

@testable import NetCore

struct BodyTapeTests {
    @Test func theBeginningIsKeptAndTheRestCounted() {
        let tape = BodyTape(limit: 5)
        for text in ["abc", "def", "ghi"] { tape.append(Bytes(text.utf8)) }
        let body = tape.body()
        #expect(body.bytes.elementsEqual("abcde".utf8))
        #expect(body.count == 9)
        #expect(body.isCut)
        #expect(!body.isTimed)
        #expect(BodyTape(limit: 0).body() == CapturedBody(pieces: [], passed: 0))
    }

    @Test(arguments: [4, 5, 6])
    func aWholeBodyIsKeptUpToTheLimit(_ limit: Int) {
        let tape = BodyTape(limit: limit)
        tape.append(whole: Bytes("abcde".utf8))
        let body = tape.body()
        #expect(body.bytes.elementsEqual("abcde".utf8.prefix(limit)))
        #expect(body.count == 5)
        #expect(body.isCut == (limit < 5))
    }

    @Test func aSliceDoesNotKeepItsBufferAlive() {
        let isFreed = Locked(false)
        let (chunks, whole) = (BodyTape(limit: 64), BodyTape(limit: 64))
        do {
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 1)
            let storage = ByteStorage(adopting: memory.baseAddress.unsafelyUnwrapped, capacity: 1 << 20) { base in
                base.deallocate()
                isFreed.change { $0 = true }
            }
            let bytes = Bytes(storage: storage, count: 40)
            chunks.append(bytes)
            whole.append(whole: bytes)
        }
        #expect(isFreed.value)
        #expect(chunks.body().count == 40)
        #expect(whole.body().count == 40)
    }

    @Test func pausesOfAStreamAreKept() async throws {
        let clock = TestClock()
        let tape = BodyTape(limit: 100, timedBy: clock.netClock)
        tape.append(Bytes("a".utf8))
        await clock.advance(by: .seconds(2))
        tape.append(Bytes("b".utf8))
        #expect(tape.body().pieces.map(\.delay) == [.zero, .seconds(2)])
    }

    @Test func tinyPiecesAreJoinedBeforeTheyTakeMoreMemoryThanTheirBytes() {
        let tape = BodyTape(limit: 65_536, timedBy: TestClock().netClock)
        for _ in 0..<70_000 { tape.append([7]) }
        let body = tape.body()
        #expect(body.pieces.count == 4096)
        #expect(body.keptCount == 65_536)
        #expect(body.count == 70_000)
    }

    @Test func aBodyThatIsStillBeingSentIsCutWhereItStands() {
        let tape = BodyTape(limit: 100)
        tape.start()
        tape.append(Bytes("lost".utf8))
        // The body is sent again.
        tape.start()
        tape.append(Bytes("abc".utf8))
        #expect(tape.body().isCut)
        #expect(tape.body().bytes.elementsEqual("abc".utf8))
        tape.freeze()
        tape.append(Bytes("later".utf8))
        tape.end()
        tape.start()
        #expect(tape.body().isCut)
        #expect(tape.body().bytes.elementsEqual("abc".utf8))
    }
}
