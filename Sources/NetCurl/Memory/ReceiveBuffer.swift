#if os(Linux)
internal import NetCore

/// The bytes between the loop, which fills, and one reader, which takes: bounded by pausing the transfer.
///
/// | event | empty | holds bytes | at the high mark | ended |
/// |---|---|---|---|---|
/// | `isFull` | no | no | yes: pause | no |
/// | `append` | taken | taken | taken | dropped |
/// | `take` | wait | chunk; resume when a pause falls to half the mark | chunk | chunks, then end or error |
/// | `finish` | ended | ended, bytes stay readable | ended | first end stays |
struct ReceiveBuffer {
    /// What a reader does.
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
    /// Bytes that wait for the reader.
    private(set) var buffered = 0
    /// Whether the transfer is paused because the reader is slower.
    private(set) var isPaused = false

    init(highMark: Int) {
        self.highMark = highMark
    }

    /// Whether the end was reached, whatever is left to read.
    var hasEnded: Bool { end != nil }

    /// Whether the transfer must pause, until a reader makes room, before it appends.
    mutating func isFull() -> Bool {
        guard end == nil, buffered >= highMark else { return false }
        isPaused = true
        return true
    }

    /// Adds bytes: what was read from the connection in one piece is taken in one.
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

    /// The reader is gone: nothing is kept.
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
