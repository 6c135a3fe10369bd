internal import HTTPTypes
public import NetCore

/// Lets requests that are the same, and under way at the same time, share one call.
///
/// The same are `GET` and `HEAD` without a body that agree in URL, headers, the identity of the caller
/// (``NetCore/CallIdentity``), delivery and options; other methods only where ``NetCore/RequestOptions/deduplicationKey`` agrees too, body and all. Everyone gets the same answer or error,
/// but for the total time-out: when that of the first caller has passed, those who have time left share a new call.
/// Bodies are collected up to a limit; where one is longer, or a stream that does not say how long it is, the first caller gets
/// it and the others send their own request. Who is
/// cancelled leaves the others alone; with the last one the call ends. Requests that watch their progress or interim responses, or
/// bring middleware, share nothing.
///
/// Put it after ``CacheMiddleware`` and before authentication and ``RetryMiddleware``. In any order, no user gets what another
/// one's credentials fetched.
///
///     let client = HTTPClient(
///         configuration: .init(
///             baseURL: "https://api.example.com", middleware: [CoalescingMiddleware(), RetryMiddleware()]))
///     async let first = client.send(Request<Bytes>("/news", serializer: .bytes))
///     async let second = client.send(Request<Bytes>("/news", serializer: .bytes))
///     print(try await first == second)
public struct CoalescingMiddleware: Middleware {
    /// The largest body that is shared while it arrives, in bytes. Default 1 MiB.
    public let maximumBodyBytes: Int
    private let flights = CoalescedFlights()

    public var usesIdentity: Bool { true }

    /// Creates a middleware with that limit.
    public init(maximumBodyBytes: Int = 1 << 20) { self.maximumBodyBytes = maximumBodyBytes }

    public var endsWithCall: Bool { true }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        if request.options.webSocket != nil { return try await next(request, context) }
        let shared = context.identified(by: request)
        guard let print = RequestFingerprint(request, shared) else { return try await next(request, context) }
        while true {
            if let response = try await share(print, request, shared, next) { return response }
        }
    }

    /// The answer; nil where the time of the call that was shared is over, and that of this one is not.
    private func share(
        _ print: RequestFingerprint, _ request: PreparedRequest, _ context: CallContext, _ next: Next
    ) async throws -> StreamedResponse? {
        let (limit, isStreamed) = (maximumBodyBytes, context.delivery == .streamed)
        let (flight, isFirst) = flights.join(print) { flights in
            CoalescedFlight(deadline: context.deadline) { flight in
                do throws(NetError) {
                    let answer = try await SharedAnswer(next(request, context), isStreamed: isStreamed, limit: limit)
                    flights.leave(print, flight)
                    return .success(answer)
                } catch {
                    flights.leave(print, flight)
                    return .failure(error)
                }
            }
        }
        if !isFirst { context.record(.cache(ActivityEvent.CacheDecision(.shared, .sameRequest))) }
        let result = await flight.wait(isFirst: isFirst, context)
        try context.checkLife(.queued)
        switch result {
        case .success(let answer):
            if let response = answer.response { return response }
            // Too long to be shared.
            return try await next(request, context)
        case .failure(let error) where isFirst: throw error
        case .failure(let error) where error.isTimeout && isOver(flight.deadline, context) && !isOver(context):
            return nil
        case .failure(let error):
            throw context.error(
                error.code, phase: error.phase, message: error.message, underlying: error.underlying,
                response: error.response)
        case nil:
            throw context.error(
                .cancelled, phase: .queued, message: "the call was cancelled while it waited for one like it")
        }
    }

    private func isOver(_ deadline: Duration?, _ context: CallContext) -> Bool {
        deadline.map { $0 <= context.environment.clock.now() } ?? false
    }

    private func isOver(_ context: CallContext) -> Bool { isOver(context.deadline, context) }
}
