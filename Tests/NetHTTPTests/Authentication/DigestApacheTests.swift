#if os(Linux)
import NetHTTP
import Testing

/// Digest as Apache does it.
@Suite(.timeLimit(.minutes(1)), .enabled(if: ApachePeer.program.path != nil)) struct DigestApacheTests {
    private let get = Request<String>("x.txt", serializer: .string)

    private func client(_ port: Int, password: String, _ log: EventLog) throws -> HTTPClient {
        let baseURL = try BaseURL("http://127.0.0.1:\(port)")
        var transport = CurlTransport.Configuration()
        transport.proxy = .none
        return HTTPClient(
            configuration: .init(
                baseURL: baseURL,
                middleware: [DigestMiddleware(user: "ann", password: password)], listeners: [log]),
            transport: CurlTransport(configuration: transport))
    }

    private func statuses(_ log: EventLog) -> [Int] {
        log.all.compactMap { event in
            if case .attemptEnded(let attempt) = event.kind { attempt.status } else { nil }
        }
    }

    /// Its nonces live a second: what it names as the next, or says to be stale, is gone on with.
    @Test func itIsConvincedAlsoWhenItsNoncesGrowOld() async throws {
        let log = EventLog()
        let client = try client(try await ApachePeer.shared.port, password: "geheim", log)
        let clock = ContinuousClock()
        let end = clock.now + .seconds(3)
        var calls = 0
        while clock.now < end || calls < 10 {
            let text = try await client.send(get)
            #expect(text == "hello\n")
            calls += 1
        }
        let statuses = statuses(log)
        #expect(statuses.prefix(3) == [401, 200, 200])
        #expect(statuses.filter { $0 == 401 }.count < calls / 2 && statuses.filter { $0 == 200 }.count == calls)
        await client.shutdown()
    }

    @Test func aWrongPasswordIsRefused() async throws {
        let log = EventLog()
        let client = try client(try await ApachePeer.shared.port, password: "wrong", log)
        let error = try await failure { try await client.send(get) }
        #expect(error.status == 401)
        #expect(statuses(log) == [401, 401])
        await client.shutdown()
    }
}
#endif
