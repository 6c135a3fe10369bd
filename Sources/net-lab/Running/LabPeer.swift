#if Tools && Server
internal import NetCore
internal import NetHTTP
internal import NetSocket
internal import NetTestServer
internal import NetTesting

/// The peer of the calls: the same stubs, on a server on this machine or in memory.
enum LabPeer: Sendable {
    case live(TestServer, CurlTransport)
    case mock(MockTransport, MockWebSocketTransport)

    /// The error thrown by a scenario that needs a server in memory mode.
    struct NoWire: Error, CustomStringConvertible {
        let description = "it needs a network; run it with --mode live"
    }

    static func start(
        _ mode: LabMode, _ stubs: [Stub], webSockets: [WebSocketStub] = []
    ) async throws -> LabPeer {
        switch mode {
        case .mock: return .mock(MockTransport(stubs), MockWebSocketTransport(webSockets, refusals: stubs))
        case .live:
            let server = try await TestServer.start(stubs, webSockets: webSockets)
            var configuration = CurlTransport.Configuration()
            configuration.proxy = .none
            return .live(server, CurlTransport(configuration: configuration))
        }
    }

    func stop() async {
        switch self {
        case .live(let server, let transport):
            await transport.shutdown()
            await server.stop()
        case .mock(let transport, let sockets):
            await transport.shutdown()
            await sockets.shutdown()
        }
    }

    var mode: LabMode {
        switch self {
        case .live: .live
        case .mock: .mock
        }
    }

    /// The server, for scenarios that need one.
    var server: TestServer {
        get throws(NoWire) {
            guard case .live(let server, _) = self else { throw NoWire() }
            return server
        }
    }

    // MARK: Connecting

    var baseURL: BaseURL {
        switch self {
        case .live(let server, _): server.baseURL
        case .mock: "http://harbour-books.test"
        }
    }

    var webSocketURL: String { "ws" + baseURL.description.dropFirst(4) }

    var transport: any HTTPTransport {
        switch self {
        case .live(_, let transport): transport
        case .mock(let transport, _): transport
        }
    }

    /// Returns a client for WebSockets, whose events go to `listeners`.
    func sockets(listeners: [any ActivityListener] = []) -> WebSocketClient {
        let configuration = WebSocketClient.Configuration(listeners: listeners)
        switch self {
        case .live: return WebSocketClient(configuration: configuration)
        case .mock(_, let transport): return WebSocketClient(configuration: configuration, transport: transport)
        }
    }

    /// Adds a stub.
    func add(_ stub: Stub) {
        switch self {
        case .live(let server, _): server.add(stub)
        case .mock(let transport, _): transport.add(stub)
        }
    }

    // MARK: Inspecting

    /// The requests that arrived, oldest first. Includes WebSocket handshakes only on a server.
    var requests: [StubRequest] {
        switch self {
        case .live(let server, _): server.journal.requests
        case .mock(let transport, _): transport.journal.requests
        }
    }

    /// The number of requests that arrived, including WebSocket handshakes.
    var arrived: Int {
        switch self {
        case .live(let server, _): server.requests.count
        case .mock(let transport, let sockets): transport.journal.requests.count + sockets.requests.count
        }
    }

    /// Returns the log of the newest WebSocket, which the client has closed or is about to close.
    func endedSocket() async throws -> LoggedWebSocket? {
        switch self {
        case .live(let server, _):
            try await server.wait { requests, _ in requests.last?.end != nil }
            return server.requests.last?.webSocket
        // In memory, nothing is in transit after the client's call has returned.
        case .mock(_, let sockets): return sockets.sockets.last
        }
    }
}
#endif
