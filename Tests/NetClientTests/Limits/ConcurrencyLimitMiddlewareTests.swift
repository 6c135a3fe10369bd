#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct ConcurrencyLimitMiddlewareTests {
    private let slow = Request<String>("slow", serializer: .string)

    @Test(arguments: Wire.allCases) func noMoreThanTheLimitAreOnTheirWay(wire: Wire) async throws {
        let counts = Mutex((now: 0, most: 0))
        let stub = Stub(nil, "/slow") { _ in
            counts.withLock { counts in
                counts.now += 1
                counts.most = max(counts.most, counts.now)
            }
            // Long enough for others to arrive meanwhile.
            for _ in 0..<50 { await Task.yield() }
            counts.withLock { $0.now -= 1 }
            return .text("ok")
        }
        let limit = ConcurrencyLimitMiddleware(limit: 3)
        try await Fixture.run([stub], over: wire, with: .client { $0.middleware = [limit] }) { fixture in
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<60 { group.addTask { try await fixture.client.send(slow) } }
                for try await text in group { #expect(text == "ok") }
            }
            #expect(counts.withLock { $0.most } <= 3)
            #expect(fixture.server.requests.count == 60)
        }
    }

    /// Responds to each request when the test says so, and records their order.
    private struct Held {
        let gate = AsyncStream<Void>.makeStream()
        let order = Locked<[String]>([])

        var transport: MockTransport {
            MockTransport { request, _ in
                order.change { $0.append(request.head.path ?? "") }
                for await _ in gate.stream { break }
                // A cancelled wait ends as well, but doesn't produce a response.
                try Task.checkCancellation()
                return .text("ok")
            }
        }
    }

    @Test func prioritiesGoFirstAndEqualsInTheirOrder() async throws {
        let held = Held()
        let limit = ConcurrencyLimitMiddleware(limit: 1)
        let client = virtual(TestClock(), held.transport, limit)
        var tasks: [Task<String, any Error>] = []
        let wishes: [(String, RequestPriority)] = [
            ("first", .low), ("a", .normal), ("b", .low), ("c", .high), ("d", .normal), ("e", .high),
        ]
        for (count, (name, priority)) in wishes.enumerated() {
            var request = Request<String>("\(name)", serializer: .string)
            request.options.priority = priority
            tasks.append(Task { [request] in try await client.send(request) })
            while limit.waitingCount < count || held.order.value.isEmpty, !Task.isCancelled { await Task.yield() }
        }
        for _ in wishes { held.gate.continuation.yield() }
        for task in tasks { _ = try await task.value }
        #expect(held.order.value == ["/first", "/c", "/e", "/a", "/d", "/b"])
    }

    @Test func cancellationFreesAPlaceAndFullQueuesRejectCalls() async throws {
        let held = Held()
        let limit = ConcurrencyLimitMiddleware(limit: 1, maximumWaiting: 1)
        let client = virtual(TestClock(), held.transport, limit)
        let first = Task { try await client.send(slow) }
        while held.order.value.isEmpty, !Task.isCancelled { await Task.yield() }
        let second = Task { try await client.send(slow) }
        while limit.waitingCount < 1, !Task.isCancelled { await Task.yield() }
        let error = try await failure { try await client.send(slow) }
        #expect(error.code == .limited)
        second.cancel()
        let cancelled = try await failure { try await second.value }
        #expect(cancelled.code == .cancelled)
        let third = Task { try await client.send(slow) }
        for _ in 0..<2 { held.gate.continuation.yield() }
        #expect(try await first.value == "ok")
        #expect(try await third.value == "ok")
    }

    @Test func aRequestThatEndsLeavesThePlacesOfTheOthers() async throws {
        let held = Held()
        let client = virtual(TestClock(), held.transport, ConcurrencyLimitMiddleware(limit: 2))
        let pair = (0..<2).map { _ in Task { try await client.send(slow) } }
        while held.order.value.count < 2, !Task.isCancelled { await Task.yield() }
        held.gate.continuation.yield()
        while client.unfinishedCalls > 1, !Task.isCancelled { await Task.yield() }
        // One call is active and no call waits: there is room for one more.
        let more = (0..<2).map { _ in Task { try await client.send(slow) } }
        while client.unfinishedCalls < 3 || held.order.value.count < 3, !Task.isCancelled { await Task.yield() }
        for _ in 0..<200 { await Task.yield() }
        #expect(held.order.value.count == 3)
        for _ in 0..<3 { held.gate.continuation.yield() }
        for task in pair + more { #expect(try await task.value == "ok") }
    }

    @Test func aClientThatEndsItsCallsEndsThoseInLine() async throws {
        let held = Held()
        let limit = ConcurrencyLimitMiddleware(limit: 1)
        let client = virtual(TestClock(), held.transport, limit)
        let tasks = (0..<5).map { _ in Task { try await client.send(slow) } }
        while limit.waitingCount < 4 || held.order.value.isEmpty, !Task.isCancelled { await Task.yield() }
        client.cancelAll()
        for task in tasks {
            let error = try await failure { try await task.value }
            #expect(error.code == .cancelled)
        }
        #expect(held.order.value.count == 1)
    }

    @Test func aStreamKeepsItsPlaceToTheEndOfItsBody() async throws {
        let limit = ConcurrencyLimitMiddleware(limit: 1)
        let stubs = [Stub(.get, "/slow", .text("ok"))]
        try await Fixture.run(stubs, with: .client { $0.middleware = [limit] }) { fixture in
            let streamed = try await fixture.client.stream(slow)
            let second = Task { try await fixture.client.send(slow) }
            while fixture.client.unfinishedCalls < 2, !Task.isCancelled { await Task.yield() }
            for _ in 0..<200 { await Task.yield() }
            #expect(fixture.server.requests.count == 1)
            _ = try await streamed.body.collect(upTo: 100)
            #expect(try await second.value == "ok")
        }
    }
}
#endif
