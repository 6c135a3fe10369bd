#if os(Linux)
import NetCore
import Testing

@testable import NetCurl

@Suite(.timeLimit(.minutes(2))) struct ReceiveBufferTests {
    private func append(_ buffer: inout ReceiveBuffer, _ bytes: [UInt8]) {
        bytes.withUnsafeBytes { buffer.append($0) }
    }

    private func isFull(_ buffer: inout ReceiveBuffer) -> Bool { buffer.isFull() }

    @Test func anEmptyBufferLetsItsReaderWait() {
        var buffer = ReceiveBuffer(highMark: 10)
        guard case .wait = buffer.take() else { return #expect(Bool(false), "should wait") }
        buffer.finish(nil)
        guard case .end(nil) = buffer.take() else { return #expect(Bool(false), "should end") }
    }

    @Test func bytesComeOutAsTheyWentInAcrossSlabs() {
        var buffer = ReceiveBuffer(highMark: 1 << 20)
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
        append(&buffer, bytes)
        #expect(buffer.buffered == 300_000)
        var out: [UInt8] = []
        while case .chunk(let chunk, resumesTransfer: false) = buffer.take() { out += Array(chunk) }
        #expect(out == bytes)
        #expect(buffer.buffered == 0)
    }

    @Test func atTheMarkTheTransferPausesAndAtHalfItGoesOn() {
        var buffer = ReceiveBuffer(highMark: 1000)
        append(&buffer, [UInt8](repeating: 1, count: 999))
        #expect(!isFull(&buffer))
        #expect(!buffer.isPaused)
        append(&buffer, [1])
        #expect(isFull(&buffer))
        #expect(buffer.isPaused)
        #expect(buffer.buffered == 1000)
        guard case .chunk(let chunk, let resumes) = buffer.take() else {
            return #expect(Bool(false), "should hold bytes")
        }
        #expect(chunk.count == 1000)
        #expect(resumes)
        #expect(!isFull(&buffer))
        #expect(!buffer.isPaused)
    }

    @Test func aPieceIsTakenWholeWhereItBegan() {
        var buffer = ReceiveBuffer(highMark: 10)
        append(&buffer, [1])
        append(&buffer, [UInt8](repeating: 2, count: 100))
        #expect(buffer.buffered == 101)
        #expect(isFull(&buffer))
        buffer.finish(nil)
        #expect(!isFull(&buffer))
    }

    @Test func bytesBeforeAnErrorAreStillRead() {
        var buffer = ReceiveBuffer(highMark: 1000)
        append(&buffer, [1, 2])
        buffer.finish(NetError(.connectionLost, phase: .receiving, message: "cut"))
        buffer.finish(nil)
        guard case .chunk(let chunk, _) = buffer.take() else { return #expect(Bool(false), "should hold bytes") }
        #expect(Array(chunk) == [1, 2])
        guard case .end(let error) = buffer.take() else { return #expect(Bool(false), "should end") }
        #expect(error?.code == .connectionLost)
    }

    @Test func aTakenChunkIsNotWrittenToAgain() {
        var buffer = ReceiveBuffer(highMark: 1000)
        append(&buffer, [1, 2])
        guard case .chunk(let first, _) = buffer.take() else { return #expect(Bool(false), "should hold bytes") }
        append(&buffer, [3])
        guard case .chunk(let second, _) = buffer.take() else { return #expect(Bool(false), "should hold bytes") }
        #expect(Array(first) == [1, 2])
        #expect(Array(second) == [3])
    }
}
#endif
