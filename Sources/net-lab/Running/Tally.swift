#if Tools && Server
internal import NetCore
internal import NetStore
internal import Synchronization

/// The program's own counts of its calls, for comparison with the contents of the store.
final class Tally: Sendable {
    private let counts = Mutex<[String: [StoredItem.Outcome: Int]]>([:])
    private let elsewhere = Atomic<Int>(0)
    private let opened = Atomic<Int>(0)

    /// The name for all calls without an operation name.
    static let unnamed = "(no name)"

    /// Counts a call that has ended.
    func count(_ outcome: StoredItem.Outcome, of operation: String) {
        counts.withLock { $0[operation, default: [:]][outcome, default: 0] += 1 }
    }

    /// Counts an attempt that the lab's own peer can't have received.
    func countAttemptElsewhere() {
        elsewhere.add(1, ordering: .relaxed)
    }

    /// The number of attempts that the lab's own peer can't have received.
    var attemptsElsewhere: Int { elsewhere.load(ordering: .relaxed) }

    /// Counts an opened WebSocket.
    func countSocket() {
        opened.add(1, ordering: .relaxed)
    }

    /// The number of opened WebSockets.
    var sockets: Int { opened.load(ordering: .relaxed) }

    /// The counts by operation and outcome.
    var all: [String: [StoredItem.Outcome: Int]] { counts.withLock { $0 } }

    /// The number of all calls.
    var total: Int { all.values.reduce(0) { $0 + $1.values.reduce(0, +) } }
}

extension APIError {
    /// The outcome of a call that threw this error.
    var outcome: StoredItem.Outcome {
        switch self {
        case .rejected: .rejected
        case .failed(let error) where error.code == .unacceptableStatus: .rejected
        case .failed(let error): error.isCancellation ? .cancelled : .failed
        }
    }
}
#endif
