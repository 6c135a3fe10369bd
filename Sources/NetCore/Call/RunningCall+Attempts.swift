internal import Synchronization

/// How far a call has come.
struct CallProgress {
    /// The redirects that were followed; nil if there were none.
    var trail: RedirectTrail?
    /// Returns true for hosts that require https whatever a URL says; nil if nothing in the chain knows any.
    var wantsHTTPS: (@Sendable (_ host: String) -> Bool)?
}

/// The attempts of a call, counted from 1 over retries, new credentials and redirects. One that ends before anything is
/// sent, such as in a middleware, has a number too.
///
/// They are numbered in one place, where the chain ends: ``CallContext/beginAttempt()``. Middleware that sends a request
/// again says so with ``CallContext/repeatRequest(after:reason:)``.
extension RunningCall {
    /// The number of the last attempt; 0 before the first.
    package var attempts: Int { reached.load(ordering: .relaxed) }

    /// Numbers an attempt that begins in a context for attempt `expected`. No two get the same number, even if a
    /// middleware sends twice without saying so.
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

    /// The number of attempts that retry policies have asked for.
    package var retries: Int { retried.load(ordering: .relaxed) }

    /// Counts a retry. All retry policies of a call share the count, so that a new credential or a redirect doesn't
    /// give a request more retries.
    package func countRetry() { retried.add(1, ordering: .relaxed) }

    /// The redirects that were followed; nil if there were none.
    var lastTrail: RedirectTrail? { progress.withLock { $0.trail } }

    /// Records that a redirect is followed.
    func reached(_ trail: RedirectTrail?) { progress.withLock { $0.trail = trail } }

    /// Makes redirects to hosts for which `wantsHTTPS` returns true lead to https.
    package func secureHosts(_ wantsHTTPS: @escaping @Sendable (_ host: String) -> Bool) {
        progress.withLock { progress in
            let others = progress.wantsHTTPS
            progress.wantsHTTPS = { host in others?(host) ?? false || wantsHTTPS(host) }
        }
    }

    /// Returns true if something in the chain knows that a host requires https.
    package func wantsHTTPS(_ host: String) -> Bool { progress.withLock { $0.wantsHTTPS }?(host) ?? false }
}

extension CallContext {
    /// Prepares for sending the request again: reports that to the listeners, waits, and numbers this context for the
    /// next attempt. Send with this context then.
    ///
    /// Throws like ``pause(for:)`` if the call ends while it waits. Attempts are numbered where they begin, also without
    /// this; but then no event says why there is another one.
    ///
    ///     struct Twice: Middleware {
    ///         func intercept(_ request: PreparedRequest, context: CallContext, next: Next) async throws -> StreamedResponse {
    ///             let first = try await next(request, context)
    ///             guard first.status == .badGateway, request.isReplayable else { return first }
    ///             var context = context
    ///             try await context.repeatRequest(after: .seconds(1), reason: "status 502")
    ///             return try await next(request, context)
    ///         }
    ///     }
    ///
    /// - Parameters:
    ///   - wait: The wait before the attempt. Default none.
    ///   - reason: The result of the last attempt, without secrets: `status 503`.
    public mutating func repeatRequest(after wait: Duration = .zero, reason: String) async throws(NetError) {
        announceAttempt(after: wait, reason: reason)
        if wait > .zero { try await pause(for: wait) }
        attempt = max(call.attempts, attempt) + 1
        call.reached.max(attempt, ordering: .relaxed)
    }

    /// Reports an attempt that will run beside this one. It is numbered when it begins, since this one may still wait
    /// for its turn.
    package func announceAttempt(after wait: Duration = .zero, reason: String) {
        record(.retrying(attempt: max(call.attempts, attempt) + 1, after: wait, reason: reason))
    }

    /// Numbers this context for the next attempt if it isn't a repetition, because a redirect leads on.
    package mutating func followRedirect() { attempt = call.attempts + 1 }

    /// Begins an attempt and numbers it; called only where the chain ends.
    mutating func beginAttempt() {
        attempt = call.beginAttempt(attempt)
        isInAttempt = true
    }
}
