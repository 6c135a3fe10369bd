#if Server
@testable import NetHTTP
@testable import ClientTestSupport
import HTTPTypes
import NetCore
import NetTestServer
import NetTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct CoalescingMiddlewareTests {
    /// Responds with the number of the request once the gate is open.
    private struct Gated: Sendable {
        let gate = AsyncStream<Void>.makeStream()
        let count = Locked(0)

        var stub: Stub {
            Stub(nil, "/x") { _ in
                let number = count.change { last in
                    last += 1
                    return last
                }
                if number == 1 { for await _ in gate.stream { break } }
                return .text("\(number)")
            }
        }

        func open() { gate.continuation.yield() }

        /// Waits until the first request has its number; the server has logged it before.
        func waitForFirst() async {
            while count.value == 0, !Task.isCancelled { await Task.yield() }
        }
    }

    private func run(
        _ stubs: [Stub], _ middleware: CoalescingMiddleware = CoalescingMiddleware(), log: EventLog = EventLog(),
        _ body: (Fixture) async throws -> Void
    ) async throws {
        let setup = Fixture.Setup.client {
            $0.middleware = [middleware]
            $0.listeners = [log]
        }
        try await Fixture.run(stubs, with: setup, body)
    }

    private func waitForShared(_ count: Int, _ log: EventLog) async {
        while log.decisions.count < count, !Task.isCancelled { await Task.yield() }
    }

    @Test func theSameRequestIsSentOnce() async throws {
        let (gated, log) = (Gated(), EventLog())
        try await run([gated.stub], log: log) { (fixture) async throws in
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<20 { group.addTask { try await fixture.text() } }
                await waitForShared(19, log)
                gated.open()
                for try await text in group { #expect(text == "1") }
            }
            #expect(fixture.server.requests.count == 1)
            #expect(log.decisions == [String](repeating: "shared (sameRequest)", count: 19))
            #expect(log.names.count { $0 == "attemptEnded" } == 1)
            #expect(log.names.count { $0 == "completed" } == 20)
            #expect(try await fixture.text() == "2")
        }
    }

    @Test func differingRequestsAreNotCoalesced() async throws {
        let gated = Gated()
        try await run([gated.stub]) { (fixture) async throws in
            async let first = fixture.text("/x", .default, [.authorization: "Bearer a"])
            await gated.waitForFirst()
            #expect(try await fixture.text("/x", .default, [.authorization: "Bearer b"]) == "2")
            #expect(try await fixture.text("/x", .default, [.accept: "a/b"]) == "3")
            let post = Request<Bytes>("/x", method: .post, serializer: .bytes)
            #expect(try await fixture.client.send(post) == Bytes("4".utf8))
            gated.open()
            #expect(try await first == "1")
        }
    }

    /// Other requests may send their own credentials, or handle redirects themselves.
    @Test func requestsWithOtherOptionsAreNotCoalesced() async throws {
        let gated = Gated()
        try await run([gated.stub]) { (fixture) async throws in
            let plain = Request<Bytes>("/x", serializer: .bytes)
            async let first = fixture.client.send(plain)
            await gated.waitForFirst()
            var request = plain
            request.options.sendsCredentialsToOtherOrigins = true
            #expect(try await fixture.client.send(request) == Bytes("2".utf8))
            request = plain
            request.options.redirects = .manual
            #expect(try await fixture.client.send(request) == Bytes("3".utf8))
            gated.open()
            #expect(try await first == Bytes("1".utf8))
        }
    }

    @Test func aKeySharesOtherMethodsToo() async throws {
        let (gated, log) = (Gated(), EventLog())
        try await run([gated.stub], log: log) { (fixture) async throws in
            var post = Request<Bytes>("/x", method: .post, body: .bytes("b".utf8), serializer: .bytes)
            post.options.deduplicationKey = "k"
            let same = post
            async let first = fixture.client.send(same)
            await gated.waitForFirst()
            async let second = fixture.client.send(same)
            await waitForShared(1, log)
            post.body = .bytes("c".utf8)
            #expect(try await fixture.client.send(post) == Bytes("2".utf8))
            gated.open()
            #expect(try await first == second)
            #expect(fixture.server.requests.count == 2)
        }
    }

    @Test func everyoneGetsTheError() async throws {
        let gate = AsyncStream<Void>.makeStream()
        let log = EventLog()
        let stub = Stub(.get, "/x") { _ in
            for await _ in gate.stream { break }
            return .dropped()
        }
        try await run([stub], log: log) { (fixture) async throws in
            let calls = (0..<3).map { _ in Task { try await fixture.text() } }
            await waitForShared(2, log)
            gate.continuation.yield()
            for call in calls {
                let error = await #expect(throws: NetError.self) { try await call.value }
                #expect(error?.code == .connectionLost)
            }
        }
    }

    @Test func waitingCallsDoNotTimeOutWithTheFirstCall() async throws {
        let (clock, log) = (TestClock(), EventLog())
        let (count, gate) = (Locked(0), AsyncStream<Void>.makeStream())
        var configuration = HTTPClient.Configuration(
            baseURL: "https://a.test", timeouts: Timeouts(total: .seconds(10)), middleware: [CoalescingMiddleware()],
            listeners: [log])
        configuration.clock = clock.netClock
        let transport = MockTransport { _, _ in
            count.change { $0 += 1 }
            guard count.value > 1 else { return .text("1").delayed(by: .seconds(20)) }
            for await _ in gate.stream { break }
            return .text("2")
        }
        let client = HTTPClient(configuration: configuration, transport: transport)
        let request = Request<String>("x")
        let first = Task { try await client.send(request) }
        // The sleepers are the transport and the timeout.
        try await clock.waitForSleepers(count: 2)
        await clock.advance(by: .seconds(7))
        let others = (0..<2).map { _ in Task { try await client.send(request) } }
        await waitForShared(2, log)
        await clock.advance(by: .seconds(3))
        let error = await #expect(throws: APIError<Never>.self) { try await first.value }
        #expect(error?.netError?.isTimeout == true)
        // One of them sends the request again, and the other one shares that.
        await waitForShared(3, log)
        gate.continuation.yield()
        for other in others { #expect(try await other.value == "2") }
        #expect(count.value == 2)
    }

    @Test func cancellationDoesNotAffectTheOtherCalls() async throws {
        let (gated, log) = (Gated(), EventLog())
        try await run([gated.stub], log: log) { (fixture) async throws in
            let first = Task { try await fixture.text() }
            try await fixture.server.wait { requests, _ in requests.count == 1 }
            let others = (0..<2).map { _ in Task { try await fixture.text() } }
            await waitForShared(2, log)
            first.cancel()
            others[0].cancel()
            for gone in [first, others[0]] {
                let error = await #expect(throws: NetError.self) { try await gone.value }
                #expect(error?.code == .cancelled)
            }
            gated.open()
            #expect(try await others[1].value == "1")
            #expect(fixture.server.requests.count == 1)
        }
    }

    @Test func theLastOneToLeaveEndsTheCall() async throws {
        let log = EventLog()
        try await run([Stub(.get, "/x", .text("late").delayed(by: .seconds(60)))], log: log) { (fixture) async throws in
            let calls = (0..<3).map { _ in Task { try await fixture.text() } }
            await waitForShared(2, log)
            try await fixture.server.wait { requests, _ in requests.count == 1 }
            for call in calls { call.cancel() }
            for call in calls { _ = await call.result }
            // The shared call has its own task: it ends after its callers, and the server may notice that first.
            try await fixture.server.wait { requests, _ in requests.contains { $0.outcome == .clientWentAway } }
            while fixture.transport.statistics.liveTransfers > 0, !Task.isCancelled { await Task.yield() }
        }
    }

    #if os(Linux)
    /// Otherwise, events that arrive one by one would be held back until the end of their stream.
    @Test func aStreamWithoutALengthIsHandedOverAtOnce() async throws {
        let peer = try ScriptedPeer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
            connection.waitForClose()
        }
        defer { peer.stop() }
        let client = HTTPClient(baseURL: peer.baseURL) { $0.middleware = [CoalescingMiddleware()] }
        let response = try await client.stream(Request<Bytes>("events", serializer: .bytes))
        var iterator = response.body.makeAsyncIterator()
        let first = try await iterator.next()
        #expect(first == Bytes("hello".utf8))
        response.body.cancel()
    }
    #endif

    @Test func aStreamThatIsTooLongIsNotShared() async throws {
        let (gate, log) = (AsyncStream<Void>.makeStream(), EventLog())
        let count = Locked(0)
        let stub = Stub(.get, "/x") { _ in
            count.change { $0 += 1 }
            if count.value == 1 { for await _ in gate.stream { break } }
            return .bytes([UInt8](repeating: 1, count: 500_000))
        }
        try await run([stub], CoalescingMiddleware(maximumBodyBytes: 100_000), log: log) { (fixture) async throws in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        let response = try await fixture.client.stream(Request<Bytes>("/x", serializer: .bytes))
                        return try await response.body.collect(upTo: 1 << 20).count
                    }
                }
                await waitForShared(2, log)
                gate.continuation.yield()
                for try await size in group { #expect(size == 500_000) }
            }
            #expect(fixture.server.requests.count == 3)
        }
    }
}
#endif
