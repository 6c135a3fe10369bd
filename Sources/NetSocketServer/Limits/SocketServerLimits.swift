#if Server
/// What a server allows its clients. A limit of nil isn't checked.
///
///     var limits = SocketServerLimits()
///     limits.connectionsPerAddress = 20
///     limits.messages = SocketRateLimit(perSecond: 10, burst: 50)
public struct SocketServerLimits: Sendable, Hashable {
    /// What happens to a connection whose messages come faster than allowed.
    public enum Excess: Sendable, Hashable {
        /// Nothing is read from it until its rate allows more, which slows its sender down.
        case slowDown
        /// It is closed with the code 1008.
        case close
    }

    // MARK: Connections

    /// The number of open connections. Default 10,000. Beyond it, handshakes are refused with 503.
    public var connections: Int? = 10_000
    /// The number of open connections of one address, or of one IPv6 network of 64 bits. Default 100. Beyond it, handshakes are
    /// refused with 429.
    public var connectionsPerAddress: Int? = 100
    /// The number of open connections of one user. Default 50. Beyond it, handshakes are refused with 429.
    public var connectionsPerUser: Int? = 50
    /// The rate of handshakes of one address, or of one IPv6 network of 64 bits. Default 10 per second, and 50 at once. Beyond it,
    /// handshakes are refused with 429.
    public var handshakesPerAddress: SocketRateLimit? = SocketRateLimit(perSecond: 10, burst: 50)
    /// Whether addresses of this machine and of private networks are limited, too. Default false: most often such an address is
    /// a proxy's, and behind it are many clients. List it in ``TrustedProxies`` to limit those by their own addresses.
    public var limitsPrivateAddresses = false
    /// What a refused client is told as `Retry-After` where nobody knows when there will be room. Default 5 seconds; whole
    /// seconds are sent, at least 1.
    public var retryAfter: Duration = .seconds(5)

    // MARK: Messages

    /// The rate of messages of one connection. Default 1,000 per second, and 10,000 at once. Pings and pongs count, and of a
    /// message with several commands each of them.
    public var messages: SocketRateLimit? = SocketRateLimit(perSecond: 1000, burst: 10_000)
    /// The rate of bytes of one connection, after decompression. Default 16 MiB per second, and 64 MiB at once. What frames take
    /// beside their messages counts once it is more than the largest message.
    public var bytes: SocketRateLimit? = SocketRateLimit(perSecond: 16_777_216, burst: 67_108_864)
    /// What happens to a connection whose messages come faster. Default `.slowDown`.
    public var excess: Excess = .slowDown
    /// The size of a message in bytes, after decompression. Default 1 MiB. A connection with a larger one is closed with 1009.
    public var messageBytes: Int = 1 << 20

    // MARK: Channels and subscriptions

    /// The number of channels that one connection may be in. Default 100. Beyond it, joins are refused. So are those of channels
    /// whose names are longer than 1,024 bytes, with or without this limit.
    public var channelsPerConnection: Int? = 100
    /// The number of subscriptions that one connection may have. Default 100. Beyond it, they end with the failure
    /// `too_many_subscriptions`.
    public var subscriptionsPerConnection: Int? = 100
    /// The rate of joins of one connection. Default 10 per second, and 200 at once. Beyond it, joins are refused.
    public var joins: SocketRateLimit? = SocketRateLimit(perSecond: 10, burst: 200)

    // MARK: Handshakes

    /// The size of a request's head in bytes. Default 16 KiB. Beyond it, requests are refused with 431.
    public var headerBytes: Int = 16_384
    /// The number of connections that haven't sent a whole request yet. Default 1,000. Beyond it, the oldest of them is closed for
    /// each new one.
    public var pendingHandshakes: Int? = 1000
    /// The time from the connection to the end of the handshake, with TLS and the authentication. Default 10 seconds.
    public var handshakeTime: Duration = .seconds(10)
    /// The time from the handshake to the first message, where the wire has an opening message. Default 10 seconds.
    public var firstMessageTime: Duration = .seconds(10)

    /// Creates the default limits.
    public init() {}

    /// No limits of numbers and rates; those of sizes and times are the defaults. For tests and benchmarks.
    public static let unlimited: SocketServerLimits = {
        var limits = SocketServerLimits()
        (limits.connections, limits.connectionsPerAddress, limits.connectionsPerUser) = (nil, nil, nil)
        (limits.handshakesPerAddress, limits.messages, limits.bytes, limits.joins) = (nil, nil, nil, nil)
        limits.pendingHandshakes = nil
        (limits.channelsPerConnection, limits.subscriptionsPerConnection) = (nil, nil)
        return limits
    }()
}
#endif
