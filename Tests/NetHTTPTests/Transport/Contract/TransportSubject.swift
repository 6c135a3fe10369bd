#if Server
import HTTPTypes
import NetCore
import NetTestServer
import NetTesting

/// A transport under test: how to create it, and the rules that it is known not to satisfy.
struct TransportSubject: Sendable {
    /// Creates a transport that trusts an authority in PEM; nil for the system's.
    let make: @Sendable (_ pem: String?) -> any HTTPTransport
    /// True if it responds in memory, without a server.
    var isInMemory = false
    /// The documented limitations.
    var lacks: [TransportRule] = []

    /// The rules that it satisfies.
    var rules: [TransportRule] {
        TransportRule.all.filter { rule in
            !(isInMemory && rule.needsSockets) && !lacks.contains { $0.name == rule.name }
        }
    }

    /// The stubs in memory.
    static let mock = TransportSubject(make: { _ in MockTransport() }, isInMemory: true)

    /// Runs `body` with a peer that responds with stubs, and a transport to it; both end with it.
    func run(
        _ stubs: [Stub], tls: Bool = false, _ body: (TransportWorld) async throws -> Void
    ) async throws {
        if isInMemory {
            let mock = MockTransport(stubs)
            return try await body(
                TransportWorld(transport: mock, base: "http://api.test", peer: mock, server: nil))
        }
        let server = try await TestServer.start(stubs, configuration: tls ? .tls() : .init())
        let transport = make(server.caCertificatePEM)
        do {
            try await body(
                TransportWorld(
                    transport: transport, base: server.baseURL, peer: server, server: server))
        } catch {
            await transport.shutdown()
            await server.stop()
            throw error
        }
        await transport.shutdown()
        await server.stop()
    }
}

/// A transport and its peer.
struct TransportWorld: Sendable {
    let transport: any HTTPTransport
    let base: BaseURL
    let peer: any StubObserving
    /// Nil in memory.
    let server: TestServer?

    /// Sends one attempt.
    func send(
        _ target: String, _ method: HTTPRequest.Method = .get, headers: HTTPFields = [:], body: RequestBody = .none,
        delivery: BodyDelivery = .collected(upTo: 64 << 20), timeouts: Timeouts = Timeouts(),
        options: RequestOptions = RequestOptions()
    ) async throws(NetError) -> StreamedResponse {
        let request = PreparedRequest(
            head: HTTPRequest(
                method: method, scheme: base.scheme, authority: base.authority, path: target, headerFields: headers),
            body: try body.resolved(with: .standard).content, options: options)
        let context = CallContext(for: request, delivery: delivery, timeouts: timeouts)
        return try await transport.execute(request, context: context)
    }

    /// Returns the error of an attempt that must fail, possibly while its body is read.
    func failure(
        _ target: String = "/", _ method: HTTPRequest.Method = .get, body: RequestBody = .none,
        delivery: BodyDelivery = .collected(upTo: 64 << 20), timeouts: Timeouts = Timeouts()
    ) async -> NetError? {
        do throws(NetError) {
            let response = try await send(target, method, body: body, delivery: delivery, timeouts: timeouts)
            for try await _ in response.body {}
            return nil
        } catch {
            return error
        }
    }

    /// The last request received by the peer.
    var lastRequest: StubRequest? { peer.journal.requests.last }

    /// Waits until the server's log satisfies a condition; throws if that takes more than ten seconds.
    func wait(until condition: @escaping @Sendable ([LoggedRequest]) -> Bool) async throws {
        guard let server else { return }
        try await CancellableWork.run(within: .seconds(10)) {
            try await server.wait { requests, _ in condition(requests) }
        }
    }
}
#endif
