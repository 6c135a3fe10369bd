internal import Synchronization

/// A separate call made by a middleware, such as one that refreshes a response in the background.
///
/// It has its own ID and events, and the identity of the call that it was made for. The client counts it in
/// `unfinishedCalls`, and `cancelAll()` and `shutdown()` end it. It begins with
/// ``CallContext/beginCall(_:delivery:timeouts:)``; from then on, the client can end it. It ends when
/// ``run(through:read:)`` returns, or when it is dropped unused.
///
///     struct Warming: Middleware {
///         func intercept(_ request: PreparedRequest, context: CallContext, next: Next) async throws -> StreamedResponse {
///             let response = try await next(request, context)
///             var warm = request
///             warm.head.path = "/next-page"
///             let call = context.beginCall(warm)
///             Task { try? await call.run(through: next) { response in _ = try await response.body.collect(upTo: 1 << 20) } }
///             return response
///         }
///     }
public final class OwnCall: Sendable {
    private enum State { case begun, running, ended }

    /// The context of the call.
    public let context: CallContext
    private let request: PreparedRequest
    private let state = Mutex(State.begun)

    init(_ request: PreparedRequest, _ context: CallContext) {
        self.request = request
        self.context = context
        context.begin(request)
        _ = context.call.watchDeadline()
    }

    deinit { end(.cancelled) }

    /// Sends the request through a chain, reads the response with `read`, and ends the call. Returns the result of
    /// `read`.
    ///
    /// Redirects aren't followed, because the client follows them outside all middleware. The call ends as completed,
    /// as rejected if the request doesn't accept the status, or as failed with an error of the chain or of `read`,
    /// which is also thrown here. If the client ends the call or its total timeout passes, that error is thrown
    /// immediately, wherever the call is waiting.
    ///
    /// Runs once; a second run throws `.invalidRequest`.
    ///
    /// - Parameters:
    ///   - next: The rest of the middleware's own chain, or another one.
    ///   - read: Reads the response. The call ends when it returns, even if it keeps the response.
    public func run<Value: Sendable>(
        through next: Next, read: @escaping @Sendable (StreamedResponse) async throws -> Value
    ) async throws(NetError) -> Value {
        let isFirst = state.withLock { state in
            defer { if state == .begun { state = .running } }
            return state == .begun
        }
        guard isFirst else {
            throw context.error(
                .invalidRequest, phase: .middleware, message: "an OwnCall runs only once; begin another one"
            )
        }
        let result: Result<(Value, ActivityEvent.Outcome), NetError>? = await context.unlessEnded { [self] in
            do {
                var response = try await next(request, context)
                let status = response.status.code
                let count = ByteCount()
                response.body = response.body.onEnd { count.ended($0) }
                context.call.onEnd { [body = response.body] in body.cancel() }
                let value = try await read(response)
                let isAccepted = request.options.validation.isAcceptable(status)
                return .success(
                    (
                        value,
                        isAccepted
                            ? .completed(status: status, responseBytes: count.value)
                            : .rejected(status: status, responseBytes: count.value)
                    ))
            } catch {
                return .failure(context.error(error, by: "a call made by a middleware"))
            }
        }
        switch result {
        case .success((let value, let outcome)):
            end(outcome)
            return value
        case .failure(let error):
            let error = context.explained(error).belonging(to: context.summary, elapsed: context.elapsed)
            end(error.isCancellation ? .cancelled : .failed(error))
            throw error
        case nil:
            let error = context.abandoned(.middleware)
            end(error.isCancellation ? .cancelled : .failed(error))
            throw error
        }
    }

    private func end(_ outcome: ActivityEvent.Outcome) {
        let isFirst = state.withLock { state in
            defer { state = .ended }
            return state != .ended
        }
        if isFirst { context.end(outcome) }
    }

    /// The number of bytes in a body that has ended.
    private final class ByteCount: Sendable {
        private let count = Atomic<Int64>(0)

        var value: Int64 { count.load(ordering: .relaxed) }

        func ended(_ end: BodyEnd) {
            switch end {
            case .finished(let bytes), .failed(_, let bytes), .cancelled(let bytes):
                count.store(bytes, ordering: .relaxed)
            }
        }
    }
}

extension CallContext {
    /// Begins a separate call of a middleware, made for this one. It has the same identity and can be ended by the same
    /// client. See ``OwnCall``.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - delivery: The delivery of the body. Default collected, up to the request's limit.
    ///   - timeouts: The timeouts; nil for the timeouts of this call, starting now. Default nil.
    public func beginCall(
        _ request: PreparedRequest, delivery: BodyDelivery? = nil, timeouts: Timeouts? = nil
    ) -> OwnCall {
        let context = CallContext(
            for: request, delivery: delivery ?? .collected(upTo: request.options.maximumResponseBytes),
            timeouts: self.timeouts.overridden(by: timeouts), environment: environment
        ).identified(like: self)
        return OwnCall(request, context)
    }
}
