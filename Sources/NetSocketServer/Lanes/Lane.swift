#if Server
internal import Synchronization

/// The place where the work of some connections happens: one piece after another, in the order in which it was handed over.
///
/// The state of a connection is touched by work of its lane only, so that it needs no lock, and what a program does to a
/// connection takes effect in the order in which it was done.
protocol Lane: AnyObject, Sendable {
    /// Runs work once everything handed over before it has run. May run it before it returns.
    func run(_ work: @escaping @Sendable () -> Void)
    /// Where async handlers run that should stay on the lane; nil if it has no thread of its own.
    var executor: (any TaskExecutor)? { get }
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

    func run(_ work: @escaping @Sendable () -> Void) {
        let begins = inbox.withLock { inbox in
            inbox.work.append(work)
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
