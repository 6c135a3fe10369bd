#if Server
internal import Synchronization

/// The place where the work of some connections happens: one piece after another, in the order in which it was handed over.
///
/// The state of a connection is touched by work of its lane only, so that it needs no lock, and what a program does to a
/// connection takes effect in the order in which it was done.
protocol Lane: AnyObject, Sendable {
    /// Hands over work, to be run once everything handed over before it has run. Never runs it before it returns: the caller may
    /// hold a lock, and then calls ``start()`` when it doesn't any more.
    func add(_ work: @escaping @Sendable () -> Void)
    /// Runs what was handed over, where nobody else does.
    func start()
    /// Whether work needs ``start()``.
    var needsStart: Bool { get }
    /// Waits until what was handed over has run, if that is a lot: whoever hands over without end would fill the memory.
    func settle() async
    /// Where async handlers run that should stay on the lane; nil if it has no thread of its own.
    var executor: (any TaskExecutor)? { get }
}

extension Lane {
    /// Runs work once everything handed over before it has run. May run it before it returns.
    func run(_ work: @escaping @Sendable () -> Void) {
        add(work)
        start()
    }
}

/// A lane without a thread: whoever hands work to it while it is idle runs it, and what others hand over meanwhile.
///
/// For connections over a link in memory: with a clock that stands still, everything has happened when a call returns.
final class InlineLane: Lane {
    private struct Inbox {
        var work: [@Sendable () -> Void] = []
        var isRunning = false
    }

    private let inbox = Mutex(Inbox())

    var executor: (any TaskExecutor)? { nil }

    var needsStart: Bool { true }

    /// Whoever hands over work runs it.
    func settle() async {}

    func add(_ work: @escaping @Sendable () -> Void) { inbox.withLock { $0.work.append(work) } }

    func start() {
        let begins = inbox.withLock { inbox in
            defer { inbox.isRunning = true }
            return !inbox.isRunning
        }
        guard begins else { return }
        while let next = takeAll() { for work in next { work() } }
    }

    private func takeAll() -> [@Sendable () -> Void]? {
        inbox.withLock { inbox in
            defer { inbox.work = [] }
            inbox.isRunning = !inbox.work.isEmpty
            return inbox.isRunning ? inbox.work : nil
        }
    }
}
#endif
