#if Server
public import NetCore
public import NetSocketCore
internal import Synchronization

/// An in-memory fan-out within one process: the default engine of a server.
///
/// Publishing calls the `receive` closures of the subscribed servers before it returns, unless another task is
/// delivering messages of that topic; then that task also delivers this one. No lock is held during a call, so a
/// closure may publish. When a thousand messages of a topic are waiting because its receivers are slow, publishing to
/// it suspends.
///
/// Several servers of a process share their messages if their engines share a memory:
///
///     let first = MemoryFanOut()
///     let second = MemoryFanOut(sharing: first)
///
/// The memory is bounded (``Configuration``), and data is removed when it expires. No task is needed for this: it
/// happens while the engine is used. A topic without subscribers and members is removed together with its history;
/// when it is used again, it has a new epoch. All data is lost when the process ends.
public final class MemoryFanOut: FanOutEngine {
    /// The limits of an engine's memory.
    public struct Configuration: Sendable, Hashable {
        /// The total size of the histories of all topics, in bytes. Default 256 MiB. Beyond it, unused topics are
        /// removed, then the oldest pushes of the topic that grows.
        public var historyBytes: Int
        /// The maximum number of topics without subscribers and members. Default 10,000. Beyond it, those that would
        /// expire next are removed.
        public var idleTopics: Int
        /// The time for which a topic is kept without subscribers, members and history. A client that was the only
        /// member of a channel and returns within this time isn't notified of possibly lost messages. Default 60
        /// seconds.
        public var idleTime: Duration
        /// The number of message IDs that a topic remembers; at least as many as its history has pushes. Default
        /// 1,000.
        public var rememberedIDs: Int

        /// Creates limits.
        public init(
            historyBytes: Int = 256 << 20, idleTopics: Int = 10_000, idleTime: Duration = .seconds(60),
            rememberedIDs: Int = 1000
        ) {
            self.historyBytes = historyBytes
            self.idleTopics = idleTopics
            self.idleTime = idleTime
            self.rememberedIDs = rememberedIDs
        }
    }

    let hub: FanOutHub
    private let current = Mutex<FanOutNode?>(nil)

    /// Creates an engine with its own memory.
    ///
    /// - Parameters:
    ///   - configuration: The limits of its memory.
    ///   - clock: The clock for expiry times. Default: the system's.
    ///   - random: The source of epoch names. Default: the system's.
    public init(
        _ configuration: Configuration = Configuration(), clock: NetClock = .system, random: NetRandom = .system
    ) {
        hub = FanOutHub(configuration, clock, random)
    }

    /// Creates an engine for another server of this process, which shares all topics with the first one.
    public init(sharing other: MemoryFanOut) {
        hub = other.hub
    }

    /// The number of topics in memory, including unused ones.
    package var topicCount: Int { hub.topicCount }

    public func open(as node: String, _ receive: @escaping @Sendable (FanOutEvent) -> Void) async throws(NetError) {
        let new = FanOutNode(node, receive)
        let isFree = current.withLock { current in
            guard current == nil else { return false }
            current = new
            return true
        }
        guard isFree else {
            throw Self.error(
                .invalidRequest,
                "the engine already serves a server; create one for \(node) with MemoryFanOut(sharing:)")
        }
        guard hub.add(new) else {
            current.withLock { $0 = nil }
            throw Self.error(.invalidRequest, "the fan-out is used by another server with the name \(node)")
        }
    }

    public func subscribe(to topic: String, keeping retention: FanOutRetention) async throws(NetError) {
        hub.subscribe(try node(), to: topic, keeping: retention)
    }

    public func unsubscribe(from topic: String) async throws(NetError) {
        hub.unsubscribe(try node(), from: topic)
    }

    public func publish(
        _ message: FanOutMessage, keeping retention: FanOutRetention?
    ) async throws(NetError) -> ChannelPosition {
        _ = try node()
        while true {
            if let position = hub.publish(message, keeping: retention) { return position }
            await hub.room(in: message.topic)
        }
    }

    public func history(
        of topic: String, after position: ChannelPosition?
    ) async throws(NetError) -> FanOutHistory {
        _ = try node()
        return hub.history(of: topic, after: position)
    }

    public func enter(_ member: PresenceMember, in topic: String) async throws(NetError) {
        _ = try node()
        hub.enter(member, in: topic)
    }

    public func leave(_ member: PresenceMember, from topic: String) async throws(NetError) {
        _ = try node()
        hub.leave(member, from: topic)
    }

    public func members(of topic: String) async throws(NetError) -> [PresenceMember] {
        _ = try node()
        return hub.members(of: topic)
    }

    public func close() async {
        let node = current.withLock { current in
            defer { current = nil }
            return current
        }
        if let node { hub.remove(node) }
    }

    private func node() throws(NetError) -> FanOutNode {
        guard let node = current.withLock({ $0 }) else {
            throw Self.error(.shutdown, "the fan-out engine isn't open")
        }
        return node
    }

    private static func error(_ code: NetError.Code, _ message: String) -> NetError {
        NetError(code, phase: .preparing, message: message)
    }
}
#endif
