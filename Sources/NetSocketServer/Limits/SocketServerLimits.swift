#if Server
/// The limits that a server imposes on its clients. A limit of nil isn't checked.
///
///     var limits = SocketServerLimits()
///     limits.connectionsPerAddress = 20
///     limits.messages = SocketRateLimit(perSecond: 10, burst: 50)
public struct SocketServerLimits: Sendable, Hashable {
    /// The handling of a connection whose messages exceed the allowed rate.
    public enum Excess: Sendable, Hashable {
        /// Reading pauses until the rate allows more, which slows the sender down.
        case slowDown
        /// The connection is closed with the code 1008.
        case close
    }

    // MARK: Connections

    /// The maximum number of open connections. Default 10,000. Beyond it, handshakes are refused with 503.
    public var connections: Int? = 10_000
    /// The maximum number of open connections per address, or per IPv6 network of 64 bits. Default 100. Beyond it,
    /// handshakes are refused with 429.
    public var connectionsPerAddress: Int? = 100
    /// The maximum number of open connections per user. Default 50. Beyond it, handshakes are refused with 429.
    public var connectionsPerUser: Int? = 50
    /// The rate of handshakes per address, or per IPv6 network of 64 bits. Default 10 per second, with bursts of 50.
    /// Beyond it, handshakes are refused with 429.
    public var handshakesPerAddress: SocketRateLimit? = SocketRateLimit(perSecond: 10, burst: 50)
    /// If true, addresses of this machine and of private networks are limited, too. Default false: such an address
    /// usually belongs to a proxy with many clients behind it. List the proxy in ``TrustedProxies`` to limit those
    /// clients by their own addresses.
    public var limitsPrivateAddresses = false
    /// The `Retry-After` value for a refused client if the time at which there will be room is unknown. Default 5
    /// seconds; sent in whole seconds, at least 1.
    public var retryAfter: Duration = .seconds(5)

    // MARK: Messages

    /// The rate of messages per connection. Default 1,000 per second, with bursts of 10,000. Pings and pongs count,
    /// and so does each command of a message with several commands.
    public var messages: SocketRateLimit? = SocketRateLimit(perSecond: 1000, burst: 10_000)
    /// The rate of bytes per connection, after decompression. Default 16 MiB per second, with bursts of 64 MiB. Bytes
    /// that belong to no message, such as the headers of frames, count once there are more of them than
    /// ``messageBytes``.
    public var bytes: SocketRateLimit? = SocketRateLimit(perSecond: 16_777_216, burst: 67_108_864)
    /// The handling of a connection that exceeds its rates. Default `.slowDown`.
    public var excess: Excess = .slowDown
    /// The maximum size of a message in bytes, after decompression. Default 1 MiB. A connection that sends a larger
    /// one is closed with 1009.
    public var messageBytes: Int = 1 << 20

    // MARK: Channels and subscriptions

    /// The maximum number of channels per connection. Default 100. Beyond it, joins are refused. Joins of channels
    /// whose names are longer than 1,024 bytes are also refused, with or without this limit.
    public var channelsPerConnection: Int? = 100
    /// The maximum number of subscriptions per connection. Default 100. Beyond it, subscriptions end with the failure
    /// `too_many_subscriptions`.
    public var subscriptionsPerConnection: Int? = 100
    /// The rate of joins per connection. Default 10 per second, with bursts of 200. Beyond it, joins are refused.
    public var joins: SocketRateLimit? = SocketRateLimit(perSecond: 10, burst: 200)

    // MARK: Handshakes

    /// The maximum size of a request's head in bytes. Default 16 KiB. Beyond it, requests are refused with 431.
    public var headerBytes: Int = 16_384
    /// The maximum number of connections that haven't sent a complete request yet. Default 1,000. Beyond it, each new
    /// connection closes the oldest of them. Also the maximum number of closures that authenticate clients and haven't
    /// returned; a closure that ignores its cancellation keeps its place until it returns. Beyond it, handshakes are
    /// refused with 503.
    public var pendingHandshakes: Int? = 1000
    /// The time limit from the connection to the end of the handshake, including TLS and authentication. Default 10
    /// seconds. Then the connection is closed, and the closure that authenticates its client is cancelled. In a mounted
    /// server, and over a link, the time of the authentication is limited, and the client is refused with 503.
    public var handshakeTime: Duration = .seconds(10)
    /// The time limit from the handshake to the first message, if the wire has an opening message or the client has to
    /// authenticate by a message. Default 10 seconds.
    public var firstMessageTime: Duration = .seconds(10)

    /// Creates the default limits.
    public init() {}

    /// No limits on numbers and rates; the limits on sizes and times are the defaults. For tests and benchmarks.
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
