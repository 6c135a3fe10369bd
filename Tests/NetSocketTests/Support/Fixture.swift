#if os(Linux)
import NetCore
import NetSocket
import TestSupport
import Testing

/// A client with its own transport, which ends with the test.
struct Fixture: Sendable {
    let transport: CurlWebSocketTransport
    let client: WebSocketClient

    /// The deviations from the defaults.
    struct Change: Sendable {
        let apply: @Sendable (inout CurlWebSocketTransport.Configuration) -> Void

        static let none = Change { _ in }
        static let insecure = Change { $0.tls.trust = .dangerouslyAcceptAnyCertificate }
        static func inbox(bytes: Int) -> Change { Change { $0.inboxBytes = bytes } }
        static func sendBuffer(bytes: Int) -> Change { Change { $0.sendBufferBytes = bytes } }
    }

    /// Runs `body` with a client, by default without a proxy, and shuts it down afterward, also after an error.
    static func run<Value>(
        trusting pem: String? = nil, proxy: String? = nil, on clock: NetClock = .system,
        with change: Change = .none, _ body: (Fixture) async throws -> Value
    ) async throws -> Value {
        var configuration = CurlWebSocketTransport.Configuration()
        configuration.proxy = .none
        if let proxy { configuration.proxy = .server(ProxyServer(proxy)) }
        if let pem { configuration.tls.trust = .authorities(.text(pem)) }
        change.apply(&configuration)
        let transport = CurlWebSocketTransport(configuration: configuration)
        let client = WebSocketClient(configuration: .init(clock: clock), transport: transport)
        do {
            let value = try await body(Fixture(transport: transport, client: client))
            await client.shutdown()
            return value
        } catch {
            await client.shutdown()
            throw error
        }
    }

    /// Returns the error of a connection that must fail.
    func refusal(_ request: WebSocketRequest, _ location: SourceLocation = #_sourceLocation) async throws -> NetError {
        try await failure(location) { try await client.connect(request) }
    }

    /// Tries to connect several times concurrently, each for 300 ms.
    func failToConnect(_ url: String, times: Int) async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<times {
                group.addTask {
                    _ = try? await client.connect(WebSocketRequest(url: url, connectTimeout: .milliseconds(300)))
                }
            }
        }
    }

    /// Returns true if every connection of the transport has ended; waits a short time for it.
    func hasNoConnections() async -> Bool {
        await eventually(within: .seconds(5)) { transport.openConnections == 0 }
    }
}

/// Runs a test with a scripted peer and a client that is connected to it.
func withScriptedPeer<Value>(
    _ peer: ScriptedPeer, maximumMessageBytes: Int = 1 << 20,
    with change: Fixture.Change = .none, _ body: (WebSocketConnection, Fixture) async throws -> Value
) async throws -> Value {
    defer { peer.stop() }
    return try await Fixture.run(with: change) { fixture in
        let request = WebSocketRequest(url: peer.url, maximumMessageBytes: maximumMessageBytes)
        return try await body(try await fixture.client.connect(request), fixture)
    }
}

extension String {
    /// Returns a text with the given number of bytes, of characters of one, two, three and four bytes.
    static func sample(bytes count: Int) -> String {
        let block = "Grüße, 世界 🎈 "
        var text = ""
        text.reserveCapacity(count)
        while text.utf8.count + block.utf8.count <= count { text += block }
        return text + String(repeating: "x", count: count - text.utf8.count)
    }
}
#endif
