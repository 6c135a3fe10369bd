internal import HTTPTypes
public import NetCore

/// Combines identical concurrent requests into one call.
///
/// `GET` and `HEAD` requests without a body are identical if they have the same URL, headers, caller's identity
/// (``NetCore/CallIdentity``), delivery and options; other requests only if they also have the same
/// ``NetCore/RequestOptions/deduplicationKey`` and body. Every caller gets the same response or error, except for the
/// total timeout: after the first caller's timeout, callers with time left share a new call.
///
/// Bodies are collected up to a limit. If a body is longer, or is a stream of unknown length, the first caller gets
/// it and the others send their own requests. Cancelling one caller doesn't affect the others; cancelling the last
/// one ends the call. Requests that observe their progress or interim responses, or that have their own middleware or
/// decisions about retries and redirects, aren't shared.
///
/// Put it after ``CacheMiddleware`` and before authentication and ``RetryMiddleware``. In any order, no user gets a
/// response that was fetched with another user's credentials.
///
///     let client = HTTPClient(baseURL: "https://api.example.com") {
///         $0.middleware = [CoalescingMiddleware(), RetryMiddleware()]
///     }
///     async let first = client.send(Request<Bytes>("/news", serializer: .bytes))
///     async let second = client.send(Request<Bytes>("/news", serializer: .bytes))
///     print(try await first == second)
public struct CoalescingMiddleware: Middleware {
    /// The maximum size of a body that is shared while it arrives, in bytes. Default 1 MiB.
    public let maximumBodyBytes: Int
    private let flights = CoalescedFlights()

    public var usesIdentity: Bool { true }

    /// Creates the middleware; the default limit of shared bodies is 1 MiB.
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

    /// Returns the response; nil if the shared call ran out of time, and this call has time left.
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
        let decision = ActivityEvent.CacheDecision(.shared, .sameRequest)
        if !isFirst { context.record(.cache(decision)) }
        let result = await flight.wait(isFirst: isFirst, context)
        try context.checkLife(.queued)
        switch result {
        case .success(let answer):
            if let response = answer.response {
                return isFirst ? response : context.capturing(response, to: request, by: decision)
            }
            // The response can't be shared: its body is too long, or it belongs to another identity.
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
                .cancelled, phase: .queued, message: "the call was cancelled while it waited for an identical call")
        }
    }

    private func isOver(_ deadline: Duration?, _ context: CallContext) -> Bool {
        deadline.map { $0 <= context.environment.clock.now() } ?? false
    }

    private func isOver(_ context: CallContext) -> Bool { isOver(context.deadline, context) }
}
