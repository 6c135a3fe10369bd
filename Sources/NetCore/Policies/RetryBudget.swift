internal import Synchronization

/// How many repeated requests there may be beside the others, for all calls together: what keeps clients from trebling the
/// load of a server that fails already.
///
/// Each call pays a part of a repetition in; each repetition takes a whole one out. A reserve lets a client that makes few
/// calls repeat some all the same.
///
///     let budget = RetryBudget()
///     let middleware = RetryMiddleware(RetryPolicy(), budget: budget)
public final class RetryBudget: Sendable {
    /// The part of the calls that may be repeated.
    public let ratio: Double
    private let limit: Double
    private let balance: Mutex<Double>

    /// Takes the part of the calls that may be repeated, default 0.2, and the reserve, default 10 repetitions. At most ten
    /// times the reserve is saved up.
    public init(ratio: Double = 0.2, reserve: Int = 10) {
        self.ratio = ratio.isFinite ? max(0, ratio) : 0
        limit = Double(max(1, reserve)) * 10
        balance = Mutex(Double(max(0, reserve)))
    }

    /// Repetitions that there may be now.
    public var available: Int { balance.withLock { Int(exactly: $0.rounded(.down)) ?? .max } }

    /// A call was made.
    package func deposit() { balance.withLock { $0 = min(limit, $0 + ratio) } }

    /// Takes a repetition out; false where there is none.
    package func withdraw() -> Bool {
        balance.withLock { balance in
            // A sum of tenths is a hair short of the whole.
            guard balance >= 1 - 1e-9 else { return false }
            balance = max(0, balance - 1)
            return true
        }
    }
}
