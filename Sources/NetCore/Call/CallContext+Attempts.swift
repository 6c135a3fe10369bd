internal import Synchronization

extension CallContext {
    /// Prepares for sending the request again: reports a retry to the listeners, waits, and numbers this context for
    /// the next attempt. Send the request with this context afterwards.
    ///
    /// Throws like ``pause(for:)`` if the call ends during the wait. Without this function, an attempt is still
    /// numbered when it begins, but no event gives the reason for it.
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

    /// Reports an attempt that will run concurrently with this one. It is numbered when it begins, since this one may
    /// still be waiting for its turn.
    package func announceAttempt(after wait: Duration = .zero, reason: String, cause: AttemptCause) {
        call.count(cause)
        record(.retrying(attempt: max(call.attempts, attempt) + 1, after: wait, reason: reason))
    }

    /// Numbers this context for the next attempt, which follows a redirect and isn't a repetition.
    package mutating func followRedirect() {
        call.count(.redirect)
        attempt = call.attempts + 1
    }

    /// The attempts of the call after its first, by cause, made so far anywhere in the chain.
    public var attemptCounts: AttemptCounts { call.progress.withLock { $0.counts } }

    /// Begins an attempt and numbers it; called only at the end of the chain.
    mutating func beginAttempt() {
        attempt = call.beginAttempt(attempt)
        isInAttempt = true
    }
}
