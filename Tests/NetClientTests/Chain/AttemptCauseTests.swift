import HTTPTypes
import NetHTTP
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport

/// The causes of several attempts of a call, and the middleware of a single request.
@Suite(.timeLimit(.minutes(1))) struct AttemptCauseTests {
    private final class Counting: Middleware {
        let counts = Locked<[AttemptCounts]>([])

        func intercept(
            _ request: PreparedRequest, context: CallContext, next: Next
        ) async throws -> StreamedResponse {
            counts.change { $0.append(context.attemptCounts) }
            return try await next(request, context)
        }
    }

    @Test func eachCauseHasItsCount() async throws {
        let counting = Counting()
        let transport = MockTransport([
            Stub(.get, "/x", .status(.unauthorized)).times(1), Stub(.get, "/x", .status(.serviceUnavailable)).times(2),
            Stub(.get, "/x", .status(.found).header(.location, "/y")), Stub(.get, "/y", .text("ok")),
        ])
        let retry = RetryMiddleware(RetryPolicy(backoff: .constant(.milliseconds(1))))
        let client = HTTPClient(baseURL: "http://mock.test", transport: transport) {
            $0.middleware = [retry, Again(), counting]
        }
        try await client.send(Request<String>("x", serializer: .string))
        #expect(
            counting.counts.value.map { [$0.renewals, $0.retries, $0.redirects, $0.hedges] } == [
                [0, 0, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0], [1, 2, 0, 0], [1, 2, 1, 0],
            ])
    }

    /// Sends the request again after a 401, like a custom middleware.
    private struct Again: Middleware {
        func intercept(
            _ request: PreparedRequest, context: CallContext, next: Next
        ) async throws -> StreamedResponse {
            let response = try await next(request, context)
            guard response.status == .unauthorized else { return response }
            var context = context
            try await context.repeatRequest(reason: "status 401", cause: .renewal)
            return try await next(request, context)
        }
    }

    @Test func aHedgeIsCounted() async throws {
        let counting = Counting()
        let clock = TestClock()
        let transport = MockTransport(
            [
                Stub(.get, "/x", .text("slow").delayed(by: .seconds(9))).times(1), Stub(.get, "/x", .text("fast")),
            ])
        let client = HTTPClient(baseURL: "http://mock.test", transport: transport) {
            $0.middleware = [HedgingMiddleware(after: .seconds(1)), counting]
            $0.clock = clock.netClock
        }
        let call = Task { try await client.send(Request<String>("x", serializer: .string)) }
        // The delay of the hedge and that of the first response: before that, the second request could overtake the
        // first.
        try await clock.waitForSleepers(count: 2)
        await clock.advance(by: .seconds(1))
        let text = try await call.value
        #expect(text == "fast")
        #expect(counting.counts.value.map(\.hedges) == [0, 1])
    }

    private struct Mark: Middleware {
        let name: HTTPField.Name
        func intercept(
            _ request: PreparedRequest, context: CallContext, next: Next
        ) async throws -> StreamedResponse {
            var request = request
            request.head.headerFields[name] = "1"
            return try await next(request, context)
        }
    }

    @Test func theMiddlewareOfOneRequestMayReplaceTheClients() async throws {
        let transport = MockTransport([Stub(.get, "/x", .text("ok"))])
        let client = HTTPClient(baseURL: "http://mock.test", transport: transport) {
            $0.middleware = [Mark(name: "X-Client")]
        }
        let get = Request<String>("x", serializer: .string)
        try await client.send(get.with { $0.middleware = [Mark(name: "X-Own")] })
        try await client.send(
            get.with {
                $0.middleware = [Mark(name: "X-Own")]
                $0.replacesMiddleware = true
            })
        try await client.send(get.with { $0.replacesMiddleware = true })
        try await client.send(get)
        #expect(
            transport.journal.requests.map { [$0.headers["X-Client"], $0.headers["X-Own"]] }
                == [["1", "1"], [nil, "1"], [nil, nil], ["1", nil]])
    }
}
