#if NET_URLSESSION_ON_LINUX
import Foundation
import Synchronization

/// Linux's Foundation lacks the bound pair of streams that the transport uses for request bodies.
extension Stream {
    static func getBoundStreams(
        withBufferSize size: Int, inputStream: inout InputStream?, outputStream: inout OutputStream?
    ) {
        let lane = BoundLane(size: size)
        inputStream = LaneInput(lane)
        outputStream = LaneOutput(lane)
    }
}

/// The bytes between the two streams. Waiting blocks the calling thread, like in Foundation's own streams.
///
/// `@unchecked Sendable`: everything is read and written under the condition's lock.
private final class BoundLane: @unchecked Sendable {
    private let condition = NSCondition()
    private let size: Int
    private var bytes: [UInt8] = []
    private var isWriterGone = false
    private var isReaderGone = false

    init(size: Int) { self.size = size }

    func write(_ source: UnsafeBufferPointer<UInt8>) -> Int {
        condition.withLock {
            while bytes.count >= size, !isReaderGone { condition.wait() }
            if isReaderGone { return -1 }
            let count = min(source.count, size - bytes.count)
            bytes.append(contentsOf: source.prefix(count))
            condition.broadcast()
            return count
        }
    }

    func read(_ target: UnsafeMutableBufferPointer<UInt8>) -> Int {
        condition.withLock {
            while bytes.isEmpty, !isWriterGone, !isReaderGone { condition.wait() }
            let count = min(bytes.count, target.count)
            bytes.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(target).copyMemory(from: .init(rebasing: $0[..<count]))
            }
            bytes.removeFirst(count)
            condition.broadcast()
            return count
        }
    }

    var isAtEnd: Bool { condition.withLock { bytes.isEmpty && isWriterGone } }

    func endWriting() {
        condition.withLock {
            isWriterGone = true
            condition.broadcast()
        }
    }

    func endReading() {
        condition.withLock {
            isReaderGone = true
            condition.broadcast()
        }
    }
}

private final class LaneInput: InputStream {
    private let lane: BoundLane

    init(_ lane: BoundLane) {
        self.lane = lane
        super.init(data: Data())
    }

    deinit { lane.endReading() }

    override func open() {}
    override func close() { lane.endReading() }
    override var streamStatus: Stream.Status { .open }
    override var hasBytesAvailable: Bool { !lane.isAtEnd }
    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
        lane.read(UnsafeMutableBufferPointer(start: buffer, count: maxLength))
    }
}

private final class LaneOutput: OutputStream {
    private let lane: BoundLane

    init(_ lane: BoundLane) {
        self.lane = lane
        super.init(toMemory: ())
    }

    deinit { lane.endWriting() }

    required init(toMemory: ()) { fatalError("made with a lane") }

    override func open() {}
    override func close() { lane.endWriting() }
    override func write(_ buffer: UnsafePointer<UInt8>, maxLength: Int) -> Int {
        lane.write(UnsafeBufferPointer(start: buffer, count: maxLength))
    }
}
#endif
