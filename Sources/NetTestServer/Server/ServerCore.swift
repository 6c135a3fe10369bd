#if Server
internal import NetCore
internal import NetSocketCore
internal import NetTesting
internal import Synchronization

/// The shared state of all connections of a server.
final class ServerCore: Sendable {
    let configuration: TestServer.Configuration
    let stubs: StubTable
    let webSockets: Mutex<[WebSocketStub]>
    /// The compression streams that WebSockets without context takeover share.
    let deflatePool = DeflatePool()
    let log: ServerLog
    let connections = ConnectionRegistry()
    private let handshakes = Atomic(0)

    init(_ stubs: [Stub], _ webSockets: [WebSocketStub], _ configuration: TestServer.Configuration) {
        self.configuration = configuration
        // The log keeps the requests, so the table doesn't have to.
        self.stubs = StubTable(stubs, recordLimit: 0)
        self.webSockets = Mutex(webSockets)
        log = ServerLog(limit: configuration.maximumLoggedRequests)
    }

    /// The fault of the next handshake; nil if the handshake succeeds.
    func nextHandshakeFault() -> Fault.TLS? {
        guard let tls = configuration.tls else { return nil }
        let place = handshakes.add(1, ordering: .relaxed).oldValue
        return tls.fault ?? (tls.handshakes.indices.contains(place) ? tls.handshakes[place] : nil)
    }

    var clock: NetClock { configuration.clock }
}
#endif
