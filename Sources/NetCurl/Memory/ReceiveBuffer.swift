#if os(Linux)
internal import NetCore

/// A buffer between the loop, which appends bytes, and one reader, which takes them. Bounded by pausing the transfer.
///
/// | event | empty | holds bytes | at the high mark | ended |
/// |---|---|---|---|---|
/// | `isFull` | false | false | true; pauses | false |
/// | `append` | appends | appends | appends | drops the bytes |
/// | `take` | wait | chunk; at half the mark, resumes a paused transfer | chunk | chunks, then end or error |
/// | `finish` | ends | ends, bytes stay readable | ends | keeps the first end |
struct ReceiveBuffer {
    /// The result of ``take()``.
    enum TakeAction {
        case chunk(Bytes, resumesTransfer: Bool)
        case end(NetError?)
        case wait
    }

    private let highMark: Int
    private var full: [Bytes] = []
    private var head = 0
    private var open: ByteStorage?
    private var openCount = 0
    private var end: Result<Void, NetError>?
    /// The number of unread bytes.
    private(set) var buffered = 0
    /// True if the transfer is paused because the reader is slower.
    private(set) var isPaused = false

    init(highMark: Int) {
        self.highMark = highMark
    }

    /// True if the end was received, even if there are unread bytes.
    var hasEnded: Bool { end != nil }

    /// Returns true if the transfer must pause before it appends more, until the reader has made room.
    mutating func isFull() -> Bool {
        guard end == nil, buffered >= highMark else { return false }
        isPaused = true
        return true
    }

    /// Appends all bytes of one read, even beyond the high mark.
    mutating func append(_ source: UnsafeRawBufferPointer) {
        guard end == nil else { return }
        var rest = source[...]
        while !rest.isEmpty {
            let storage = open ?? SlabPool.take()
            open = storage
            let count = min(rest.count, storage.capacity - openCount)
            let piece = rest.prefix(count)
            UnsafeMutableRawBufferPointer(start: storage.base + openCount, count: count)
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: piece))
            openCount += count
            rest = rest.dropFirst(count)
            if openCount == storage.capacity { seal() }
        }
        buffered += source.count
    }

    mutating func take() -> TakeAction {
        if head == full.count { seal() }
        guard head < full.count else {
            switch end {
            case nil: return .wait
            case .success: return .end(nil)
            case .failure(let error): return .end(error)
            }
        }
        let chunk = full[head]
        full[head] = Bytes()
        head += 1
        if head == full.count {
            full.removeAll(keepingCapacity: true)
            head = 0
        }
        buffered -= chunk.count
        let resumes = isPaused && buffered <= highMark / 2
        if resumes { isPaused = false }
        return .chunk(chunk, resumesTransfer: resumes)
    }

    mutating func finish(_ error: NetError?) {
        if end == nil { end = error.map { .failure($0) } ?? .success(()) }
    }

    /// Discards all unread bytes after the reader has been released.
    mutating func discard() {
        full.removeAll()
        head = 0
        open = nil
        openCount = 0
        buffered = 0
    }

    private mutating func seal() {
        guard let storage = open, openCount > 0 else { return }
        full.append(Bytes(storage: storage, count: openCount))
        open = nil
        openCount = 0
    }
}
#endif
