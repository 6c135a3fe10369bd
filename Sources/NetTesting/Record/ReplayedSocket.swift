internal import HTTPTypes
internal import NetCore
internal import NetRecord

/// A recorded WebSocket that accepts a handshake. It is in memory, so frames, limits, closing handshakes and time work
/// as in the mock.
///
/// The recorded server sends each message after the client has sent all messages that precede it in the recording. The
/// client may send earlier than it did in the recording, and in another order unless the rules require the same one.
struct ReplayedSocket: Sendable {
    /// The time that a client may take for each recorded step, in addition to the recorded pause. Without a limit, a
    /// client that behaves differently would wait forever.
    static let patience = Duration.seconds(10)

    let exchange: CapturedExchange
    let socket: RecordedSocket
    let rules: ReplayRules
    let timing: ReplayTransport.Timing
    let redaction: RedactionPolicy

    func open(_ request: PreparedRequest, _ context: CallContext) async throws(NetError) -> WebSocketOpening {
        let script = SocketScript(self, request, context)
        var stub = WebSocketStub("/", subprotocols: subprotocols(request)) { peer in try await script.run(peer) }
        stub.maximumMessageBytes = .max
        stub.headers = exchange.response?.headers ?? [:]
        for name in Self.handshakeFields { stub.headers[name] = nil }
        let answer = stub
        let mock = MockWebSocketTransport { _, _ in
            try await context.environment.clock.sleep(for: timing.applied(to: exchange.duration))
            return answer
        }
        guard case .opened(let link) = try await mock.connect(request, context: context) else {
            throw context.error(.unknown, phase: .connecting, message: "the recorded WebSocket did not open")
        }
        return .opened(ReplayedLink(link, script: script))
    }

    /// The mock negotiates these header fields again.
    private static let handshakeFields: [HTTPField.Name] = [
        .upgrade, .connection, .secWebSocketAccept, .secWebSocketProtocol, .secWebSocketExtensions,
    ]

    /// The subprotocol that the server selected. If it contains a secret, it was hidden, and the live request's secret
    /// is used.
    private func subprotocols(_ request: PreparedRequest) -> [String] {
        guard let selected = exchange.response?.headers[.secWebSocketProtocol] else { return [] }
        let secret = request.options.webSocket?.secretSubprotocol
        return [selected == redaction.placeholder ? secret ?? selected : selected]
    }
}

/// A replayed WebSocket: if the mock ends without a closing handshake, throws the recorded error.
final class ReplayedLink: WebSocketLink {
    private let inner: any WebSocketLink
    private let script: SocketScript

    init(_ inner: any WebSocketLink, script: SocketScript) {
        self.inner = inner
        self.script = script
    }

    var response: ResponseHead { inner.response }
    var subprotocol: String? { inner.subprotocol }
    var compression: WebSocketCompression? { inner.compression }
    var silence: Duration? { inner.silence }

    func send(_ message: WebSocketMessage) async throws(NetError) {
        do { try await inner.send(message) } catch { throw explained(error) }
    }

    func send(_ message: WebSocketMessage, compression: MessageCompression) async throws(NetError) {
        do { try await inner.send(message, compression: compression) } catch { throw explained(error) }
    }

    func send(contentsOf messages: [WebSocketMessage]) async throws(NetError) {
        do { try await inner.send(contentsOf: messages) } catch { throw explained(error) }
    }

    func send(
        partsOf kind: WebSocketMessage.Kind, compression: MessageCompression,
        next: () async throws(NetError) -> Bytes?
    ) async throws(NetError) {
        do {
            try await inner.send(partsOf: kind, compression: compression, next: next)
        } catch { throw explained(error) }
    }

    func receive() async throws(NetError) -> [WebSocketMessage] {
        do { return try await inner.receive() } catch { throw explained(error) }
    }

    func ping() async throws(NetError) -> Duration {
        do { return try await inner.ping() } catch { throw explained(error) }
    }

    func close(_ closure: WebSocketClosure) async { await inner.close(closure) }

    func drop() { inner.drop() }

    private func explained(_ error: NetError) -> NetError {
        error.code == .connectionLost || error.code == .webSocketClosed ? script.breakage ?? error : error
    }
}
