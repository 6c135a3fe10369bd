#if os(Linux)
internal import CCurl
internal import Glibc
internal import NetCore
internal import Synchronization

/// The face of one engine's loop towards all other threads: a bounded set of commands, jobs, and a wake-up.
///
/// The loop runs on a thread of its own. A command is appended under a lock, and the descriptor that wakes the loop is
/// written only when the loop has declared itself asleep. A caller that finds it asleep with no transfer at all sends its
/// request itself (see ``Turn``). As a `TaskExecutor` it runs tasks on the loop's own thread, which spares one call at a time
/// the way back as well; code that blocks there stalls every transfer.
package final class EventLoop: TaskExecutor, Sendable {
    enum Command {
        case start(Transfer)
        case cancel(Transfer)
        case resumeReceiving(Transfer)
        case resumeSending(Transfer)
        case open(ByteStream)
        case signal(ByteStream)
    }

    struct Inbox {
        var commands: [Command] = []
        var jobs: [UnownedJob] = []
        var isStopping = false
        var hasStopped = false
        var stopWaiters: [CheckedContinuation<Void, Never>] = []
    }

    let inbox = Mutex(Inbox())
    /// Whether the loop may be in `epoll_wait`. It says so under the lock of the inbox, when that is empty, and takes it back
    /// without: at worst it is woken once too often.
    let isAsleep = Atomic(false)
    let turn = Turn()
    let watch = HeldLoopWatch()
    /// What the loop owns, while it runs. `nonisolated(unsafe)`: touched with ``turn`` held alone.
    nonisolated(unsafe) var core: LoopCore?
    let counters: EngineCounters
    let wakeDescriptor: CInt
    let configuration: EngineConfiguration
    let responseBuffers = ResponseBuffers()
    private let generation = ForkGeneration.current

    /// Starts the thread. Throws when the system has no descriptors, memory or threads left.
    init(configuration: EngineConfiguration, counters: EngineCounters) throws(NetError) {
        self.configuration = configuration
        self.counters = counters
        wakeDescriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard wakeDescriptor >= 0 else { throw Self.startError("eventfd") }
        var thread = pthread_t()
        let unmanaged = Unmanaged.passRetained(self)
        let status = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let loop = Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue()
                net_prepare_thread("swift-net")
                if let core = LoopCore(loop: loop) { core.run() }
                loop.markStopped()
                return nil
            }, unmanaged.toOpaque())
        guard status == 0 else {
            unmanaged.release()
            throw Self.startError("pthread_create")
        }
        pthread_detach(thread)
    }

    deinit { close(wakeDescriptor) }

    private static func startError(_ call: String) -> NetError {
        NetError(
            .unknown, phase: .preparing,
            message: "the network loop cannot start: \(call) failed (errno \(errno)); too many descriptors or threads?")
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

    /// Starts what was posted on the caller's thread, where the loop sleeps and waits for no answer; false when the loop
    /// must be woken. With transfers on their way it would soon be awake, and then wait for the caller.
    private func takeTurn() -> Bool {
        guard Self.letsCallersTakeTurns, turn.takeIfFree() else { return false }
        defer { turn.giveBack() }
        guard let core, core.isIdle else { return false }
        return core.runTurnOfCaller()
    }

    /// A caller's thread must not get signals that the loop's thread blocks.
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
        // A job must run somewhere: after the end of the loop, where it was enqueued.
        if isLate { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Asks the loop to end; every transfer fails with `.shutdown`.
    func requestStop() {
        if ForkGeneration.isOver(generation) { return }
        inbox.withLock { $0.isStopping = true }
        wake()
    }

    /// Asks the loop to end and waits until its thread has let go of everything.
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

    /// Answers a command that came too late.
    private func refuse(_ command: Command) {
        switch command {
        case .start(let transfer):
            counters.finished.add(1, ordering: .relaxed)
            transfer.resume(with: .failed(refusal(transfer.context)))
        case .open(let stream): stream.handler.streamDidFail(stream, refusal(stream.context))
        case .cancel, .resumeReceiving, .resumeSending, .signal: break
        }
    }

    private func refusal(_ context: CallContext) -> NetError {
        guard ForkGeneration.isOver(generation) else { return Self.stopped(context) }
        return context.error(
            .unsupported, phase: .queued,
            message:
                "this process was forked after the transport was made, and its connections belong to the parent; make "
                + "a transport in the child, or start the child with exec")
    }

    static func stopped(_ context: CallContext) -> NetError {
        context.error(.shutdown, phase: .queued, message: "the transport was shut down; make a new client to send more")
    }
}
#endif
