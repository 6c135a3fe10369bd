#if Redis
public import NIOCore
internal import NIOPosix
public import NetCore
internal import NetSocketCore

/// The fan-out of several servers, on Redis or Valkey: live pushes, histories and presence across all of them.
///
/// Each server has an engine of its own on the same broker:
///
///     var configuration = SocketServerConfiguration()
///     configuration.fanOut = try RedisFanOut("redis://127.0.0.1:6379")
///
/// One script in the broker publishes a push: it recognizes a repeated message by its ID, assigns the offset, appends the message
/// to a Stream and publishes it. So all servers see one order, and a push is confirmed only after that. A server that misses an
/// offset reads it from the Stream. With `appendfsync always`, the broker loses nothing that it has confirmed. Otherwise a topic
/// gets a new epoch after the broker's restart, and clients are notified that pushes may be missing.
///
/// It uses two connections on one event loop. A cluster isn't supported. Requires the trait `Redis`.
public final class RedisFanOut: FanOutEngine {
    /// The settings of an engine.
    public struct Configuration: Sendable, Hashable {
        /// The behavior of calls while the broker is away.
        public enum Outage: Sendable, Hashable {
            /// Calls throw immediately.
            case fail
            /// Calls wait for at most this time, and then throw. A message that may have been published is published again under
            /// its ID, and therefore not twice; without an ID, the call throws.
            case wait(Duration)
        }

        /// Begins the names of all keys and channels. Default `swift-net:`. Servers with another prefix share nothing.
        public var prefix: String
        /// The behavior of calls while the broker is away. Default: they wait for at most 5 seconds.
        public var outage: Outage
        /// The maximum number of calls that wait for the broker or its replies. Default 10,000; further ones throw `.limited`.
        public var maximumWaiting: Int
        /// The time for a connection, log-in included. Default 5 seconds.
        public var connectTimeout: Duration
        /// The time for a reply; a broker that takes longer counts as away. Default 5 seconds.
        public var commandTimeout: Duration
        /// The time between signs of life of a quiet connection. Default 10 seconds.
        public var heartbeat: Duration
        /// The time after which a silent server counts as gone, and its members with it. Default 15 seconds.
        public var lease: Duration
        /// How long the broker knows the offsets of a topic that nobody uses; longer than the history, if that is kept longer.
        /// Default 1 day.
        public var positionTime: Duration
        /// The waits between attempts to connect. Default: up to 0.1 s, 0.2 s … 5 s, with full jitter.
        public var backoff: Backoff
        /// The number of message IDs that a topic remembers; as many as its history has, if that is more. Default 1,000.
        public var rememberedIDs: Int
        /// A PEM file with the authorities that may have signed the broker's certificate; nil, the default, for those of the
        /// system.
        public var trustRoots: String?

        /// Creates a configuration.
        public init(
            prefix: String = "swift-net:", outage: Outage = .wait(.seconds(5)), maximumWaiting: Int = 10_000,
            connectTimeout: Duration = .seconds(5), commandTimeout: Duration = .seconds(5),
            heartbeat: Duration = .seconds(10), lease: Duration = .seconds(15),
            positionTime: Duration = .seconds(86_400),
            backoff: Backoff = Backoff(base: .milliseconds(100), cap: .seconds(5)), rememberedIDs: Int = 1000,
            trustRoots: String? = nil
        ) {
            self.prefix = prefix
            self.outage = outage
            self.maximumWaiting = maximumWaiting
            self.connectTimeout = connectTimeout
            self.commandTimeout = commandTimeout
            self.heartbeat = heartbeat
            self.lease = lease
            self.positionTime = positionTime
            self.backoff = backoff
            self.rememberedIDs = rememberedIDs
            self.trustRoots = trustRoots
        }
    }

    let core: RedisCore

    /// Creates an engine; it connects when its server starts.
    ///
    /// - Parameters:
    ///   - url: `redis://[[user]:password@]host[:port][/database]`, or `rediss://…` for TLS, which needs the trait `ServerTLS`.
    ///     Throws `.invalidRequest` for anything else.
    ///   - configuration: What it asks of the broker.
    ///   - loop: The event loop of its connections. Default: one of those that all share, as servers do.
    ///   - clock: Tells when something takes too long. Default: the system's.
    ///   - random: Makes the names of epochs, and the waits. Default: the system's.
    public init(
        _ url: String, _ configuration: Configuration = Configuration(), on loop: (any EventLoop)? = nil,
        clock: NetClock = .system, random: NetRandom = .system
    ) throws(NetError) {
        core = RedisCore(
            try RedisAddress(url), configuration, on: loop ?? MultiThreadedEventLoopGroup.singleton.next(), clock,
            random)
    }

    public func open(as node: String, _ receive: @escaping @Sendable (FanOutEvent) -> Void) async throws(NetError) {
        try await core.open(as: node, receive)
    }

    public func subscribe(to topic: String, keeping retention: FanOutRetention) async throws(NetError) {
        try await core.subscribe(to: topic, keeping: retention)
    }

    public func unsubscribe(from topic: String) async throws(NetError) { try await core.unsubscribe(from: topic) }

    public func publish(
        _ message: FanOutMessage, keeping retention: FanOutRetention?
    ) async throws(NetError) -> ChannelPosition {
        try await core.publish(message, keeping: retention)
    }

    public func history(
        of topic: String, after position: ChannelPosition?
    ) async throws(NetError) -> FanOutHistory {
        try await core.history(of: topic, after: position)
    }

    public func enter(_ member: PresenceMember, in topic: String) async throws(NetError) {
        try await core.enter(member, in: topic)
    }

    public func leave(_ member: PresenceMember, from topic: String) async throws(NetError) {
        try await core.leave(member, from: topic)
    }

    public func members(of topic: String) async throws(NetError) -> [PresenceMember] {
        try await core.members(of: topic)
    }

    public func close() async { await core.close() }
}

extension RedisFanOut: CustomReflectable {
    /// Without parts: the address has a password.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
#endif
