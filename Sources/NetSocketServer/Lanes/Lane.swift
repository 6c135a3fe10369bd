#if Server
internal import Synchronization

/// A serial executor for the work of some connections: items run one at a time, in the order in which they were added.
///
/// Only work on its lane accesses the state of a connection, so that no lock is needed, and a program's operations on
/// a connection take effect in the order in which they were called.
protocol Lane: AnyObject, Sendable {
    /// Adds work, which runs after all work added before it. Never runs it before it returns: the caller may hold a
    /// lock, and then calls ``start()`` after releasing it.
    func add(_ work: @escaping @Sendable () -> Void)
    /// Runs the added work, unless it is already running.
    func start()
    /// True if work only runs after ``start()`` is called.
    var needsStart: Bool { get }
    /// Waits until the added work has run, if there is a lot of it: a caller that never waits would fill the memory.
    func settle() async
    /// The executor for async handlers that should stay on the lane; nil if the lane has no thread of its own.
    var executor: (any TaskExecutor)? { get }
}

extension Lane {
    /// Runs work after all work added before it. May run it before it returns.
    func run(_ work: @escaping @Sendable () -> Void) {
        add(work)
        start()
    }
}

/// A lane without a thread. The caller that adds work while the lane is idle runs it, including the work that others
/// add meanwhile.
///
/// For connections over a link in memory: with a stopped clock, all effects have happened when a call returns.
final class InlineLane: Lane {
    private struct Inbox {
        var work: [@Sendable () -> Void] = []
        var isRunning = false
    }

    private let inbox = Mutex(Inbox())

    var executor: (any TaskExecutor)? { nil }

    var needsStart: Bool { true }

    /// Returns immediately: the caller that adds work runs it.
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
