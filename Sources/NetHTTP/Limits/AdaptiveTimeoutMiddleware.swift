internal import NetClient
public import NetCore

/// Shortens the first-byte timeout to fit an origin's response times: if a server that usually responds in 50 ms is
/// silent for a second, the client doesn't wait for half a minute.
///
/// As for that timeout, a response time begins when the whole request has been sent, and ends with the head of the
/// response. Each method has a separate estimate, because a POST usually takes longer than a GET.
///
/// The limit is the smoothed mean plus four deviations, times ``factor``, within ``range``, and never above the call's own.
/// Inside of ``RetryMiddleware``, each attempt is measured.
///
///     let client = HTTPClient(baseURL: "https://api.example.com") {
///         $0.middleware = [RetryMiddleware(), AdaptiveTimeoutMiddleware()]
///     }
public struct AdaptiveTimeoutMiddleware: Middleware {
    /// The multiplier of the estimate; if it's NaN, the upper bound of ``range`` applies. Default 3.
    public let factor: Double
    /// The bounds of the limit. Default 250 ms to 30 s.
    public let range: ClosedRange<Duration>
    private let estimators = PerOrigin { LatencyEstimator() }

    /// Creates the middleware; each method of each origin has a separate estimate.
    public init(factor: Double = 3, range: ClosedRange<Duration> = .milliseconds(250) ... .seconds(30)) {
        self.factor = factor
        self.range = range
    }

    public var endsWithCall: Bool { true }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        let (clock, key) = (context.environment.clock, "\(request.head.method) \(request.origin)")
        var context = context
        if let limit = estimators.change(key, { $0.limit }) {
            // Computed in seconds: multiplying a duration by NaN or by a factor that is too large traps.
            let seconds = limit.inSeconds * factor
            let limit =
                seconds < range.upperBound.inSeconds
                ? max(.nearest(seconds: seconds), range.lowerBound) : range.upperBound
            context.timeouts.firstByte = min(context.timeouts.firstByte ?? limit, limit)
        }
        let start = clock.now()
        do {
            let response = try await next(request, context)
            if let time = Self.time(of: response, to: request, atMost: clock.now() - start) {
                estimators.change(key) { $0.add(time) }
            }
            return response
        } catch {
            // Without this, the client would never again wait for a server that became slower.
            if error.isTimeout, error.phase == .waiting {
                let elapsed = clock.now() - start
                let time = min(elapsed, context.timeouts.firstByte ?? elapsed)
                estimators.change(key) { $0.add(time * 2) }
            }
            throw error
        }
    }

    /// Returns the response time; nil if it isn't known, because the transport doesn't measure how long sending took,
    /// because the response is streamed, or because it came before the whole request was sent.
    private static func time(
        of response: StreamedResponse, to request: PreparedRequest, atMost elapsed: Duration
    ) -> Duration? {
        guard let metrics = response.body.metrics, let head = metrics.firstByte else {
            return request.bodyLength == 0 ? elapsed : nil
        }
        guard let sent = metrics.requestSent else { return request.bodyLength == 0 ? head : nil }
        return sent <= head ? head - sent : nil
    }
}
