extension CallContext {
    /// Waits on the client's clock, like the pause between two attempts.
    ///
    /// Throws `.cancelled` if the task is cancelled, `.timeout` if the call's total timeout passes, and the client's
    /// reason if the client ends the call.
    ///
    ///     struct Patient: Middleware {
    ///         func intercept(_ request: PreparedRequest, context: CallContext, next: Next) async throws -> StreamedResponse {
    ///             try await context.pause(for: .milliseconds(10))
    ///             return try await next(request, context)
    ///         }
    ///     }
    public func pause(for duration: Duration) async throws(NetError) {
        let clock = environment.clock
        let isWhole = await unlessEnded {
            do {
                try await clock.sleep(for: duration)
                return !Task.isCancelled
            } catch {
                return false
            }
        }
        try checkLife(.queued)
        if isWhole != true {
            throw self.error(.cancelled, phase: .queued, message: "the call was cancelled while it waited")
        }
    }

    /// Runs `body` in a separate task and waits for it as long as the call lasts.
    ///
    /// The task is cancelled when the calling task is cancelled, when the client ends the call and when the call's
    /// total timeout passes. If `body` ignores cancellation, the wait ends anyway, and its value is dropped.
    ///
    /// - Returns: The body's value; nil if the wait ended first. In that case, ``checkLife(_:)`` throws the reason; if
    ///   it doesn't throw, the task was cancelled.
    package func unlessEnded<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value? {
        let race = CallRace<Value>()
        let task = Task<Void, Never>.startingHere { race.finish(await body()) }
        // The body finished without suspending.
        if let value = race.value { return value }
        return await untilEnded {
            await race.wait()
        } giveUp: {
            task.cancel()
            race.giveUp()
        }
    }

    /// Waits in the caller's task, at most until the call ends: calls `giveUp` when that task is cancelled, when the
    /// client ends the call and when the call's total timeout passes; `wait` must return soon after.
    ///
    /// A transport or middleware that waits only like this, or with ``pause(for:)``, may return true from
    /// ``CallPart/endsWithCall``. `giveUp` may be called more than once, before the wait and after it, on any thread;
    /// it must not block. An error thrown after that is replaced by the error of the call, which contains the reason
    /// for its end.
    ///
    ///     struct Remote: HTTPTransport {
    ///         let send: @Sendable (PreparedRequest) -> Task<StreamedResponse, Never>
    ///         var endsWithCall: Bool { true }
    ///
    ///         func execute(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> StreamedResponse {
    ///             let task = send(request)
    ///             return await context.untilEnded { await task.value } giveUp: { task.cancel() }
    ///         }
    ///     }
    public func untilEnded<Value: Sendable>(
        _ wait: () async -> Value, giveUp: @escaping @Sendable () -> Void
    ) async -> Value {
        await untilCallEnded({ await withTaskCancellationHandler(operation: wait, onCancel: giveUp) }, giveUp: giveUp)
    }

    /// Like ``untilEnded(_:giveUp:)``, but ignores cancellation of the caller's task. Stays on the caller's actor,
    /// which saves one thread switch there.
    package func untilCallEnded<Value: Sendable>(
        _ wait: () async -> Value, giveUp: @escaping @Sendable () -> Void
    ) async -> Value {
        let handler = call.untilForgotten(giveUp)
        let isTimed = call.watchDeadline()
        defer {
            if isTimed { call.forgetDeadline() }
            if let handler { call.forget(handler) }
        }
        return await wait()
    }

    /// Like ``unlessEnded(_:)``, for a body that throws. Throws the reason if the wait ended first.
    package func unlessEnded<Value: Sendable>(
        _ phase: NetError.Phase, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let result: Result<Value, any Error>? = await unlessEnded {
            do { return .success(try await body()) } catch { return .failure(error) }
        }
        // An error thrown by a body that was cancelled because the call ended is only a consequence of the end.
        if case .success(let value) = result { return value }
        try checkLife(phase)
        guard let result, !Task.isCancelled else {
            throw error(.cancelled, phase: phase, message: "the call was cancelled while it waited")
        }
        return try result.get()
    }

    /// Returns the error of a call that stopped waiting: the reason for its end or, if there is none, `.cancelled`.
    package func abandoned(_ phase: NetError.Phase) -> NetError {
        let context = atLastHop
        guard let reason = context.endReason else {
            return context.error(.cancelled, phase: phase, message: "the call was cancelled")
        }
        return context.error(reason.code, phase: phase, message: reason.message)
    }

    /// Calls `handler` when the call is ended from outside, by its client or by its total timeout: immediately if that
    /// has already happened, never after the call is over. Use it for work that continues after
    /// ``untilEnded(_:giveUp:)``, such as a body that is still arriving.
    ///
    /// `handler` runs on any thread and must not block. It is kept as long as the call lasts. Without a client, nothing
    /// ends a call, and the handler is dropped.
    public func onEnd(_ handler: @escaping @Sendable () -> Void) {
        call.onEnd(handler)
        _ = call.watchDeadline()
    }

    /// Throws the reason if the client has ended the call or its total timeout has passed.
    package func checkLife(_ phase: NetError.Phase) throws(NetError) {
        if let reason = endReason { throw error(reason.code, phase: phase, message: reason.message) }
    }

    /// Throws the reason if the call has been ended from outside.
    package func checkEnd(_ phase: NetError.Phase) throws(NetError) {
        if let reason = call.reason { throw error(reason.code, phase: phase, message: reason.message) }
    }

    /// Returns the reason as an error if the call was ended from outside, since `error` is then only a consequence.
    /// Returns `error` otherwise.
    package func explained(_ error: NetError) -> NetError {
        guard let reason = call.reason else { return error }
        // The error's own summary names the request that the call had reached: a redirect or another attempt.
        return NetError(
            reason.code, phase: error.phase, message: reason.message, call: error.call ?? summary,
            elapsed: error.elapsed ?? elapsed)
    }

    private var endReason: RunningCall.EndReason? {
        if let reason = call.reason { return reason }
        guard let deadline, deadline <= environment.clock.now() else { return nil }
        return call.lateness
    }
}
