internal import Synchronization

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
    ///   - cause: The count that the attempt belongs to, in ``attemptCounts``. Default ``AttemptCause/retry``.
    public mutating func repeatRequest(
        after wait: Duration = .zero, reason: String, cause: AttemptCause = .retry
    ) async throws(NetError) {
        announceAttempt(after: wait, reason: reason, cause: cause)
        if wait > .zero { try await pause(for: wait) }
        attempt = max(call.attempts, attempt) + 1
        call.reached.max(attempt, ordering: .relaxed)
    }

    /// Reports an attempt that will run beside this one. It is numbered when it begins, since this one may still wait
    /// for its turn.
    package func announceAttempt(after wait: Duration = .zero, reason: String, cause: AttemptCause) {
        call.count(cause)
        record(.retrying(attempt: max(call.attempts, attempt) + 1, after: wait, reason: reason))
    }

    /// Numbers this context for the next attempt if it isn't a repetition, because a redirect leads on.
    package mutating func followRedirect() {
        call.count(.redirect)
        attempt = call.attempts + 1
    }

    /// The attempts of the call after its first, by cause, up to now and wherever in the chain they were made.
    public var attemptCounts: AttemptCounts { call.progress.withLock { $0.counts } }

    /// Begins an attempt and numbers it; called only where the chain ends.
    mutating func beginAttempt() {
        attempt = call.beginAttempt(attempt)
        isInAttempt = true
    }
}
