#if Server
internal import NetCore
internal import NetSocketCore

/// The topics of a hub. Pure: time is passed in, and what is to be done is returned.
struct FanOutHubState: Sendable {
    /// What follows from publishing.
    enum Publication {
        /// Too many messages wait for delivery; nothing was published.
        case full
        /// It is published, and somebody else delivers it if anybody has to.
        case accepted(ChannelPosition)
        /// The caller delivers it, and then asks for the next delivery until there is none.
        case deliver(FanOutDelivery, ChannelPosition)
    }

    /// The names of the servers.
    var nodes: Set<String> = []
    private let configuration: MemoryFanOut.Configuration
    private let random: NetRandom
    private var topics: [String: FanOutTopic] = [:]
    /// The topics that nobody uses.
    private var idleCount = 0
    private var historyBytes = 0
    private var nextToken: UInt64 = 0
    private var lastChange: Duration = .zero
    /// When topics that nobody uses are removed. Has each of them once, and some that are used again.
    private var removals = ExpiryQueue()
    /// When the histories of topics that are used expire. Has each of them once, and some that are renewed.
    private var expiries = ExpiryQueue()

    init(_ configuration: MemoryFanOut.Configuration, _ random: NetRandom) {
        self.configuration = configuration
        self.random = random
    }

    var topicCount: Int { topics.count }

    // MARK: Subscriptions

    mutating func subscribe(_ node: FanOutNode, to topic: String, _ now: Duration) {
        nextToken += 1
        let subscriber = FanOutSubscriber(token: nextToken, node: node)
        change(topic, now) { topic in
            if !topic.subscribers.contains(where: { $0.node === node }) { topic.subscribers.append(subscriber) }
        }
    }

    mutating func unsubscribe(_ node: FanOutNode, from topic: String, _ now: Duration) {
        guard topics[topic] != nil else { return }
        change(topic, now) { $0.subscribers.removeAll { $0.node === node } }
    }

    mutating func remove(_ node: FanOutNode, _ now: Duration) {
        nodes.remove(node.name)
        for (name, topic) in topics where topic.concerns(node) {
            change(name, now) { topic in
                topic.subscribers.removeAll { $0.node === node }
                topic.members.removeAll(of: node.name)
            }
        }
    }

    // MARK: Messages

    mutating func publish(
        _ message: FanOutMessage, keeping retention: FanOutRetention?, _ now: Duration
    ) -> Publication {
        let remembered = max(configuration.rememberedIDs, retention?.count ?? 0)
        let publication = change(message.topic, now) { topic in
            topic.publish(message, keeping: retention, remembering: remembered, now)
        }
        if historyBytes > configuration.historyBytes { shrink(message.topic, now) }
        return publication
    }

    mutating func nextDelivery(of topic: String) -> (FanOutDelivery?, [UnsafeContinuation<Void, Never>]) {
        let next = topics[topic]?.nextDelivery() ?? (nil, [])
        if next.0 == nil, topics[topic]?.isUnused == true { change(topic, lastChange) { $0.endDelivery() } }
        return next
    }

    /// Keeps a continuation until there is room; returns true if there is already.
    mutating func wait(_ continuation: UnsafeContinuation<Void, Never>, in topic: String) -> Bool {
        guard topics[topic]?.isFull == true else { return true }
        topics[topic]?.waiters.append(continuation)
        return false
    }

    mutating func history(of topic: String, after position: ChannelPosition?, _ now: Duration) -> FanOutHistory {
        change(topic, now) { topic in
            topic.expire(now)
            return topic.history(after: position)
        }
    }

    // MARK: Presence

    mutating func enter(_ member: PresenceMember, in topic: String, _ now: Duration) {
        change(topic, now) { $0.members.add(member) }
    }

    mutating func leave(_ member: PresenceMember, from topic: String, _ now: Duration) {
        guard topics[topic] != nil else { return }
        change(topic, now) { $0.members.remove(member) }
    }

    func members(of topic: String) -> [PresenceMember] { topics[topic]?.members.all ?? [] }

    // MARK: What is kept

    /// Changes a topic, which is created if there is none, and notes what follows from it for the bounds.
    private mutating func change<Result>(
        _ name: String, _ now: Duration, _ body: (inout FanOutTopic) -> Result
    ) -> Result {
        sweep(now)
        let (random, idleEnd) = (random, now + configuration.idleTime)
        // The topic is changed in its place, and once: copying it costs more than publishing.
        let (result, change) = topics[name, default: FanOutTopic(epoch: String(random.next(), radix: 36))]
            .noting(idleEnd, body)
        historyBytes += change.bytes
        if let time = change.removal { removals.add(name, at: time) }
        if let time = change.expiry { expiries.add(name, at: time) }
        guard change.idle != 0 else { return result }
        idleCount += change.idle
        while idleCount > configuration.idleTopics, removeNextIdle() {}
        return result
    }

    /// Removes what has expired.
    mutating func sweep(_ now: Duration) {
        lastChange = now
        while let name = removals.next(until: now) {
            guard let topic = topics[name] else { continue }
            topics[name]?.isAwaitingRemoval = false
            guard topic.isIdle else { continue }
            if topic.removal <= now {
                remove(name)
            } else {
                topics[name]?.isAwaitingRemoval = true
                removals.add(name, at: topic.removal)
            }
        }
        while let name = expiries.next(until: now) {
            guard let topic = topics[name] else { continue }
            if topic.canExpire, topic.expiry > now {
                expiries.add(name, at: topic.expiry)
            } else {
                historyBytes -= topic.bytes
                topics[name]?.expire(now)
                topics[name]?.isAwaitingExpiry = false
            }
        }
    }

    /// Removes the topic without users whose time would pass first; returns false if there is none.
    private mutating func removeNextIdle() -> Bool {
        while let entry = removals.removeFirst() {
            guard let topic = topics[entry.name] else { continue }
            if topic.isIdle, topic.removal <= entry.time {
                remove(entry.name)
                return true
            }
            topics[entry.name]?.isAwaitingRemoval = topic.isIdle
            if topic.isIdle { removals.add(entry.name, at: topic.removal) }
        }
        return false
    }

    private mutating func remove(_ name: String) {
        guard let topic = topics.removeValue(forKey: name) else { return }
        historyBytes -= topic.bytes
        idleCount -= 1
    }

    /// Makes room for the history of a topic.
    private mutating func shrink(_ name: String, _ now: Duration) {
        while historyBytes > configuration.historyBytes, removeNextIdle() {}
        let excess = historyBytes - configuration.historyBytes
        if excess > 0 { change(name, now) { $0.drop(bytes: excess) } }
    }
}
#endif
