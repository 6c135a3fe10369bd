#if Server
internal import NIOCore
internal import NetSocketCore
internal import Synchronization

/// The lane of one event loop: work for all its connections, and a place for handlers that should stay on it.
///
/// Work that is handed over while the loop reads waits for the end of the turn, and what was written in a turn is flushed
/// once at its end: a command whose handler runs on the loop is read, run and answered in one turn, without a visit to the
/// loop's own queue.
final class LoopLane: Lane, TaskExecutor {
    enum Job: Sendable {
        case work(@Sendable () -> Void)
        case task(UnownedJob)
    }

    private struct Inbox {
        var jobs: [Job] = []
        /// Somebody is going to run what is there.
        var isExpected = false
    }

    /// The most rounds in one turn, so that handlers that hand over work all the time leave room for reading.
    private static let rounds = 32

    let loop: any EventLoop
    let memory = LaneMemory()
    private let inbox = Mutex(Inbox())

    private let metrics: SocketServerMetrics

    init(_ loop: any EventLoop, _ metrics: SocketServerMetrics) {
        self.loop = loop
        self.metrics = metrics
    }

    var executor: (any TaskExecutor)? { self }

    var needsStart: Bool { false }

    func add(_ work: @escaping @Sendable () -> Void) { add(.work(work)) }

    func start() {}

    /// The work that may wait before those who hand it over do.
    static let maximumWaiting = 1000

    func settle() async {
        guard inbox.withLock({ $0.jobs.count >= Self.maximumWaiting }) else { return }
        await withUnsafeContinuation { continuation in add(.work { continuation.resume() }) }
    }

    /// Whether this is the loop's thread.
    var isCurrent: Bool { loop.inEventLoop }

    /// Runs work once all that has arrived for the loop is read.
    func afterReading(_ work: @escaping @Sendable () -> Void) { loop.execute(work) }

    func enqueue(_ job: consuming ExecutorJob) { add(.task(UnownedJob(job))) }

    private func add(_ job: Job) {
        let isExpected = inbox.withLock { inbox in
            inbox.jobs.append(job)
            defer { inbox.isExpected = true }
            return inbox.isExpected
        }
        if !isExpected { loop.execute { self.drain() } }
    }

    /// Begins a turn of reading: what is handed over from here on is run by ``endTurn()``. On the loop.
    func beginTurn() {
        guard !memory.isInTurn else { return }
        memory.isInTurn = true
        inbox.withLock { $0.isExpected = true }
    }

    /// Runs what was handed over, and flushes what was written. On the loop.
    func endTurn() {
        guard memory.isInTurn else { return }
        memory.isInTurn = false
        drain()
    }

    private func drain() {
        // The array that was run last is filled next: no turn allocates.
        var jobs = memory.jobs
        memory.jobs = []
        defer { memory.jobs = jobs }
        for _ in 0..<Self.rounds {
            inbox.withLock { inbox in
                if inbox.jobs.isEmpty { inbox.isExpected = false } else { swap(&jobs, &inbox.jobs) }
            }
            if jobs.isEmpty { return flush() }
            for job in jobs {
                switch job {
                case .work(let work): work()
                case .task(let task): task.runSynchronously(on: asUnownedTaskExecutor())
                }
            }
            jobs.removeAll(keepingCapacity: jobs.capacity <= 1024)
        }
        flush()
        loop.execute { self.drain() }
    }

    private func flush() {
        memory.flush()
        if memory.sentBytes > 0 { metrics.sent(bytes: memory.sentBytes) }
        memory.sentBytes = 0
    }
}

/// What the connections of a loop share, so that a quiet one has none of its own.
///
/// `@unchecked Sendable`: used on the loop's thread only.
final class LaneMemory: @unchecked Sendable {
    let block = ReadBlock()
    let pool = DeflatePool()
    let spare = SpareBlock()
    /// Empty between two reads.
    var events: [WebSocketEvent] = []
    /// Empty between two turns.
    var jobs: [LoopLane.Job] = []
    var isInTurn = false
    /// What was written and not counted.
    var sentBytes = 0
    /// The connections that have written something in this turn.
    private var written: [SocketChannelHandler] = []
    /// Empty, with room for as many.
    private var flushed: [SocketChannelHandler] = []
    /// A buffer whose bytes have been written.
    private var buffer = ByteBuffer()

    func mustFlush(_ handler: SocketChannelHandler) { written.append(handler) }

    func flush() {
        // Flushing may lead to more that is written, and to another flush.
        while !written.isEmpty {
            var handlers = flushed
            flushed = []
            swap(&handlers, &written)
            for handler in handlers { handler.flushWritten() }
            handlers.removeAll(keepingCapacity: handlers.capacity <= 1024)
            flushed = handlers
        }
    }

    /// Lends a buffer with room. What it held may still be on its way to the kernel: it gets other memory then.
    func takeBuffer(_ channel: any Channel, capacity: Int) -> ByteBuffer {
        guard buffer.capacity >= capacity else { return channel.allocator.buffer(capacity: max(capacity, 512)) }
        var taken = ByteBuffer()
        swap(&taken, &buffer)
        taken.clear()
        return taken
    }

    func giveBack(_ used: consuming ByteBuffer) {
        if used.capacity > buffer.capacity, used.capacity <= 64 << 10 { buffer = used }
    }
}
#endif
