extension CallContext {
    /// Waits on the client's clock, as a pause between two attempts does. Throws `.cancelled` if the task is cancelled,
    /// `.timeout` if the call's total time-out passes, and the client's reason if it ends the call.
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

    /// Runs `body` in a task of its own, and waits for it as long as the call lasts.
    ///
    /// The task is cancelled when this one is, when the client ends the call and when its total time-out passes. It may
    /// ignore that; the wait ends all the same, and the value is dropped when it comes.
    ///
    /// - Returns: The body's value; nil if the wait ended first. ``checkLife(_:)`` throws the reason then; without one, the
    ///   task was cancelled.
    package func unlessEnded<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value? {
        let race = CallRace<Value>()
        let task = Task<Void, Never>.startingHere { race.finish(await body()) }
        // Nothing that it did had to wait.
        if let value = race.value { return value }
        return await untilEnded {
            await race.wait()
        } giveUp: {
            task.cancel()
            race.giveUp()
        }
    }

    /// Waits in the caller's task, and calls `giveUp` when that is cancelled, when the client ends the call and when its
    /// total time-out passes: `wait` returns soon after. It may be called more than once, before the wait and after it.
    package func untilEnded<Value: Sendable>(
        _ wait: () async -> Value, giveUp: @escaping @Sendable () -> Void
    ) async -> Value {
        await untilCallEnded({ await withTaskCancellationHandler(operation: wait, onCancel: giveUp) }, giveUp: giveUp)
    }

    /// The same, but the cancellation of the caller's task doesn't count. It stays on the caller's actor, which costs one
    /// switch of threads less there.
    package func untilCallEnded<Value: Sendable>(
        _ wait: () async -> Value, giveUp: @escaping @Sendable () -> Void
    ) async -> Value {
        let handler = recorder.untilForgotten(giveUp)
        let isTimed = recorder.watchDeadline()
        defer {
            if isTimed { recorder.forgetDeadline() }
            if let handler { recorder.forget(handler) }
        }
        return await wait()
    }

    /// The same for a body that throws; throws the reason if the wait ended first.
    package func unlessEnded<Value: Sendable>(
        _ phase: NetError.Phase, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let result: Result<Value, any Error>? = await unlessEnded {
            do { return .success(try await body()) } catch { return .failure(error) }
        }
        // A body that was cancelled because the call ended throws something that is only a consequence.
        if case .success(let value) = result { return value }
        try checkLife(phase)
        guard let result, !Task.isCancelled else {
            throw error(.cancelled, phase: phase, message: "the call was cancelled while it waited")
        }
        return try result.get()
    }

    /// The error of a call that left behind what it waited for: the reason why it ended, or else its task was cancelled.
    package func abandoned(_ phase: NetError.Phase) -> NetError {
        let context = atLastHop
        guard let reason = context.endReason else {
            return context.error(.cancelled, phase: phase, message: "the call was cancelled")
        }
        return context.error(reason.code, phase: phase, message: reason.message)
    }

    /// Throws the reason why the call has ended before its time: the client ended it, or its total time-out has passed.
    package func checkLife(_ phase: NetError.Phase) throws(NetError) {
        if let reason = endReason { throw error(reason.code, phase: phase, message: reason.message) }
    }

    /// The error; if the call was ended from outside, that reason in its place, since the error is only a consequence.
    package func explained(_ error: NetError) -> NetError {
        guard let reason = recorder.reason else { return error }
        // The request that it was at: a redirect or another attempt.
        return NetError(
            reason.code, phase: error.phase, message: reason.message, call: error.call ?? summary,
            elapsed: error.elapsed ?? elapsed)
    }

    private var endReason: CallLife.Reason? {
        if let reason = recorder.reason { return reason }
        guard let deadline, deadline <= environment.clock.now() else { return nil }
        return recorder.lateness
    }
}
