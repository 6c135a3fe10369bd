#if Server
internal import NIOCore
internal import NetSocketCore
internal import Synchronization

/// The lane of one event loop: work for all its connections, and an executor for handlers that should stay on the
/// loop.
///
/// Work that is added while the loop reads waits for the end of the turn, and all data written in a turn is flushed
/// once at its end. A command whose handler runs on the loop is read, run and replied to in one turn, without passing
/// through the loop's own queue.
final class LoopLane: Lane, TaskExecutor {
    enum Job: Sendable {
        case work(@Sendable () -> Void)
        case task(UnownedJob)
    }

    private struct Inbox {
        var jobs: [Job] = []
        /// True if the jobs are already scheduled to run.
        var isExpected = false
    }

    /// The maximum number of rounds in one turn, so that handlers that keep adding work leave time for reading.
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

    /// The number of waiting work items from which ``settle()`` waits.
    static let maximumWaiting = 1000

    func settle() async {
        guard inbox.withLock({ $0.jobs.count >= Self.maximumWaiting }) else { return }
        await withUnsafeContinuation { continuation in add(.work { continuation.resume() }) }
    }

    /// True on the loop's thread.
    var isCurrent: Bool { loop.inEventLoop }

    /// Runs work after the loop has read all that has arrived.
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

    /// Begins a turn of reading: ``endTurn()`` runs the work added from here on. On the loop.
    func beginTurn() {
        guard !memory.isInTurn else { return }
        memory.isInTurn = true
        inbox.withLock { $0.isExpected = true }
    }

    /// Runs the added work, and flushes the written data. On the loop.
    func endTurn() {
        guard memory.isInTurn else { return }
        memory.isInTurn = false
        drain()
    }

    private func drain() {
        // The array that was just run is reused for the next jobs, so that no turn allocates.
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

/// Memory shared by the connections of a loop, so that an idle connection needs none.
///
/// `@unchecked Sendable`: only used on the loop's thread.
final class LaneMemory: @unchecked Sendable {
    let block = ReadBlock()
    let pool = DeflatePool()
    let spare = SpareBlock()
    /// Empty between two reads.
    var events: [WebSocketEvent] = []
    /// Empty between two turns.
    var jobs: [LoopLane.Job] = []
    var isInTurn = false
    /// The number of bytes written and not yet added to the metrics.
    var sentBytes = 0
    /// The connections that have written data in this turn.
    private var written: [SocketChannelHandler] = []
    /// An empty array that keeps its capacity for the next turn.
    private var flushed: [SocketChannelHandler] = []
    /// A reusable buffer whose bytes have been written.
    private var buffer = ByteBuffer()

    func mustFlush(_ handler: SocketChannelHandler) { written.append(handler) }

    func flush() {
        // Flushing may cause more writes, and thus another flush.
        while !written.isEmpty {
            var handlers = flushed
            flushed = []
            swap(&handlers, &written)
            for handler in handlers { handler.flushWritten() }
            handlers.removeAll(keepingCapacity: handlers.capacity <= 1024)
            flushed = handlers
        }
    }

    /// Lends a buffer. If the kernel is still using the bytes it held before, the buffer gets other memory.
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
