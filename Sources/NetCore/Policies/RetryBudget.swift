internal import Synchronization

/// A limit for retries in proportion to all calls that share it. It keeps clients from tripling the load of a server
/// that is already failing.
///
/// Each call deposits a fraction of a retry; each retry withdraws a whole one. A reserve also allows a client that
/// makes few calls to retry.
///
///     let budget = RetryBudget()
///     let middleware = RetryMiddleware(RetryPolicy(), budget: budget)
public final class RetryBudget: Sendable {
    /// The fraction of calls that may be retried.
    public let ratio: Double
    private let limit: Double
    private let balance: Mutex<Double>

    /// Creates a budget from the fraction of calls that may be retried, default 0.2, and the reserve, default 10
    /// retries. At most ten times the reserve is accumulated.
    public init(ratio: Double = 0.2, reserve: Int = 10) {
        self.ratio = ratio.isFinite ? max(0, ratio) : 0
        limit = Double(max(1, reserve)) * 10
        balance = Mutex(Double(max(0, reserve)))
    }

    /// The number of retries that are available now.
    public var available: Int { balance.withLock { Int(exactly: $0.rounded(.down)) ?? .max } }

    /// Records a call.
    package func deposit() { balance.withLock { $0 = min(limit, $0 + ratio) } }

    /// Withdraws one retry; returns false if none is available.
    package func withdraw() -> Bool {
        balance.withLock { balance in
            // A sum of tenths may be slightly less than the whole.
            guard balance >= 1 - 1e-9 else { return false }
            balance = max(0, balance - 1)
            return true
        }
    }
}
