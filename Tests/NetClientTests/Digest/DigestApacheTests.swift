#if os(Linux)
@testable import ClientTestSupport
import NetHTTP
import TestSupport
import Testing

/// Digest with Apache.
@Suite(.timeLimit(.minutes(1)), .enabled(if: ApachePeer.program.path != nil)) struct DigestApacheTests {
    private let get = Request<String>("x.txt", serializer: .string)

    enum Version: CaseIterable {
        case http1, http2
    }

    private func client(_ version: Version, password: String, _ log: EventLog) async throws -> HTTPClient {
        let baseURL = try BaseURL("http://127.0.0.1:\(try await ApachePeer.shared.port)")
        var transport = CurlTransport.Configuration()
        transport.version = version == .http1 ? .http1 : .http2PriorKnowledge
        transport.proxy = .none
        return HTTPClient(baseURL: baseURL, transport: CurlTransport(configuration: transport)) {
            $0.middleware = [DigestMiddleware(user: "ann", password: password)]
            $0.listeners = [log]
        }
    }

    private func statuses(_ log: EventLog) -> [Int] {
        log.all.compactMap { event in
            if case .attemptEnded(let attempt) = event.kind { attempt.status } else { nil }
        }
    }

    /// Its nonces are valid for a second: the client continues with the next nonce or after a stale one.
    @Test(arguments: Version.allCases) func itIsConvincedAlsoWhenItsNoncesGrowOld(version: Version) async throws {
        let log = EventLog()
        let client = try await client(version, password: "geheim", log)
        let clock = ContinuousClock()
        let end = clock.now + .seconds(3)
        var calls = 0
        while clock.now < end || calls < 10 {
            let answer = try await client.response(get)
            #expect(answer.value == "hello\n")
            #expect(answer.head.version == (version == .http1 ? "1.1" : "2"))
            calls += 1
        }
        let statuses = statuses(log)
        #expect(statuses.prefix(2) == [401, 200])
        #expect(statuses.filter { $0 == 401 }.count < calls / 2)
        #expect(statuses.filter { $0 == 200 }.count == calls)
        await client.shutdown()
    }

    @Test(arguments: Version.allCases) func aWrongPasswordIsRefused(version: Version) async throws {
        let log = EventLog()
        let client = try await client(version, password: "wrong", log)
        let error = try await failure { try await client.send(get) }
        #expect(error.status == 401)
        #expect(statuses(log) == [401, 401])
        await client.shutdown()
    }
}
#endif
