#if os(Linux)
internal import CCurl
internal import Glibc
internal import NetCore
internal import Synchronization

/// What the loop owns: descriptors, handles, live transfers, deadlines. Who touches it holds the loop's ``Turn``.
///
/// One turn: take commands and jobs, let libcurl start what was added, sleep in `epoll_wait` until a socket, a timer or
/// a wake-up, let libcurl read and write, then wake each reader that has something, once.
///
/// One thread at a time touches it: that no two accesses overlap is not checked at run time where each request pays for
/// it (5% of a small one).
final class LoopCore {
    let loop: EventLoop
    let configuration: EngineConfiguration
    let epoll: CInt
    private var timer: LoopTimer
    /// Whether a descriptor was closed since it was last asked what is ready: its number may stand for another by now.
    var hasClosedDescriptors = false
    /// The monotonic clock at the start of this turn, in nanoseconds, where callbacks read it.
    let clock: UnsafeMutablePointer<UInt64>
    var now: UInt64 {
        get { clock.pointee }
        set { clock.pointee = newValue }
    }
    /// Names that were looked up and TLS sessions, for all multi handles of HTTP.
    let share: UnsafeMutableRawPointer?
    /// For collected calls, for streamed ones, then more for byte streams and for collected calls.
    @exclusivity(unchecked) var multis: [MultiHandle] = []
    /// Those for collected calls, the first of ``multis`` among them.
    @exclusivity(unchecked) var shards: [MultiHandle] = []
    /// Handles whose stream is gone, where that alone does not close its connection.
    var spent: [MultiHandle] = []
    /// Byte streams that are connecting or open, and those of them that have a deadline.
    var streams: [ByteStream] = []
    var timedStreams: [ByteStream] = []
    var freeRecord: TLSRecord?
    @exclusivity(unchecked) var sockets: [SocketState] = []
    @exclusivity(unchecked) var live: [Transfer] = []
    /// The line; nil in front of ``waitingHead``, so that nobody who has left it is held.
    @exclusivity(unchecked) var waiting: [Transfer?] = []
    @exclusivity(unchecked) var waitingHead = 0
    @exclusivity(unchecked) var freeHandles: [EasyHandle] = []
    /// Memory for responses that nobody has.
    @exclusivity(unchecked) var freeBuffers: [ResponseBuffer] = []
    @exclusivity(unchecked) var remoteAddress = RemoteAddress()
    /// Where the data of many chunks is put together: as much as libcurl hands over at once.
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(CURL_MAX_WRITE_SIZE), alignment: 1)
    /// Descriptors that libcurl has stopped watching in this turn.
    @exclusivity(unchecked) var unwatched: [CInt] = []
    /// Transfers that have had their turn, and have more.
    @exclusivity(unchecked) var heldOver: [Transfer] = []
    /// Streamed transfers whose readers have something to take that they were not told of.
    @exclusivity(unchecked) var dirty: [Transfer] = []
    /// When the first of them must be told.
    @exclusivity(unchecked) var nextWaking: UInt64 = .max
    /// Callers that have their answer. They are resumed together: one after the other, each woke a thread that had nothing
    /// to do again at once, a system call for every request.
    @exclusivity(unchecked) var resumptions: [UnsafeContinuation<Void, Never>] = []
    /// Whether a connection was ended in this turn because libcurl did not come back from it; see ``HeldLoopWatch``.
    @exclusivity(unchecked) var wasHeld = false
    /// Whether the loop is shutting down: nothing starts any more.
    private(set) var isEnding = false
    /// No deadline of a live transfer is earlier.
    @exclusivity(unchecked) var nextSweep: UInt64 = .max
    /// When to look whether memory can go back; `.max` while nothing has run since the last time.
    @exclusivity(unchecked) var nextTrim: UInt64 = .max
    /// When libcurl must look at the connections that it is closing; `.max` while none may be closed.
    @exclusivity(unchecked) var nextClosing: UInt64 = .max
    /// The most live transfers since that was done last.
    @exclusivity(unchecked) var mostLive = 0
    @exclusivity(unchecked) private var commands: [EventLoop.Command] = []
    @exclusivity(unchecked) private var jobs: [UnownedJob] = []

    init?(loop: EventLoop) {
        self.loop = loop
        configuration = loop.configuration
        clock = .allocate(capacity: 1)
        clock.initialize(to: 0)
        share = CurlGlobal.status == CURLE_OK ? net_share_make() : nil
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0, let timer = LoopTimer(epoll: epoll) else {
            // No `deinit` runs for what was never whole.
            if epoll >= 0 { Glibc.close(epoll) }
            if let share { curl_share_cleanup(share) }
            clock.deallocate()
            scratch.deallocate()
            return nil
        }
        self.timer = timer
        // Edge-triggered: the counter need never be read back.
        _ = net_epoll_control(
            epoll, EPOLL_CTL_ADD, loop.wakeDescriptor, EPOLLIN.rawValue | EPOLLET.rawValue)
        guard let collected = MultiHandle(core: self, kind: .collected),
            let streamed = MultiHandle(core: self, kind: .streamed)
        else { return nil }
        multis = [collected, streamed]
        shards = [collected]
    }

    deinit {
        timer.close()
        Glibc.close(epoll)
        if let share { curl_share_cleanup(share) }
        clock.deallocate()
        scratch.deallocate()
    }

    static func readClock() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    func run() {
        loop.turn.take()
        loop.core = self
        defer {
            loop.core = nil
            loop.turn.giveBack()
        }
        var events = [epoll_event](repeating: epoll_event(), count: 512)
        while true {
            now = Self.readClock()
            if !heldOver.isEmpty { resumeHeldOver() }
            if takeInbox() { break }
            let count = sleep(&events)
            now = Self.readClock()
            handle(events, count: count)
            for multi in multis where multi.deadline != .max && multi.deadline <= now { multi.runTimeouts() }
            reap()
            if nextSweep <= now { sweepDeadlines() }
            if nextTrim <= now { trimMemory() }
            if nextClosing <= now { closeRest() }
        }
        shutDown()
    }

    /// Takes commands and jobs and lets libcurl start what they added; true when the loop must end.
    ///
    /// A job that runs here sends, and its answer resumes the next job: as long as there is some, a system call between
    /// them that asks for sockets is saved. Eight times at most, so that sockets are not forgotten.
    private func takeInbox() -> Bool {
        for _ in 0..<8 {
            let isStopping = loop.inbox.withLock { inbox in
                swap(&commands, &inbox.commands)
                swap(&jobs, &inbox.jobs)
                return inbox.isStopping
            }
            let isIdle = commands.isEmpty && jobs.isEmpty
            let executor = loop.asUnownedTaskExecutor()
            for job in jobs { job.runSynchronously(on: executor) }
            jobs.removeAll(keepingCapacity: true)
            performCommands()
            if isStopping { return true }
            kick()
            if isIdle { break }
        }
        return false
    }

    /// Whether nothing is waited for but what callers bring.
    var isIdle: Bool { live.isEmpty && streams.isEmpty }

    /// Starts what callers brought, on the thread of one of them, while the loop's thread sleeps; false when that one must
    /// be woken: for jobs, which are promised its thread, for the end, and when there is more than a moment's work.
    func runTurnOfCaller() -> Bool {
        now = Self.readClock()
        for _ in 0..<4 {
            loop.inbox.withLock { swap(&commands, &$0.commands) }
            performCommands()
            kick()
            guard fallAsleep() else { continue }
            return true
        }
        return false
    }

    /// Lets the timer end the sleep in time, and says that from now on the loop must be woken; false when there is something
    /// to do.
    private func fallAsleep() -> Bool {
        cleanUpSpent()
        let deadline = multis.reduce(min(nextSweep, nextWaking, nextTrim, nextClosing)) { min($0, $1.deadline) }
        guard deadline > now, heldOver.isEmpty else { return false }
        timer.fire(by: deadline, now: now)
        return loop.inbox.withLock { inbox in
            guard inbox.commands.isEmpty, inbox.jobs.isEmpty, !inbox.isStopping else { return false }
            loop.isAsleep.store(true, ordering: .releasing)
            return true
        }
    }

    private func performCommands() {
        for command in commands { perform(command) }
        commands.removeAll(keepingCapacity: true)
    }

    /// Lets libcurl run what was added or resumed.
    private func kick() {
        for multi in multis where multi.needsKick { multi.runTimeouts() }
        reap()
    }

    private func perform(_ command: EventLoop.Command) {
        switch command {
        case .start(let transfer): admit(transfer)
        case .cancel(let transfer): cancel(transfer)
        case .resumeReceiving(let transfer): resumeReceiving(transfer)
        case .resumeSending(let transfer): resumeSending(transfer)
        case .open(let stream): open(stream)
        case .signal(let stream): signal(stream)
        }
    }

    private func sleep(_ events: inout [epoll_event]) -> Int {
        let isIdle = fallAsleep()
        hasClosedDescriptors = false
        if isIdle { loop.turn.giveBack() }
        var count = epoll_wait(epoll, &events, CInt(events.count), isIdle ? -1 : 0)
        if isIdle { loop.turn.take() }
        // Awake: what is posted from now on needs no system call, above all by the tasks that this turn resumes.
        loop.isAsleep.store(false, ordering: .relaxed)
        // A caller had a turn meanwhile, and what epoll said may be of a connection that is gone. It says it again.
        if hasClosedDescriptors { count = epoll_wait(epoll, &events, CInt(events.count), 0) }
        return Int(max(0, count))
    }

    private func handle(_ events: [epoll_event], count: Int) {
        for index in 0..<count {
            var event = events[index]
            let descriptor = net_epoll_descriptor(&event)
            if descriptor == loop.wakeDescriptor || descriptor == timer.descriptor { continue }
            socketIsReady(descriptor, net_epoll_events(&event))
        }
    }

    /// Ends every transfer, closes every connection.
    private func shutDown() {
        isEnding = true
        for transfer in live + inLine { finish(transfer, with: EventLoop.stopped(transfer.context)) }
        for stream in streams { fail(stream, EventLoop.stopped(stream.context)) }
        resumeCallers()
        loop.counters.handles.subtract(freeHandles.count, ordering: .relaxed)
        freeHandles.removeAll()
        for multi in multis { multi.cleanUp() }
        cleanUpSpent()
        multis = []
        shards = []
    }
}
#endif
