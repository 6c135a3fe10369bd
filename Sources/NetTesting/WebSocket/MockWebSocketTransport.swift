public import NetCore
internal import NetSocketCore
internal import Synchronization

/// A WebSocket transport without a network, which runs the same ``WebSocketStub`` values as the test server in memory.
///
/// Both ends exchange real frames: fragments, compression, closing handshakes, pings, back-pressure and size limits
/// work as on a real connection. Pauses and timeouts run on the context's clock, so with a ``TestClock``, a session
/// that reconnects for hours runs in milliseconds. Use ``WebSocketStub/faults`` to simulate failures.
///
///     let transport = MockWebSocketTransport([.echo(), WebSocketStub("/news", .text("hello"), .close())])
///     let client = WebSocketClient(transport: transport)
///     let socket = try await client.connect("ws://example.com/news")
///     print(try await socket.receive())
///
/// Without stubs, the test acts as the server, with the peers that ``accept()`` returns:
///
///     let manual = MockWebSocketTransport()
///     let socket = try await WebSocketClient(transport: manual).connect("ws://example.com/any")
///     let peer = try await manual.accept()
///     try await peer.send("hello")
///
/// For two ends without a client, see ``WebSocketPair``.
public final class MockWebSocketTransport: WebSocketTransport {
    /// Responds to one connection attempt, counted from 1 across all calls, by returning a stub or by throwing. A
    /// ``NetError`` is rethrown unchanged.
    public typealias Respond = @Sendable (_ request: PreparedRequest, _ attempt: Int) async throws -> WebSocketStub

    /// A WebSocket that was opened.
    struct Opened {
        let log: PairLog
        weak var client: PairEnd?
    }

    struct State {
        var requests: [PreparedRequest] = []
        var attempts = 0
        var sockets: [Opened] = []
        /// The peers that were received together with a peer that `accept()` returned.
        var backlog: [MockWebSocketPeer] = []
        var isShutDown = false
        var watchesSilence = false
    }

    /// Serves the server's end of a connection until it has ended.
    public typealias Serve = @Sendable (_ link: any WebSocketLink, _ request: StubRequest) async throws -> Void

    enum Answers {
        case stubs([WebSocketStub])
        case links(WebSocketStub, Serve)
        case closure(Respond)
        case manual
    }

    let answers: Answers
    let refusals: MockTransport?
    let state = Mutex(State())
    let accepted = MessagePipe<MockWebSocketPeer>(limit: historyLimit * 64)

    /// The maximum number of requests and sockets that are kept.
    static let historyLimit = 1000
    /// The maximum number of bytes in transit in one direction, and of bytes not yet received.
    static let bufferBytes = 1 << 20

    /// Creates a transport that serves stubs. A handshake whose path matches none of them goes to `refusals`, which are
    /// ordinary stubs; if none of those match either, it throws `.invalidRequest`.
    public convenience init(_ stubs: [WebSocketStub], refusals: [Stub] = []) {
        self.init(.stubs(stubs), refusals: refusals.isEmpty ? nil : MockTransport(refusals))
    }

    /// Creates a transport that calls a closure for each attempt, for a script of failures and peers.
    public convenience init(_ respond: @escaping Respond) {
        self.init(.closure(respond))
    }

    /// Creates a transport that accepts every handshake. The test gets the peers from ``accept()``.
    public convenience init() {
        self.init(.manual)
    }

    /// Creates a transport whose server ends are served as links by a server in the program, such as a `SocketServer`.
    /// If `serve` throws, its connection ends with 1011.
    ///
    ///     let transport = MockWebSocketTransport(subprotocols: ["swift-net.json.v1"]) { link, request in
    ///         for message in try await link.receive() { try await link.send(message) }
    ///     }
    ///
    /// - Parameters:
    ///   - subprotocols: The subprotocols that the server's end accepts. Default none.
    ///   - compression: The compression that the server's end accepts. Default nil: none.
    ///   - faults: The simulated failures. Default none.
    ///   - serve: Serves one end. Its task is cancelled when the connection has ended.
    public convenience init(
        subprotocols: [String] = [], compression: WebSocketCompression? = nil,
        faults: WebSocketFaults = WebSocketFaults(), serving serve: @escaping Serve
    ) {
        var stub = WebSocketStub("*", subprotocols: subprotocols) { _ in }
        stub.compression = compression
        stub.faults = faults
        self.init(.links(stub, serve))
    }

    private init(_ answers: Answers, refusals: MockTransport? = nil) {
        self.answers = answers
        self.refusals = refusals
        ResourceScope.current?.watch("WebSockets") { [weak self] in self?.openSockets ?? 0 }
    }

    /// The handshake requests as they were sent, oldest first, at most the last 1,000.
    public var requests: [PreparedRequest] { state.withLock { $0.requests } }

    /// The logs of the peers, one for each accepted handshake, at most the last 1,000.
    public var sockets: [LoggedWebSocket] { state.withLock { $0.sockets }.map(\.log.value) }

    /// True to detect silent peers according to a request's `liveness`, on the clock. Default false, because a stub
    /// that waits for hours of virtual time doesn't read and would be dropped. Applies to later handshakes.
    public var watchesSilence: Bool {
        get { state.withLock { $0.watchesSilence } }
        set { state.withLock { $0.watchesSilence = newValue } }
    }

    private var openSockets: Int {
        state.withLock { $0.sockets }.compactMap(\.client).count { $0.ending == nil }
    }

    /// Returns the peer of the next accepted handshake, in the order of the handshakes; waits until there is one. Only
    /// for transports without stubs. Throws `CancellationError` if the task is cancelled, and a ``NetError``
    /// `.shutdown` after the transport has been shut down.
    public func accept() async throws -> any WebSocketPeer {
        if let peer = state.withLock({ $0.backlog.isEmpty ? nil : $0.backlog.removeFirst() }) { return peer }
        do throws(MessagePipe<MockWebSocketPeer>.Refusal) {
            if let peers = try await accepted.receive(), let first = peers.first {
                state.withLock { $0.backlog += peers.dropFirst() }
                return first
            }
        } catch {
            if error == .cancelled { throw CancellationError() }
            throw NetError(
                .invalidRequest, phase: .waiting, message: "another task is already accepting from this transport")
        }
        throw NetError(.shutdown, phase: .waiting, message: "the transport was shut down")
    }

    public func connect(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> WebSocketOpening {
        let attempt = state.withLock { state in
            state.attempts += 1
            if state.requests.count >= Self.historyLimit { state.requests.removeFirst() }
            state.requests.append(request)
            return state.isShutDown ? nil : state.attempts
        }
        guard let attempt else {
            throw context.error(.shutdown, phase: .preparing, message: "the transport was shut down")
        }
        do {
            return try await CancellableWork<WebSocketOpening>.run(
                within: context.timeouts.connect, on: context.environment.clock
            ) {
                context.error(.timeout, phase: .connecting, message: "the WebSocket did not open in time")
            } _: {
                try await self.open(request, attempt, context)
            }
        } catch let error as NetError {
            throw error.filling(call: context.summary, elapsed: context.elapsed)
        } catch is CancellationError {
            throw context.error(.cancelled, phase: .connecting, message: "the task was cancelled")
        } catch {
            throw context.error(
                .unknown, phase: .connecting, message: "the stub threw an error: \(ErrorSummary.describe(error))",
                underlying: error)
        }
    }

    /// Ends every connection; later calls throw `.shutdown`.
    public func shutdown() async {
        let sockets = state.withLock { state in
            state.isShutDown = true
            return state.sockets
        }
        accepted.end()
        for socket in sockets { socket.client?.change { $0.drop("the transport was shut down") } }
    }
}
