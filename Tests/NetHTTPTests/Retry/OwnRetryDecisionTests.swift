#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// Rules for retries that are set by a caller or for one request.
@Suite(.timeLimit(.minutes(1))) struct OwnRetryDecisionTests {
    private let quick = RetryPolicy(backoff: .constant(.milliseconds(1)))
    private let get = Request<String>("flaky", serializer: .string)

    private func flaky(_ failures: Int, _ failure: StubResponse = .status(.serviceUnavailable)) -> [Stub] {
        [Stub(nil, "/flaky", failure).times(failures), Stub(nil, "/flaky", .text("fine"))]
    }

    /// A body in memory, and one that a middleware further inside passes on as a stream.
    @Test(arguments: [false, true]) func aDecisionSeesTheBodyOfAResponseThatIsCollected(isStreamed: Bool) async throws {
        struct Streaming: Middleware {
            func intercept(
                _ request: PreparedRequest, context: CallContext, next: Next
            ) async throws -> StreamedResponse {
                var response = try await next(request, context)
                response.body = ResponseBody(
                    AsyncStream { [bytes = response.body.whole ?? Bytes()] feed in
                        feed.yield(bytes)
                        feed.finish()
                    })
                return response
            }
        }
        let bodies = Locked<[String?]>([])
        let retry = RetryMiddleware(quick) { attempt in
            bodies.change { $0.append(attempt.body.map { String(decoding: $0, as: UTF8.self) }) }
            return attempt.body?.elementsEqual("busy".utf8) == true ? .retry() : .byPolicy
        }
        let setup = Fixture.Setup.client { $0.middleware = isStreamed ? [retry, Streaming()] : [retry] }
        try await Fixture.run(flaky(1, .text("busy")), with: setup) { fixture in
            let text = try await fixture.client.send(get)
            #expect(text == "fine")
            #expect(bodies.value == ["busy", "fine"])
            #expect(fixture.server.requests.count == 2)
        }
    }

    @Test func aStreamedBodyIsNotReadForADecision() async throws {
        let bodies = Locked<[Bytes?]>([])
        let retry = RetryMiddleware(quick) { attempt in
            bodies.change { $0.append(attempt.body) }
            return .byPolicy
        }
        try await Fixture.run([.pattern(bytes: 100_000)], with: .client { $0.middleware = [retry] }) { fixture in
            let response = try await fixture.client.stream("bytes")
            #expect(bodies.value == [nil])
            #expect(try await response.body.collect(upTo: 1 << 20).count == 100_000)
        }
    }

    /// A body larger than the call may collect doesn't cause a failure before the decision.
    @Test func aBodyBeyondTheLimitIsNotSeen() async throws {
        let bodies = Locked<[Bytes?]>([])
        let retry = RetryMiddleware(quick) { attempt in
            bodies.change { $0.append(attempt.body) }
            return attempt.error?.code == .bodyTooLarge ? .stop : .byPolicy
        }
        var request = get
        request.options.maximumResponseBytes = 10
        let long = StubResponse.text(String(repeating: "x", count: 1000))
        try await Fixture.run([Stub(nil, "/flaky", long)], with: .client { $0.middleware = [retry] }) { fixture in
            let error = try await failure { try await fixture.client.send(request) }
            #expect(error.code == .bodyTooLarge)
            #expect(bodies.value == [nil])
        }
    }

    @Test func aDecisionMayChangeTheRequest() async throws {
        let retry = RetryMiddleware(quick) { attempt in
            guard attempt.status == 409 else { return .byPolicy }
            var next = attempt.request
            next.head.headerFields["X-Attempt"] = "\(attempt.attempt + 1)"
            return .retry(after: .milliseconds(2), with: next)
        }
        try await Fixture.run(flaky(2, .status(.conflict)), with: .client { $0.middleware = [retry] }) { fixture in
            try await fixture.client.send(get)
            #expect(fixture.server.requests.map { $0.headers["X-Attempt"] } == [nil, "2", "3"])
        }
    }

    @Test func theRequestsOwnDecisionWins() async throws {
        let retry = RetryMiddleware(quick) { _ in .stop }
        try await Fixture.run(flaky(1, .dropped()), with: .client { $0.middleware = [retry] }) { fixture in
            let error = try await failure { try await fixture.client.send(get) }
            #expect(error.code == .connectionLost)
            #expect(fixture.server.requests.count == 1)
        }
        try await Fixture.run(flaky(1, .dropped()), with: .client { $0.middleware = [retry] }) { fixture in
            let codes = Locked<[NetError.Code?]>([])
            let text = try await fixture.client.send(
                get.with {
                    $0.retryDecision = { attempt in
                        codes.change { $0.append(attempt.error?.code) }
                        return attempt.error == nil ? .byPolicy : .retry()
                    }
                })
            #expect(text == "fine")
            #expect(codes.value == [.connectionLost, nil])
        }
    }

    @Test func aDecisionRepeatsNothingThatMayNotBe() async throws {
        let retry = RetryMiddleware(quick) { _ in .retry() }
        try await Fixture.run(flaky(9), with: .client { $0.middleware = [retry] }) { fixture in
            var post = get
            post.method = .post
            let error = try await failure { try await fixture.client.send(post) }
            #expect(error.status == 503)
            #expect(fixture.server.requests.count == 1)
        }
    }

    @Test func oneRequestHasItsOwnAttemptsAndWaits() async throws {
        let log = EventLog()
        let setup = Fixture.Setup.client {
            $0.middleware = [RetryMiddleware(quick)]
            $0.listeners = [log]
        }
        try await Fixture.run(flaky(9), with: setup) { fixture in
            let patient = get.with {
                $0.retryPolicy = RetryPolicy(
                    maximumAttempts: 5, backoff: .linear(.milliseconds(2), jitter: .none), statuses: [503])
            }
            let error = try await failure { try await fixture.client.send(patient) }
            #expect(error.attempt == 5)
            let pauses = log.all.compactMap { event in
                if case .retrying(_, let pause, _) = event.kind { pause } else { nil as Duration? }
            }
            #expect(pauses == [2, 4, 6, 8].map { .milliseconds($0) })
            let hasty = get.with { $0.retryPolicy = RetryPolicy(maximumAttempts: 1) }
            #expect(try await failure { try await fixture.client.send(hasty) }.attempt == 1)
            #expect(fixture.server.requests.count == 6)
        }
    }

    @Test(
        "An error says how often a call was retried, how long it waited, and why it ended",
        arguments: [
            (
                StubResponse.status(.serviceUnavailable),
                "this was after 2 retries and 0.002 s of waiting; the policy allows 3 attempts"
            ),
            (.status(.notFound), "this was after 1 retry and 0.001 s of waiting; status 404 is not retried"),
            (.dropped(), "this was after 2 retries and 0.002 s of waiting; the policy allows 3 attempts"),
            (
                .status(.serviceUnavailable).header(.retryAfter, "600"),
                "this was after 1 retry and 0.001 s of waiting; no further attempt was made, because the server asks "
                    + "for a wait of 600.000 s"
            ),
        ])
    func anErrorTellsItsRetries(last: StubResponse, note: String) async throws {
        let stubs = [Stub(nil, "/flaky", .status(.badGateway)).times(1), Stub(nil, "/flaky", last)]
        try await Fixture.run(stubs, with: .client { $0.middleware = [RetryMiddleware(quick)] }) { fixture in
            let error = try await failure { try await fixture.client.send(get) }
            #expect(error.message.contains(note), "\(error)")
        }
    }

    @Test func anErrorTellsThatADecisionEndedTheRetries() async throws {
        let retry = RetryMiddleware(quick) { $0.attempt == 2 ? .stop : .byPolicy }
        try await Fixture.run(flaky(9), with: .client { $0.middleware = [retry] }) { fixture in
            let error = try await failure { try await fixture.client.send(get) }
            #expect(
                error.message.hasSuffix(
                    "this was after 1 retry and 0.001 s of waiting; the request's own decision ended the retries"),
                "\(error)")
        }
    }

    /// A success reports no retries, and neither does a call that was never retried.
    @Test func onlyRetriedCallsTellOfRetries() async throws {
        try await Fixture.run(
            [Stub(nil, "/flaky", .status(.notFound))], with: .client { $0.middleware = [RetryMiddleware(quick)] }
        ) { fixture in
            let error = try await failure { try await fixture.client.send(get) }
            #expect(!error.message.contains("retr"), "\(error)")
        }
    }
}
#endif
