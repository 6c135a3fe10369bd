internal import Synchronization

/// The progress of a call.
struct CallProgress {
    /// The attempts after the first, by cause.
    var counts = AttemptCounts()
    /// The waits before the attempts that retry policies have requested: the last one, and their sum.
    var lastRetryWait: Duration?
    var retryWaits = Duration.zero
    /// The redirects that were followed; nil if there were none.
    var trail: RedirectTrail?
    /// Returns true for hosts that require https, even if a URL has another scheme; nil if no part of the chain knows
    /// any.
    var wantsHTTPS: (@Sendable (_ host: String) -> Bool)?
}

/// The attempts of a call, counted from 1 over retries, new credentials and redirects. An attempt that ends before
/// anything is sent, such as in a middleware, also has a number.
///
/// They are numbered in one place, at the end of the chain: ``CallContext/beginAttempt()``. Middleware that sends a
/// request again reports it with ``CallContext/repeatRequest(after:reason:)``.
extension RunningCall {
    /// The number of the last attempt; 0 before the first one.
    package var attempts: Int { reached.load(ordering: .relaxed) }

    /// Numbers an attempt that begins in a context for attempt `expected`. No two attempts have the same number, even
    /// if a middleware sends twice without reporting it.
    func beginAttempt(_ expected: Int) -> Int {
        var last = begun.load(ordering: .relaxed)
        while true {
            let number = max(last + 1, expected)
            let (isDone, found) = begun.weakCompareExchange(expected: last, desired: number, ordering: .relaxed)
            if isDone {
                reached.max(number, ordering: .relaxed)
                return number
            }
            last = found
        }
    }

    /// The number of attempts that retry policies have requested.
    package var retries: Int { retried.load(ordering: .relaxed) }

    /// Counts a retry and the wait before it. All retry policies of a call share the count, so that a new credential or
    /// a redirect doesn't give a request more retries.
    package func countRetry(after wait: Duration) {
        retried.add(1, ordering: .relaxed)
        progress.withLock { progress in
            progress.lastRetryWait = wait
            progress.retryWaits += wait
        }
    }

    /// The waits before retries: the last one, nil if there was none, and their sum.
    package var retryWaits: (last: Duration?, total: Duration) {
        progress.withLock { ($0.lastRetryWait, $0.retryWaits) }
    }

    /// Counts an attempt by its cause.
    func count(_ cause: AttemptCause) { progress.withLock { $0.counts.count(cause) } }

    /// The redirects that were followed; nil if there were none.
    var lastTrail: RedirectTrail? { progress.withLock { $0.trail } }

    /// Records that a redirect is followed.
    func reached(_ trail: RedirectTrail?) { progress.withLock { $0.trail = trail } }

    /// Makes redirects to hosts for which `wantsHTTPS` returns true use https.
    package func secureHosts(_ wantsHTTPS: @escaping @Sendable (_ host: String) -> Bool) {
        progress.withLock { progress in
            let others = progress.wantsHTTPS
            progress.wantsHTTPS = { host in others?(host) ?? false || wantsHTTPS(host) }
        }
    }

    /// Returns true if a part of the chain knows that a host requires https.
    package func wantsHTTPS(_ host: String) -> Bool { progress.withLock { $0.wantsHTTPS }?(host) ?? false }
}
