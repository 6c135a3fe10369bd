extension CallContext {
    /// Waits on the client's clock, as a pause between two attempts does. Throws `.cancelled` when the task is cancelled, and
    /// what ended the call when the client did.
    ///
    ///     struct Patient: Middleware {
    ///         func intercept(_ request: PreparedRequest, context: CallContext, next: Next) async throws -> StreamedResponse {
    ///             try await context.pause(for: .milliseconds(10))
    ///             return try await next(request, context)
    ///         }
    ///     }
    public func pause(for duration: Duration) async throws(NetError) {
        let clock = environment.clock
        let isWhole: Bool = await unlessEnded {
            do {
                try await clock.sleep(for: duration)
                return !Task.isCancelled
            } catch {
                return false
            }
        }
        try checkLife(.queued)
        if !isWhole { throw self.error(.cancelled, phase: .queued, message: "the call was cancelled while it waited") }
    }

    /// Runs `body` in a task that is cancelled when this one is, and when the client ends the call.
    package func unlessEnded<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
        let task = Task { await body() }
        recorder.onEnd { task.cancel() }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Throws what ended the call, where the client did.
    package func checkLife(_ phase: NetError.Phase) throws(NetError) {
        if let reason = recorder.reason { throw error(reason.code, phase: phase, message: reason.message) }
    }

    /// The error, or what ended the call where the client did: then this one is but its consequence.
    package func explained(_ error: NetError) -> NetError {
        guard let reason = recorder.reason else { return error }
        return self.error(reason.code, phase: error.phase, message: reason.message)
    }
}
