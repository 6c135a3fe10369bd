#if os(Linux)
internal import Glibc
internal import Synchronization

/// Tells a child made by `fork` from its parent. The child has the parent's memory but none of its threads: a lock may be
/// held for ever, and two processes that read one connection would share out its bytes between them.
enum ForkGeneration {
    private static let forks = Atomic<Int>(0)
    private static let isWatched = pthread_atfork(nil, nil, { ForkGeneration.forks.add(1, ordering: .relaxed) }) == 0

    /// A number that differs in a child.
    static var current: Int {
        _ = isWatched
        return forks.load(ordering: .relaxed)
    }

    /// Whether the process is a child of the one that had `generation`.
    static func isOver(_ generation: Int) -> Bool { forks.load(ordering: .relaxed) != generation }
}
#endif
