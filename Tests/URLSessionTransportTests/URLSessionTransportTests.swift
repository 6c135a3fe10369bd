#if Server
import HTTPTypes
import NetCore
import NetTestServer
import NetTesting
import Testing

/// The behavior of every transport, checked with URLSession.
@Suite(.timeLimit(.minutes(3))) struct URLSessionTransportTests {
    private static let subject = {
        var subject = TransportSubject(make: { pem in
            var configuration = URLSessionTransport.Configuration()
            if let pem { configuration.tls.trust = .authorities(.text(pem)) }
            return URLSessionTransport(configuration: configuration)
        })
        subject.lacks = [.fieldsInOrder, .codedContent, .bodiesOfGet, .trailers]
        #if os(Linux)
        subject.lacks += [
            .knownLengths, .challenges, .versions, .trusted, .untrusted, .lostBeforeTheHead, .lostInTheBody, .notHTTP,
            .sleepingReaders,
        ]
        subject.lacks += endProcess.filter { $0.name != TransportRule.trailers.name }
        #endif
        return subject
    }()

    /// The rules for which Foundation on Linux crashes the process: always for trailers, sometimes for a request body
    /// that fails in transit ("Trying to access a behaviour for a task that in not in the registry").
    private static let endProcess: [TransportRule] = [.trailers, .failingSequences, .wrongLengths]

    @Test(arguments: subject.rules) func urlSessionKeepsTheRules(rule: TransportRule) async throws {
        try await rule.check(Self.subject)
    }

    /// docs/transports.md lists them: if a rule is satisfied now, remove its line there.
    @Test(arguments: subject.lacks.filter { lack in !endProcess.contains { $0.name == lack.name } })
    func documentedTransportGapsStillExist(rule: TransportRule) async throws {
        await withKnownIssue("docs/transports.md") { try await rule.check(Self.subject) }
    }

    @Test func timeoutsRunOnTheContextsClock() async throws {
        let server = try await TestServer.start([Stub(.get, "/late", .text("late").delayed(by: .seconds(600)))])
        let transport = URLSessionTransport()
        let clock = TestClock()
        let request = PreparedRequest(
            head: HTTPRequest(
                method: .get, scheme: "http", authority: String(server.baseURL.description.dropFirst(7)), path: "/late")
        )
        let context = CallContext(
            for: request, timeouts: Timeouts(firstByte: .seconds(3600)),
            environment: CallContext.Environment(clock: clock.netClock))
        let error = await #expect(throws: NetError.self) {
            try await clock.run { try await transport.execute(request, context: context) }
        }
        #expect(error?.code == .timeout)
        #expect(error?.elapsed == .seconds(3600))
        await transport.shutdown()
        await server.stop()
    }

    @Test func endedTasksAreForgotten() async throws {
        let stubs = [
            Stub(.get, "/ok", .text("ok")), Stub(.get, "/late", .text("late").delayed(by: .seconds(600))), .mirror(),
            .drip(count: 100_000, every: .milliseconds(20)),
        ]
        try await Self.subject.run(stubs) { world in
            let transport = try #require(world.transport as? URLSessionTransport)
            for index in 0..<40 {
                switch index % 4 {
                case 0: _ = try await world.send("/ok")
                case 1:
                    let late = Task { await world.failure("/late") }
                    for _ in 0..<index { await Task.yield() }
                    late.cancel()
                    #expect(await late.value?.code == .cancelled)
                case 2: _ = try await world.send("/drip", delivery: .streamed)
                default:
                    let chunks = AsyncStream<Bytes> { continuation in
                        for _ in 0..<20 { continuation.yield(Bytes("chunk".utf8)) }
                        continuation.finish()
                    }
                    _ = try await world.send("/mirror", .post, body: .stream(chunks))
                }
            }
            for _ in 0..<500 where transport.liveTransfers > 0 { try await Task.sleep(for: .milliseconds(10)) }
            #expect(transport.liveTransfers == 0)
        }
    }
}
#endif
