#if os(Linux)
internal import Glibc
internal import Synchronization

/// Distinguishes a child process created by `fork` from its parent. The child has the parent's memory but none of its
/// threads: a lock may stay locked forever, and two processes that read from the same connection would each get only
/// some of its bytes.
enum ForkGeneration {
    private static let forks = Atomic<Int>(0)
    private static let isWatched = pthread_atfork(nil, nil, { ForkGeneration.forks.add(1, ordering: .relaxed) }) == 0

    /// A number that is different in a child process.
    static var current: Int {
        _ = isWatched
        return forks.load(ordering: .relaxed)
    }

    /// True if this process is a child of the one in which `generation` was read.
    static func isOver(_ generation: Int) -> Bool { forks.load(ordering: .relaxed) != generation }
}
#endif
