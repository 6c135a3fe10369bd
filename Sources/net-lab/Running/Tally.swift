#if Tools && Server
internal import NetCore
internal import NetStore
internal import Synchronization

/// What the program itself counts of its calls, to compare with what the store holds.
final class Tally: Sendable {
    private let counts = Mutex<[String: [StoredItem.Outcome: Int]]>([:])
    private let elsewhere = Atomic<Int>(0)
    private let opened = Atomic<Int>(0)

    /// The name of all calls without the name of an operation.
    static let unnamed = "(no name)"

    /// Counts a call that has ended.
    func count(_ outcome: StoredItem.Outcome, of operation: String) {
        counts.withLock { $0[operation, default: [:]][outcome, default: 0] += 1 }
    }

    /// Counts an attempt that the lab's own peer cannot have seen.
    func countAttemptElsewhere() {
        elsewhere.add(1, ordering: .relaxed)
    }

    /// Attempts that the lab's own peer cannot have seen.
    var attemptsElsewhere: Int { elsewhere.load(ordering: .relaxed) }

    /// Counts a WebSocket that was opened.
    func countSocket() {
        opened.add(1, ordering: .relaxed)
    }

    /// WebSockets that were opened.
    var sockets: Int { opened.load(ordering: .relaxed) }

    /// Counts by operation and outcome.
    var all: [String: [StoredItem.Outcome: Int]] { counts.withLock { $0 } }

    /// All calls.
    var total: Int { all.values.reduce(0) { $0 + $1.values.reduce(0, +) } }
}

extension APIError {
    /// How a call that threw this has ended.
    var outcome: StoredItem.Outcome {
        switch self {
        case .rejected: .rejected
        case .failed(let error) where error.code == .unacceptableStatus: .rejected
        case .failed(let error): error.isCancellation ? .cancelled : .failed
        }
    }
}
#endif
