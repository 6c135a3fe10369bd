#if os(Linux)
internal import CCurl
internal import Glibc
internal import NetCore
internal import Synchronization

/// The state of the loop: descriptors, handles, live transfers, deadlines. Accessed only with the loop's ``Turn`` held.
///
/// In one turn, the loop takes commands and jobs, makes libcurl start the added transfers, sleeps in `epoll_wait` until
/// a socket, a timer or a wake-up, makes libcurl read and write, then wakes each reader with new data once.
///
/// Only one thread at a time accesses it, so exclusivity isn't checked at run time in properties that every request
/// uses (the checks cost 5% of a small request).
final class LoopCore {
    let loop: EventLoop
    let configuration: EngineConfiguration
    let epoll: CInt
    private var timer: LoopTimer
    /// True if a descriptor was closed since the last `epoll_wait`; its number may have been reused.
    var hasClosedDescriptors = false
    /// The monotonic time at the start of this turn in nanoseconds, stored where callbacks can read it.
    let clock: UnsafeMutablePointer<UInt64>
    var now: UInt64 {
        get { clock.pointee }
        set { clock.pointee = newValue }
    }
    /// The DNS cache and TLS sessions, shared by all multi handles for HTTP.
    let share: UnsafeMutableRawPointer?
    /// The multi handles: one for collected calls, one for streamed calls, then more for byte streams and collected
    /// calls.
    @exclusivity(unchecked) var multis: [MultiHandle] = []
    /// The multi handles for collected calls, including the first of ``multis``.
    @exclusivity(unchecked) var shards: [MultiHandle] = []
    /// Multi handles that have no stream any more, but a connection that libcurl closes only with the handle.
    var spent: [MultiHandle] = []
    /// Byte streams that are connecting or open, and those of them that have a deadline.
    var streams: [ByteStream] = []
    var timedStreams = StreamDeadlines()
    var freeRecord: TLSRecord?
    @exclusivity(unchecked) var sockets: [SocketState] = []
    /// The origins for which connections were opened, by descriptor. Not part of a socket's state, which is copied for
    /// each event.
    var origins: [CInt: String] = [:]
    @exclusivity(unchecked) var live: [Transfer] = []
    /// The transfers that wait for one of those to end.
    @exclusivity(unchecked) var waiting = PriorityLine<Transfer>()
    @exclusivity(unchecked) var freeHandles: [EasyHandle] = []
    /// Unused memory for responses.
    @exclusivity(unchecked) var freeBuffers: [ResponseBuffer] = []
    @exclusivity(unchecked) var remoteAddress = RemoteAddress()
    /// Memory in which the data of several chunks is joined; as large as the largest piece that libcurl delivers.
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(CURL_MAX_WRITE_SIZE), alignment: 1)
    /// Descriptors that libcurl has stopped watching in this turn.
    @exclusivity(unchecked) var unwatched: [CInt] = []
    /// Transfers that have used up their share of this turn and have more data.
    @exclusivity(unchecked) var heldOver: [Transfer] = []
    /// Streamed transfers with new data for which their readers haven't been woken.
    @exclusivity(unchecked) var dirty: [Transfer] = []
    /// The time at which the first of those readers must be woken.
    @exclusivity(unchecked) var nextWaking: UInt64 = .max
    /// The callers whose result is available. They're resumed together: when resumed one by one, each woke a thread
    /// that immediately ran out of work again, which cost a system call for every request.
    @exclusivity(unchecked) var resumptions: [UnsafeContinuation<Void, Never>] = []
    /// True if a connection was shut down in this turn because libcurl didn't return; see ``HeldLoopWatch``.
    @exclusivity(unchecked) var wasHeld = false
    /// True if the loop is shutting down and starts nothing new.
    private(set) var isEnding = false
    /// The time of the next sweep; no deadline is earlier.
    @exclusivity(unchecked) var nextSweep: UInt64 = .max
    /// The time at which to check whether memory can be released; `.max` if nothing has run since the last check.
    @exclusivity(unchecked) var nextTrim: UInt64 = .max
    /// The time at which libcurl must check the connections that it's closing; `.max` if there can't be any.
    @exclusivity(unchecked) var nextClosing: UInt64 = .max
    /// The time at which the network changed; 0 if it never did. Names that were looked up earlier are looked up again.
    @exclusivity(unchecked) var networkChange: UInt64 = 0
    /// The connections from before that change which are still in use.
    @exclusivity(unchecked) var outdated: Set<CInt> = []
    /// The maximum number of live transfers since memory was last released.
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
            // `deinit` doesn't run for a partially initialized object.
            if epoll >= 0 { Glibc.close(epoll) }
            if let share { curl_share_cleanup(share) }
            clock.deallocate()
            scratch.deallocate()
            return nil
        }
        self.timer = timer
        // Edge-triggered, so the counter never has to be read.
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

    /// Takes commands and jobs and makes libcurl start the transfers that they added; returns true if the loop must
    /// end.
    ///
    /// A job that runs here often sends a request, whose response resumes the next job: while there are jobs, this
    /// saves the system call between them that polls the sockets. At most eight rounds, so that sockets aren't starved.
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

    /// True if there are no live transfers or streams, so that only callers can add work.
    var isIdle: Bool { live.isEmpty && streams.isEmpty }

    /// Processes posted commands on a caller's thread while the loop's own thread sleeps. Returns false if the loop's
    /// thread must be woken: for jobs, which must run on it, for the shutdown, and if there is more than a moment's
    /// work.
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

    /// Sets the timer to end the sleep in time, and marks the loop as asleep; returns false if there is something to
    /// do.
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

    /// Makes libcurl run the transfers that were added or resumed.
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
        case .count(let count): count.finish(connectionsByOrigin())
        case .renewConnections: renewConnections()
        }
    }

    private func sleep(_ events: inout [epoll_event]) -> Int {
        let isIdle = fallAsleep()
        hasClosedDescriptors = false
        if isIdle { loop.turn.giveBack() }
        var count = epoll_wait(epoll, &events, CInt(events.count), isIdle ? -1 : 0)
        if isIdle { loop.turn.take() }
        // The loop is awake, so posting no longer needs a system call, above all for the tasks that this turn resumes.
        loop.isAsleep.store(false, ordering: .relaxed)
        // A caller had a turn in the meantime, and the events may belong to closed connections. epoll reports the valid
        // ones again.
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

    /// Ends every transfer and closes every connection.
    private func shutDown() {
        isEnding = true
        for transfer in live + waiting.elements { finish(transfer, with: EventLoop.stopped(transfer.context)) }
        for stream in streams {
            fail(stream, stream.error(.shutdown, phase: .queued, message: EventLoop.stoppedMessage))
        }
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
