#if Server
public import Logging
public import NetCore
public import NetSocketCore

/// How a server listens, what it allows, and what it keeps.
///
///     var configuration = SocketServerConfiguration()
///     configuration.port = 8080
///     configuration.wires = ["/socket": .numberedJSON, "/graphql": .graphQLTransport]
public struct SocketServerConfiguration: Sendable {
    // MARK: Listening

    /// The address to listen on. Default `127.0.0.1`: only this machine can connect. `0.0.0.0` is all IPv4 addresses, and `::`
    /// all of both kinds.
    public var host = "127.0.0.1"
    /// The port. Default 0: a free one, which ``SocketServer/address`` says.
    public var port = 0
    /// The number of event loops. nil, the default: one for each core.
    public var loopCount: Int?
    /// The connections that wait to be accepted. Default 1,024; the system may allow fewer.
    public var backlog = 1024
    /// The certificate and key for TLS, which needs the trait `ServerTLS`. nil, the default, for none.
    public var tls: SocketServerTLS?

    // MARK: Wires

    /// The wire protocol of each path; `*` stands for all others. A client whose handshake is for no path is refused with 404.
    /// Default: ``NetSocketCore/SocketWire/numberedJSON`` everywhere, which is ``NetSocketCore/SocketWire/json`` for clients
    /// that don't offer its subprotocol.
    public var wires: [String: SocketWire] = ["*": .numberedJSON]
    /// Further subprotocols that are agreed to, the preferred one first: those by which clients send a token, for example.
    /// Default none.
    public var subprotocols: [String] = []
    /// Compression for clients that offer it. nil, the default, for none.
    public var compression: WebSocketCompression?

    // MARK: Limits

    /// The pages whose browsers may connect. Default: those of the server's own host, and clients that aren't browsers.
    public var origins = OriginPolicy.sameOrigin
    /// The proxies before the server, whose word for a client's address is taken. Default none.
    public var proxies = TrustedProxies.none
    /// What connections, addresses and users may use.
    public var limits = SocketServerLimits()
    /// The time for a command. Default 30 s; its task is then cancelled, and the client is refused with `timeout`. nil for no
    /// limit.
    public var commandTimeout: Duration? = .seconds(30)
    /// The commands of a connection that run or wait, from which on it isn't read. Default 64.
    public var maximumCommands = 64
    /// What may wait for a slow client beyond what its socket has taken, in bytes. Default 1 MiB.
    public var maximumOutboxBytes = 1 << 20
    /// What happens to a push for a client whose outbox is full. Default: the oldest that waits is dropped.
    public var slowClients = SlowClientPolicy.dropOldest
    /// When a silent client is asked for a sign of life, and when it counts as gone. Default: a ping after 30 s, and the end 15 s
    /// later, with ``silenceCode``. Checked once a second.
    public var liveness = WebSocketLiveness()
    /// The code for a client that is gone. Default 1001.
    public var silenceCode = WebSocketCloseCode.goingAway
    /// The time for a closing handshake. Default 5 s.
    public var closeTimeout = Duration.seconds(5)

    // MARK: Sessions and channels

    /// The limits of sessions that number their messages.
    public var delivery = SocketDelivery()
    /// How long a session waits for its client to come back. Default 2 minutes.
    public var sessionRetention = Duration.seconds(120)
    /// The number of sessions. Default 10,000. Beyond it, a new one ends the one whose client has been away the longest; if all are
    /// connected, the new one's connection is closed with 1013.
    public var maximumSessions = 10_000
    /// Carries the pushes of channels, and keeps their histories. Default: in the memory of this server.
    public var fanOut: (any FanOutEngine)?
    /// The name of a push to the members of all channels when the engine is away, `{"available":false}`, and when it is back,
    /// `{"available":true}`: their pages can say so. nil, the default, tells them nothing; what was lost is told in any case.
    public var outageEvent: String?

    // MARK: Draining

    /// The time for running commands when the server ends. Default 30 s.
    public var drainTimeout = Duration.seconds(30)
    /// The time over which the clients of a server that ends are asked to connect again. Default 10 s: each is told a moment of its
    /// own in the reason of the close frame, as `Retry-After: 3.5`. Clients of this library keep to it.
    public var reconnectSpread = Duration.seconds(10)

    // MARK: Surroundings

    /// What the server counts. Default: metrics of its own; give the same to several servers to add them up.
    public var metrics = SocketServerMetrics()

    /// Those who are told what the server does: logs, metrics, and your own (``NetCore/ActivityInterest/socketServers``, and
    /// ``NetCore/ActivityInterest/sockets`` for each WebSocket). Default none.
    public var listeners: [any ActivityListener] = []
    /// What is hidden in paths and in previews of messages. Default ``NetCore/RedactionPolicy/safeDefault``.
    public var redaction = RedactionPolicy.safeDefault
    #if Tracing
    /// Makes the spans of commands; nil, the default, for none.
    var spans: ServerSpans?
    #endif

    /// Answers requests that aren't handshakes, such as health checks; nil for 426. Default: every request gets 426.
    public var respond: (@Sendable (SocketServerRequest) async -> SocketServerResponse?)?
    /// Where the server's log goes.
    public var logger = Logger(label: "swift-net.socket-server")
    /// The clock. Default: the system's.
    public var clock = NetClock.system
    /// The source of random numbers. Default: the system's.
    public var random = NetRandom.system

    /// Creates the default configuration.
    public init() {}
}

/// A certificate and its key, in files of PEM text.
public struct SocketServerTLS: Sendable, Hashable {
    /// The file of the certificate and those that it is signed by.
    public var certificateChainFile: String
    /// The file of the key.
    public var privateKeyFile: String

    /// Creates it; the files are read when the server starts.
    public init(certificateChainFile: String, privateKeyFile: String) {
        self.certificateChainFile = certificateChainFile
        self.privateKeyFile = privateKeyFile
    }
}
#endif
