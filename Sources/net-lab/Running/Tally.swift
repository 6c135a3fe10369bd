#if Tools && Server
internal import NetCore
internal import NetStore
internal import Synchronization

/// What the program itself counts of its calls, to compare with what the store holds.
final class Tally: Sendable {
    private let counts = Mutex<[String: [StoredItem.Outcome: Int]]>([:])
    private let unsent = Atomic<Int>(0)

    /// Counts a call that has ended.
    func count(_ outcome: StoredItem.Outcome, of operation: String) {
        counts.withLock { $0[operation, default: [:]][outcome, default: 0] += 1 }
    }

    /// Counts an attempt that the lab's own server cannot have seen.
    func countUnsentAttempt() {
        unsent.add(1, ordering: .relaxed)
    }

    /// Attempts that the lab's own server cannot have seen.
    var unsentAttempts: Int { unsent.load(ordering: .relaxed) }

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
