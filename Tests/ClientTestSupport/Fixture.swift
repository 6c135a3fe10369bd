#if Server
#if Server
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// The three ways in which a body can be transferred in these tests.
enum Wire: String, CaseIterable, CustomTestStringConvertible, Sendable {
    case plain, tls, http2

    var testDescription: String { rawValue }

    var version: String { self == .http2 ? "2" : "1.1" }
}

/// A server with stubs, and a client with its own transport; both end with the test.
struct Fixture: Sendable {
    let server: TestServer
    let transport: CurlTransport
    let client: HTTPClient

    /// The deviations from the defaults.
    struct Setup: Sendable {
        var transport: @Sendable (inout CurlTransport.Configuration) -> Void = { _ in }
        var client: @Sendable (inout HTTPClient.Configuration) -> Void = { _ in }

        static let standard = Setup()

        static func transport(_ change: @escaping @Sendable (inout CurlTransport.Configuration) -> Void) -> Setup {
            Setup(transport: change)
        }

        static func client(_ change: @escaping @Sendable (inout HTTPClient.Configuration) -> Void) -> Setup {
            Setup(client: change)
        }
    }

    /// Runs `body` with a server and a client, and stops both afterward, also after an error.
    static func run<Value>(
        _ stubs: [Stub], over wire: Wire = .plain, with setup: Setup = .standard,
        _ body: (Fixture) async throws -> Value
    ) async throws -> Value {
        var serverConfiguration = wire == .plain ? TestServer.Configuration() : .tls()
        serverConfiguration.offersHTTP2 = wire != .tls
        let server = try await TestServer.start(stubs, configuration: serverConfiguration)
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .none
        if let pem = server.caCertificatePEM { configuration.tls.trust = .authorities(.text(pem)) }
        setup.transport(&configuration)
        let transport = CurlTransport(configuration: configuration)
        var clientConfiguration = HTTPClient.Configuration(baseURL: server.baseURL)
        setup.client(&clientConfiguration)
        let client = HTTPClient(configuration: clientConfiguration, transport: transport)
        do {
            let value = try await body(Fixture(server: server, transport: transport, client: client))
            await client.shutdown()
            await server.stop()
            return value
        } catch {
            await client.shutdown()
            await server.stop()
            throw error
        }
    }
}

/// Collects events in order.
final class EventLog: ActivityListener {
    private let events = Locked<[ActivityEvent]>([])

    func record(_ event: ActivityEvent) { events.change { $0.append(event) } }

    var all: [ActivityEvent] { events.value }

    /// The name of each event: `started`, `attemptEnded`, …
    var names: [String] {
        all.map { event in
            switch event.kind {
            case .started: "started"
            case .attemptEnded: "attemptEnded"
            case .retrying: "retrying"
            case .cache: "cache"
            case .responded: "responded"
            case .ended(.completed): "completed"
            case .ended(.rejected): "rejected"
            case .ended(.failed): "failed"
            case .ended(.cancelled): "cancelled"
            }
        }
    }
}
#endif
#endif
