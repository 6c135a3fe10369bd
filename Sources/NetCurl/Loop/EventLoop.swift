#if os(Linux)
internal import CCurl
internal import Glibc
internal import NetCore
internal import Synchronization

/// The thread-safe interface of an engine's loop: an inbox with a fixed set of commands, jobs, and a wake-up.
///
/// The loop runs on its own thread. A command is appended under a lock, and the descriptor that wakes the loop is
/// written only if the loop has marked itself as asleep. A caller that finds the loop asleep and without any transfer
/// sends its request on its own thread (see ``Turn``). As a `TaskExecutor`, the loop runs tasks on its own thread,
/// which also saves the thread switch back if there is one call at a time. Code that blocks there stalls every
/// transfer.
package final class EventLoop: TaskExecutor, Sendable {
    enum Command {
        case start(Transfer)
        case cancel(Transfer)
        case resumeReceiving(Transfer)
        case resumeSending(Transfer)
        case open(ByteStream)
        case signal(ByteStream)
        case count(ConnectionCount)
        case renewConnections
    }

    struct Inbox {
        var commands: [Command] = []
        var jobs: [UnownedJob] = []
        var isStopping = false
        var hasStopped = false
        var stopWaiters: [CheckedContinuation<Void, Never>] = []
    }

    let inbox = Mutex(Inbox())
    /// True if the loop may be in `epoll_wait`. The loop sets it under the inbox's lock, while the inbox is empty, and
    /// clears it without the lock: at worst there is one unnecessary wake-up.
    let isAsleep = Atomic(false)
    let turn = Turn()
    let watch = HeldLoopWatch()
    /// The loop's state, while it runs. `nonisolated(unsafe)`: accessed only with ``turn`` held.
    nonisolated(unsafe) var core: LoopCore?
    let counters: EngineCounters
    let wakeDescriptor: CInt
    let configuration: EngineConfiguration
    let responseBuffers = ResponseBuffers()
    private let generation = ForkGeneration.current

    /// Starts the thread; throws if the system has no file descriptors, memory or threads left.
    init(configuration: EngineConfiguration, counters: EngineCounters) throws(NetError) {
        self.configuration = configuration
        self.counters = counters
        wakeDescriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard wakeDescriptor >= 0 else { throw Self.startError("eventfd") }
        guard let core = LoopCore(loop: self) else {
            throw Self.startError("epoll_create1, timerfd_create or curl_multi_init")
        }
        // `nonisolated(unsafe)`: from here on, only the loop's thread uses it.
        nonisolated(unsafe) let started = Unmanaged.passRetained(core)
        do {
            _ = try SystemThread { [self] in
                net_prepare_thread("swift-net")
                started.takeRetainedValue().run()
                markStopped()
            }
        } catch {
            started.release()
            throw Self.startError("pthread_create", error.number)
        }
    }

    deinit { close(wakeDescriptor) }

    private static func startError(_ call: String, _ number: CInt = errno) -> NetError {
        NetError(
            .unknown, phase: .preparing,
            message: "the network loop cannot start: \(call) failed (errno \(number)); close descriptors, or raise "
                + "the process's limits of descriptors and threads"
        )
    }

    // MARK: Any thread

    func post(_ command: Command) {
        if ForkGeneration.isOver(generation) {
            refuse(command)
            return
        }
        let (wakes, isLate) = inbox.withLock { inbox in
            if inbox.hasStopped { return (false, true) }
            inbox.commands.append(command)
            return (isAsleep.exchange(false, ordering: .acquiringAndReleasing), false)
        }
        if wakes {
            guard case .start = command, takeTurn() else {
                wake()
                return
            }
        }
        if isLate { refuse(command) }
    }

    /// Processes the posted commands on the caller's thread if the loop is asleep and has nothing in progress; returns
    /// false if the loop must be woken. With transfers in progress the loop would soon be awake, and then wait for the
    /// caller.
    private func takeTurn() -> Bool {
        guard Self.letsCallersTakeTurns, turn.takeIfFree() else { return false }
        defer { turn.giveBack() }
        guard let core, core.isIdle else { return false }
        return core.runTurnOfCaller()
    }

    /// True if callers may process commands. False if libcurl can raise SIGPIPE, which is blocked only on the loop's
    /// own thread.
    private static let letsCallersTakeTurns = net_curl_spares_pipe_signal() != 0

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if ForkGeneration.isOver(generation) {
            job.runSynchronously(on: asUnownedTaskExecutor())
            return
        }
        let (wakes, isLate) = inbox.withLock { inbox in
            if inbox.hasStopped { return (false, true) }
            inbox.jobs.append(job)
            return (isAsleep.exchange(false, ordering: .acquiringAndReleasing), false)
        }
        if wakes { wake() }
        // Every job must run: after the end of the loop, on the thread that enqueues it.
        if isLate { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Requests the loop's end; every transfer fails with `.shutdown`.
    func requestStop() {
        if ForkGeneration.isOver(generation) { return }
        inbox.withLock { $0.isStopping = true }
        wake()
    }

    /// Requests the loop's end and waits until its thread has released everything.
    func stop() async {
        if ForkGeneration.isOver(generation) { return }
        requestStop()
        await withCheckedContinuation { continuation in
            let hasStopped = inbox.withLock { inbox in
                if !inbox.hasStopped { inbox.stopWaiters.append(continuation) }
                return inbox.hasStopped
            }
            if hasStopped { continuation.resume() }
        }
    }

    private func wake() {
        var one: UInt64 = 1
        _ = write(wakeDescriptor, &one, 8)
    }

    // MARK: Loop thread

    private func markStopped() {
        let (waiters, commands, jobs) = inbox.withLock { inbox in
            inbox.hasStopped = true
            defer {
                inbox.stopWaiters = []
                inbox.commands = []
                inbox.jobs = []
            }
            return (inbox.stopWaiters, inbox.commands, inbox.jobs)
        }
        for command in commands { refuse(command) }
        for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        for waiter in waiters { waiter.resume() }
    }

    /// Fails a command that was posted too late.
    private func refuse(_ command: Command) {
        switch command {
        case .start(let transfer):
            counters.finished.add(1, ordering: .relaxed)
            transfer.resume(with: .failed(refusal(transfer.context)))
        case .open(let stream):
            if let context = stream.context { stream.handler.streamDidFail(stream, refusal(context)) }
        case .count(let count): count.finish([])
        case .cancel, .resumeReceiving, .resumeSending, .signal, .renewConnections: break
        }
    }

    private func refusal(_ context: CallContext) -> NetError {
        guard ForkGeneration.isOver(generation) else { return Self.stopped(context) }
        return context.error(
            .unsupported, phase: .queued,
            message:
                "this process was forked after the transport was created, and its connections belong to the parent; "
                + "create a transport in the child, or start the child with exec")
    }

    static let stoppedMessage = "the transport was shut down; create a new client to send more"

    static func stopped(_ context: CallContext) -> NetError {
        context.error(.shutdown, phase: .queued, message: stoppedMessage)
    }
}
#endif
