internal import HTTPTypes
public import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Limits the rate at which requests to each origin start; further ones wait for their turn.
///
/// The middleware respects the server's own limits: after a 429 or 503 with `Retry-After`, and when `RateLimit` or one
/// of its variants (``RateLimit``) reports an exhausted quota, no request to the origin starts before the given time;
/// then requests start at the rate again. A request that would wait longer than ``maximumWait`` or past its deadline
/// fails immediately with `.limited`. A cancelled request returns its turn. Inside `RetryMiddleware`, each attempt
/// counts.
///
///     let client = HTTPClient(baseURL: "https://api.example.com") {
///         $0.middleware = [RetryMiddleware(), RateLimitMiddleware(rate: 10, burst: 20)]
///     }
public struct RateLimitMiddleware: Middleware {
    /// The longest time that a request waits, not negative. Default 30 s.
    public let maximumWait: Duration
    private let buckets: PerOrigin<TokenBucket>

    /// Creates a middleware.
    ///
    /// - Parameters:
    ///   - rate: Requests per second. A rate that isn't a finite number above 0 becomes the lowest rate, one in ten
    ///     years.
    ///   - burst: The maximum number of requests that may start together after a pause, at least 1. Default 1.
    ///   - maximumWait: The longest time that a request waits; negative values become 0. Default 30 s.
    public init(rate: Double, burst: Int = 1, maximumWait: Duration = .seconds(30)) {
        self.maximumWait = max(.zero, maximumWait)
        buckets = PerOrigin { TokenBucket(rate: rate, burst: burst) }
    }

    public var endsWithCall: Bool { true }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        let origin = request.origin
        try await wait(for: origin, context)
        let response = try await next(request, context)
        if let pause = pause(asked: response.head, date: context.environment.clock.date()) {
            let end = context.environment.clock.now() + pause
            buckets.change(origin) { $0.block(until: end) }
        }
        return response
    }

    /// Returns the pause that a response asks for; nil if it doesn't ask for one.
    private func pause(asked head: ResponseHead, date: Date) -> Duration? {
        let isRefusal = [429, 503].contains(head.status.code)
        let after = isRefusal ? head[.retryAfter].flatMap { HTTPDate.delay(retryAfter: $0, now: date) } : nil
        let resets = RateLimit.list(in: head.headers, now: date).filter(\.isExhausted).compactMap(\.reset)
        return (resets + [after].compactMap(\.self)).max()
    }

    private func wait(for origin: String, _ context: CallContext) async throws {
        let clock = context.environment.clock
        let beginning = clock.now()
        let end = beginning + min(maximumWait, context.deadline.map { $0 - beginning } ?? maximumWait)
        var needed = try turn(at: origin, until: end, context)
        while needed > .zero {
            do {
                try await context.pause(for: needed)
            } catch {
                buckets.change(origin) { $0.giveBack() }
                throw error
            }
            // The server may have asked for more time in the meantime. This turn has then expired, and another one is
            // taken.
            guard buckets.change(origin, { [now = clock.now()] in $0.wait(now) }) > .zero else { return }
            needed = try turn(at: origin, until: end, context)
        }
    }

    /// Takes a turn and returns the time until it; throws `.limited` if that would be later than `end`.
    private func turn(at origin: String, until end: Duration, _ context: CallContext) throws -> Duration {
        let now = context.environment.clock.now()
        let (needed, isTaken) = buckets.change(origin) { bucket in
            let needed = bucket.peek(now: now)
            // Time has passed since the wait began: a turn that needs no wait is valid even if no time is left.
            guard needed == .zero || needed <= end - now else { return (needed, false) }
            return (bucket.take(now: now), true)
        }
        guard isTaken else { throw tooLong(needed, end - now, origin, context) }
        return needed
    }

    private func tooLong(_ wait: Duration, _ longest: Duration, _ origin: String, _ context: CallContext) -> NetError {
        context.error(
            .limited, phase: .queued,
            message: "the rate limit for \(origin) requires a wait of \(wait.seconds(places: 3)) s, but only "
                + "\(longest.seconds(places: 3)) s are left")
    }
}
