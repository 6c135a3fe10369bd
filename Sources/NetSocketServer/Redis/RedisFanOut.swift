#if Redis
public import NIOCore
internal import NIOPosix
public import NetCore
internal import NetSocketCore

/// A fan-out for several servers, on Redis or Valkey: live pushes, histories and presence across all of them.
///
/// Each server has its own engine on the same broker:
///
///     var configuration = SocketServerConfiguration()
///     configuration.fanOut = try RedisFanOut("redis://127.0.0.1:6379")
///
/// A push is published by one script in the broker: the script recognizes a repeated message by its ID, assigns the
/// offset, appends the message to a Stream and publishes it. All servers thus see the same order, and a push is only
/// confirmed after these steps. A server that misses an offset reads it from the Stream. With `appendfsync always`,
/// the broker doesn't lose any confirmed push. Otherwise a topic gets a new epoch after the broker's restart, and
/// clients are notified that pushes may be missing.
///
/// The engine uses two connections on one event loop. Clusters aren't supported. Requires the trait `Redis`.
public final class RedisFanOut: FanOutEngine {
    /// The settings of an engine.
    public struct Configuration: Sendable, Hashable {
        /// The behavior of calls while the broker is away.
        public enum Outage: Sendable, Hashable {
            /// Calls throw immediately.
            case fail
            /// Calls wait for at most this time, and then throw. If it is unknown whether a message was published, it
            /// is published again under its ID, which doesn't duplicate it; without an ID, the call throws.
            case wait(Duration)
        }

        /// The prefix of all keys and channels. Default `swift-net:`. Servers with different prefixes share nothing.
        public var prefix: String
        /// The behavior of calls while the broker is away. Default: they wait for at most 5 seconds.
        public var outage: Outage
        /// The maximum number of calls that wait for the broker or its replies. Default 10,000; further ones throw
        /// `.limited`.
        public var maximumWaiting: Int
        /// The time limit for connecting, including authentication. Default 5 seconds.
        public var connectTimeout: Duration
        /// The time limit for a reply; a broker that takes longer counts as away. Default 5 seconds.
        public var commandTimeout: Duration
        /// The time between heartbeats on an idle connection. Default 10 seconds.
        public var heartbeat: Duration
        /// The time after which a silent server counts as gone, and its members are removed. Default 15 seconds.
        public var lease: Duration
        /// The time for which the broker keeps the offsets of an unused topic; longer if its history is kept longer.
        /// Default 1 day.
        public var positionTime: Duration
        /// The delays between connection attempts. Default: up to 0.1 s, 0.2 s … 5 s, with full jitter.
        public var backoff: Backoff
        /// The number of message IDs that a topic remembers; at least as many as its history has pushes. Default
        /// 1,000.
        public var rememberedIDs: Int
        /// A PEM file with the certificate authorities that are trusted to sign the broker's certificate; nil, the
        /// default, for those of the system.
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

    /// Creates an engine, which connects when its server starts.
    ///
    /// - Parameters:
    ///   - url: `redis://[[user]:password@]host[:port][/database]`, or `rediss://…` for TLS, which needs the trait
    ///     `ServerTLS`. Throws `.invalidRequest` for anything else.
    ///   - configuration: The settings of the engine.
    ///   - loop: The event loop of its connections. Default: one of the global event loops, which servers also use.
    ///   - clock: The clock for timeouts. Default: the system's.
    ///   - random: The source of epoch names and reconnect delays. Default: the system's.
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
    /// No children: the address contains a password.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
#endif
