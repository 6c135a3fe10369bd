import HTTPTypes
import NetHTTP
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport

/// The total timeout and the shutdown of a client end a call wherever it waits, in virtual time: not before the limit
/// and not after it.
@Suite(.timeLimit(.minutes(2))) struct CallLimitTests {
    /// Waits until it is cancelled.
    static func waitPolitely() async throws {
        let stream = AsyncStream<Void> { _ in }
        for await _ in stream {}
        try Task.checkCancellation()
    }

    /// Waits forever, and ignores cancellation.
    static func waitStubbornly(_ open: AsyncStream<Void>) async {
        await Task.detached { for await _ in open { break } }.value
    }

    /// A place where a call waits.
    struct Place: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var middleware: @Sendable (AsyncStream<Void>) -> [any Middleware] = { _ in [] }
        var stubs: @Sendable () -> [Stub] = { [Stub(.get, "/x", .text("ok"))] }

        static let all: [Place] = [
            Place(testDescription: "a credential that is fetched") { _ in
                [
                    AuthMiddleware(
                        RefreshingCredentials(configuration: .init(timeout: .seconds(1000))) { _ in
                            try await waitPolitely()
                            return nil
                        })
                ]
            },
            Place(testDescription: "a token endpoint that ignores cancellation") { open in
                [
                    AuthMiddleware(
                        RefreshingCredentials(configuration: .init(timeout: .seconds(1000))) { _ in
                            await waitStubbornly(open)
                            return nil
                        })
                ]
            },
            Place(testDescription: "a provider of one's own") { open in [AuthMiddleware(Slow(open: open))] },
            Place(testDescription: "the renewal after a 401") { open in
                [AuthMiddleware(Slow(open: open, credential: try? .bearer("old")))]
            } stubs: {
                [Stub(.get, "/x", .text("no", status: .unauthorized))]
            },
            Place(testDescription: "the users of Digest") { open in
                [
                    DigestMiddleware { _ in
                        await waitStubbornly(open)
                        return nil
                    }
                ]
            } stubs: {
                [
                    Stub(.get, "/x") { _ in
                        var response = StubResponse.text("no", status: .unauthorized)
                        response.headers[.wwwAuthenticate] =
                            "Digest realm=\"r\", nonce=\"n\", qop=\"auth\", algorithm=SHA-256"
                        return response
                    }
                ]
            },
            Place(testDescription: "a middleware that sleeps") { _ in
                [Asleep { context in try await context.environment.clock.sleep(for: .seconds(500)) }]
            },
            Place(testDescription: "a middleware that ignores cancellation") { open in
                [Asleep { _ in await waitStubbornly(open) }]
            },
            Place(testDescription: "a middleware that swallows errors and goes on waiting") { open in
                [
                    Asleep { context in
                        try? await context.pause(for: .seconds(500))
                        await waitStubbornly(open)
                    }
                ]
            },
            Place(testDescription: "a pause of a middleware") { _ in
                [Asleep { context in try await context.pause(for: .seconds(500)) }]
            },
            Place(testDescription: "the store of a cache") { open in [CacheMiddleware(SlowStore(open: open))] },
            Place(testDescription: "a middleware behind retry, cache and coalescing") { open in
                [
                    RetryMiddleware(), CacheMiddleware(), CoalescingMiddleware(),
                    HedgingMiddleware(after: .seconds(400)),
                    Asleep { _ in await waitStubbornly(open) },
                ]
            },
            Place(testDescription: "the server's head") { _ in
                [RetryMiddleware()]
            } stubs: {
                [
                    Stub(.get, "/x") { _ in
                        try await waitPolitely()
                        return .text("late")
                    }
                ]
            },
        ]
    }

    struct Slow: CredentialProvider {
        let open: AsyncStream<Void>
        var credential: Credential?

        func credential(for request: PreparedRequest) async throws -> Credential? {
            if let credential { return credential }
            await waitStubbornly(open)
            return nil
        }

        func refreshed(from rejected: Credential?, for request: PreparedRequest) async throws -> Credential? {
            await waitStubbornly(open)
            return nil
        }
    }

    struct Asleep: Middleware {
        let body: @Sendable (CallContext) async throws -> Void

        func intercept(_ request: PreparedRequest, context: CallContext, next: Next) async throws -> StreamedResponse {
            try await body(context)
            return try await next(request, context)
        }
    }

    struct SlowStore: HTTPCacheStore {
        let open: AsyncStream<Void>

        func entries(for key: CacheKey) async -> [CacheEntry] {
            await waitStubbornly(open)
            return []
        }
        func body(of entry: CacheEntry, slice: Range<Int64>?) async -> ResponseBody? { nil }
        func begin(_ entry: CacheEntry, length: Int64?) async -> (any HTTPCacheWriter)? { nil }
        func update(_ entry: CacheEntry) async {}
        func remove(_ key: CacheKey, where isMeant: @Sendable (CacheEntry) -> Bool) async {}
        func removeAll(where isMeant: @Sendable (CacheEntry) -> Bool) async {}
    }

    private struct Trial: Sendable {
        let client: HTTPClient
        let clock: TestClock
        let open: AsyncStream<Void>.Continuation
    }

    /// Runs `body` with a client whose calls wait in this place; a wait that ignores cancellation is released at the
    /// end.
    private func run(_ place: Place, total: Duration?, _ body: (Trial) async throws -> Void) async throws {
        let (stream, open) = AsyncStream<Void>.makeStream()
        let clock = TestClock()
        let client = HTTPClient(baseURL: "http://mock.test", transport: MockTransport(place.stubs())) {
            $0.timeouts = Timeouts(connect: nil, firstByte: nil, stall: nil, total: total)
            $0.middleware = place.middleware(stream)
            $0.clock = clock.netClock
        }
        try await body(Trial(client: client, clock: clock, open: open))
        open.finish()
    }

    private let request = Request<String>("x", serializer: .string)

    @Test(arguments: Place.all) func theTotalTimeoutReachesIt(place: Place) async throws {
        try await run(place, total: .seconds(100)) { (trial) async throws in
            let task = Task { try await failure { try await trial.client.send(request) } }
            try await trial.clock.waitForSleepers(count: 1)
            await trial.clock.advance(by: .seconds(100))
            let error = try await task.value
            #expect(error.code == .timeout, "\(error)")
            #expect(error.elapsed == .seconds(100), "\(error)")
            #expect(error.call != nil)
            #expect(trial.client.unfinishedCalls == 0)
        }
    }

    @Test(arguments: Place.all) func cancelAllReachesIt(place: Place) async throws {
        try await run(place, total: nil) { (trial) async throws in
            let task = Task { try await failure { try await trial.client.send(request) } }
            while trial.client.unfinishedCalls == 0, !Task.isCancelled { await Task.yield() }
            for _ in 0..<100 { await Task.yield() }
            trial.client.cancelAll()
            let error = try await task.value
            #expect(error.code == .cancelled, "\(error)")
            #expect(error.elapsed == .zero, "\(error)")
            #expect(trial.client.unfinishedCalls == 0)
        }
    }

    @Test(arguments: Place.all) func shutdownReturnsWhenTheCallHasEnded(place: Place) async throws {
        try await run(place, total: nil) { (trial) async throws in
            let task = Task { try await failure { try await trial.client.send(request) } }
            while trial.client.unfinishedCalls == 0, !Task.isCancelled { await Task.yield() }
            for _ in 0..<100 { await Task.yield() }
            await trial.client.shutdown()
            #expect(trial.client.unfinishedCalls == 0)
            #expect(try await task.value.code == .shutdown)
        }
    }

    @Test(arguments: Place.all) func cancellingTheTaskReachesIt(place: Place) async throws {
        try await run(place, total: nil) { (trial) async throws in
            let task = Task { try await failure { try await trial.client.send(request) } }
            while trial.client.unfinishedCalls == 0, !Task.isCancelled { await Task.yield() }
            for _ in 0..<100 { await Task.yield() }
            task.cancel()
            let error = try await task.value
            #expect(error.code == .cancelled, "\(error)")
            #expect(trial.client.unfinishedCalls == 0)
        }
    }

    /// One call has the only slot, and another one waits for it.
    @Test(arguments: [false, true]) func theLimitsReachACallInLine(isForeign: Bool) async throws {
        let (stream, open) = AsyncStream<Void>.makeStream()
        let clock = TestClock()
        let gate = Stub(.get, "/x") { _ in
            for await _ in stream { break }
            return .text("ok")
        }
        var middleware: [any Middleware] = [ConcurrencyLimitMiddleware(limit: 1)]
        if isForeign { middleware.insert(Asleep { _ in }, at: 0) }
        let client = HTTPClient(baseURL: "http://mock.test", transport: MockTransport([gate])) {
            $0.timeouts = Timeouts(connect: nil, firstByte: nil, stall: nil)
            $0.middleware = middleware
            $0.clock = clock.netClock
        }
        async let first = client.send(request)
        while client.unfinishedCalls < 1, !Task.isCancelled { await Task.yield() }
        var limited = request
        limited.options.timeouts = Timeouts(connect: nil, firstByte: nil, stall: nil, total: .seconds(10))
        let second = Task { [limited] in try await failure { try await client.send(limited) } }
        try await clock.waitForSleepers(count: 1)
        await clock.advance(by: .seconds(10))
        let error = try await second.value
        #expect(error.code == .timeout, "\(error)")
        #expect(error.elapsed == .seconds(10), "\(error)")
        open.yield()
        #expect(try await first == "ok")
        // The slot that it waited for belongs to another call.
        open.yield()
        #expect(try await client.send(request) == "ok")
        #expect(client.unfinishedCalls == 0)
    }

    @Test func theLimitsReachACallThatWaitsForOneLikeIt() async throws {
        let (stream, open) = AsyncStream<Void>.makeStream()
        let clock = TestClock()
        let gate = Stub(.get, "/x") { _ in
            for await _ in stream { break }
            return .text("ok")
        }
        let log = Locked(0)
        let client = HTTPClient(baseURL: "http://mock.test", transport: MockTransport([gate])) {
            $0.timeouts = Timeouts(connect: nil, firstByte: nil, stall: nil)
            $0.middleware = [CoalescingMiddleware()]
            $0.clock = clock.netClock
        }
        var request = request
        request.options.timeouts = Timeouts(connect: nil, firstByte: nil, stall: nil, total: .seconds(10))
        let tasks = (0..<2).map { _ in
            Task { [request] in
                log.change { $0 += 1 }
                return try await failure { try await client.send(request) }
            }
        }
        while client.unfinishedCalls < 2, !Task.isCancelled { await Task.yield() }
        try await clock.waitForSleepers(count: 2)
        await clock.advance(by: .seconds(10))
        for task in tasks {
            let error = try await task.value
            #expect(error.code == .timeout, "\(error)")
            #expect(error.elapsed == .seconds(10), "\(error)")
        }
        open.finish()
        #expect(client.unfinishedCalls == 0)
    }

    /// A middleware can wrap the body in one that waits.
    private struct Wrapping: Middleware {
        final class Source: BodySource {
            let stream: AsyncStream<Void>
            init(_ stream: AsyncStream<Void>) { self.stream = stream }
            func next() async throws(NetError) -> Bytes? {
                for await _ in stream { break }
                if Task.isCancelled { throw NetError(.cancelled, phase: .receiving, message: "cancelled") }
                return nil
            }
            func cancel() {}
        }

        let stream: AsyncStream<Void>

        func intercept(_ request: PreparedRequest, context: CallContext, next: Next) async throws -> StreamedResponse {
            var response = try await next(request, context)
            response.body = ResponseBody(source: Source(stream))
            return response
        }
    }

    @Test func theTotalTimeoutReachesABodyOfAMiddlewareThatWaits() async throws {
        let (stream, open) = AsyncStream<Void>.makeStream()
        let clock = TestClock()
        let client = HTTPClient(baseURL: "http://mock.test", transport: MockTransport([Stub(.get, "/x", .text("ok"))]))
        {
            $0.timeouts = Timeouts(connect: nil, firstByte: nil, stall: nil, total: .seconds(10))
            $0.middleware = [Wrapping(stream: stream)]
            $0.clock = clock.netClock
        }
        let task = Task { try await failure { try await client.send(request) } }
        try await clock.waitForSleepers(count: 1)
        await clock.advance(by: .seconds(10))
        #expect(try await task.value.code == .timeout)
        #expect(client.unfinishedCalls == 0)
        open.finish()
    }

    @Test func aStreamNobodyReadsEndsWithItsClientAndSaysWhy() async throws {
        let clock = TestClock()
        let client = HTTPClient(
            baseURL: "http://mock.test", transport: MockTransport([Stub(.get, "/x", .text("0123456789"))])
        ) {
            $0.timeouts = Timeouts(connect: nil, firstByte: nil, stall: nil, total: .seconds(10))
            $0.middleware = [Asleep { _ in }]
            $0.clock = clock.netClock
        }
        let late = try await client.stream(request)
        #expect(client.unfinishedCalls == 1)
        await clock.advance(by: .seconds(10))
        while client.unfinishedCalls > 0, !Task.isCancelled { await Task.yield() }
        await #expect { try await late.body.collect(upTo: 100) } throws: { ($0 as? NetError)?.code == .timeout }
        let open = try await client.stream(request)
        await client.shutdown()
        #expect(client.unfinishedCalls == 0)
        await #expect { try await open.body.collect(upTo: 100) } throws: { ($0 as? NetError)?.code == .shutdown }
        #expect(clock.sleepers == 0)
    }
}
