#if Server
public import Logging
public import NetCore
public import NetSocketCore

/// The settings of a server: its address, wire protocols, limits and retention.
///
///     var configuration = SocketServerConfiguration()
///     configuration.port = 8080
///     configuration.wires = ["/socket": .numberedJSON, "/graphql": .graphQLTransport]
public struct SocketServerConfiguration: Sendable {
    // MARK: Listening

    /// The address to listen on. Default `127.0.0.1`: only this machine can connect. `0.0.0.0` is all IPv4 addresses,
    /// and `::` is all IPv4 and IPv6 addresses.
    public var host = "127.0.0.1"
    /// The port. Default 0: a free port, which ``SocketServer/address`` returns.
    public var port = 0
    /// The number of event loops. nil, the default, creates one for each core.
    public var loopCount: Int?
    /// The maximum number of connections that wait to be accepted. Default 1,024; the system may allow fewer.
    public var backlog = 1024
    /// The certificate and key for TLS, which needs the trait `ServerTLS`. nil, the default, for none.
    public var tls: SocketServerTLS?

    // MARK: Wires

    /// The wire protocol of each path; `*` matches all other paths. A handshake whose path has no wire protocol is
    /// refused with 404. Default: ``NetSocketCore/SocketWire/numberedJSON`` for every path, which falls back to
    /// ``NetSocketCore/SocketWire/json`` for clients that don't offer its subprotocol.
    public var wires: [String: SocketWire] = ["*": .numberedJSON]
    /// Additional subprotocols that the server accepts, the preferred one first: for example, those by which clients
    /// send a token. Default none.
    public var subprotocols: [String] = []
    /// Compression for clients that offer it. nil, the default, for none.
    public var compression: WebSocketCompression?

    // MARK: Limits

    /// The web pages whose scripts may connect. Default: pages of the server's own host, and clients that aren't
    /// browsers.
    public var origins = OriginPolicy.sameOrigin
    /// The proxies that are trusted to report a client's address. Default none.
    public var proxies = TrustedProxies.none
    /// The limits for connections, addresses and users.
    public var limits = SocketServerLimits()
    /// The time limit for a command. Default 30 s; then the command's task is cancelled, and the client receives the
    /// failure `timeout`. nil for no limit.
    public var commandTimeout: Duration? = .seconds(30)
    /// The number of running or waiting commands at which a connection isn't read any more. Default 64.
    public var maximumCommands = 64
    /// The maximum size of the data that waits for a slow client, beyond the data its socket has accepted, in bytes.
    /// Default 1 MiB.
    public var maximumOutboxBytes = 1 << 20
    /// The handling of a push for a client whose outbox is full. Default: the oldest waiting push is dropped.
    public var slowClients = SlowClientPolicy.dropOldest
    /// The timeouts for silent clients. Default: a ping after 30 s of silence, and the connection ends 15 s later with
    /// ``silenceCode``. Checked once a second.
    public var liveness = WebSocketLiveness()
    /// The close code for a client that doesn't respond to a ping. Default 1001.
    public var silenceCode = CloseFrameCode.goingAway
    /// The time limit for a closing handshake. Default 5 s.
    public var closeTimeout = Duration.seconds(5)

    // MARK: Sessions and channels

    /// The limits of sessions that number their messages.
    public var delivery = SocketDelivery()
    /// The time that a session waits for its client to return. Default 2 minutes.
    public var sessionRetention = Duration.seconds(120)
    /// The maximum number of sessions. Default 10,000. Beyond it, a new session ends the one whose client has been
    /// away the longest; if all clients are connected, the new session's connection is closed with 1013.
    public var maximumSessions = 10_000
    /// The engine that carries the pushes of channels and keeps their histories. Default: one in the memory of this
    /// server.
    public var fanOut: (any FanOutEngine)?
    /// The event name of a push that informs the members of all channels about the engine: `{"available":false}` when
    /// it becomes unavailable, and `{"available":true}` when it is back. nil, the default, sends no such push; clients
    /// are notified of lost pushes in any case.
    public var outageEvent: String?

    // MARK: Draining

    /// The time limit for running commands when the server ends, from ``SocketServer/stop()`` or the cancellation of
    /// ``SocketServer/run()``. Default 30 s. Then commands are cancelled, and have one second to end. The server ends
    /// without commands and authenticating closures that ignore their cancellation: it logs a warning with their number
    /// and their paths, and they keep running. Clients that don't respond to a close frame can take up to
    /// ``closeTimeout`` longer.
    public var drainTimeout = Duration.seconds(30)
    /// The time over which clients reconnect when the server ends. Default 10 s: each client receives a different
    /// delay in the reason of the close frame, such as `Retry-After: 3.5`. Clients of this library honor it.
    public var reconnectSpread = Duration.seconds(10)

    // MARK: Surroundings

    /// The server's metrics. Default: a new instance; share one instance between several servers to add up their
    /// values.
    public var metrics = SocketServerMetrics()

    /// The listeners that receive the server's activity: logs, metrics, and your own
    /// (``NetCore/ActivityInterest/socketServers``, and ``NetCore/ActivityInterest/sockets`` for each WebSocket).
    /// Default none.
    public var listeners: [any ActivityListener] = []
    /// The redaction of paths and of previews of messages. Default ``NetCore/RedactionPolicy/safeDefault``.
    public var redaction = RedactionPolicy.safeDefault
    #if Tracing
    /// Makes the spans of commands; nil, the default, for none.
    var spans: ServerSpans?
    #endif

    /// Responds to requests that aren't handshakes, such as health checks; nil responds with 426. Default: every
    /// request gets 426.
    public var respond: (@Sendable (SocketServerRequest) async -> SocketServerResponse?)?
    /// The logger of the server.
    public var logger = Logger(label: "swift-net.socket-server")
    /// The clock. Default: the system's.
    public var clock = NetClock.system
    /// The source of random numbers. Default: the system's.
    public var random = NetRandom.system

    /// Creates the default configuration.
    public init() {}
}

/// A certificate chain and its private key, in PEM files.
public struct SocketServerTLS: Sendable, Hashable {
    /// The file with the certificate, followed by the certificates of its issuers.
    public var certificateChainFile: String
    /// The file with the private key.
    public var privateKeyFile: String

    /// Creates the settings. The files are read when the server starts.
    public init(certificateChainFile: String, privateKeyFile: String) {
        self.certificateChainFile = certificateChainFile
        self.privateKeyFile = privateKeyFile
    }
}
#endif
