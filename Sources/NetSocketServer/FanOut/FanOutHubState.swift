#if Server
internal import NetCore
internal import NetSocketCore

/// The topics of a hub. Pure: time is passed in, and deliveries are returned.
struct FanOutHubState: Sendable {
    /// The result of publishing.
    enum Publication {
        /// Too many messages are waiting for delivery; the message wasn't published.
        case full
        /// The message is published; another task delivers it if it has receivers.
        case accepted(ChannelPosition)
        /// The caller delivers the message, and then requests the next delivery until there is none.
        case deliver(FanOutDelivery, ChannelPosition)
    }

    /// The names of the servers.
    var nodes: Set<String> = []
    private let configuration: MemoryFanOut.Configuration
    private let random: NetRandom
    private var topics: [String: FanOutTopic] = [:]
    /// The number of unused topics.
    private var idleCount = 0
    private var historyBytes = 0
    /// The number of changes, used for the tokens of subscriptions and the serial numbers of topics.
    private var changes: UInt64 = 0
    private var lastChange: Duration = .zero
    /// The removal times of unused topics. Contains each of them once, and some topics that are used again.
    private var removals = ExpiryQueue()
    /// The expiry times of the histories of topics in use. Contains each of them once, and some that have been
    /// renewed.
    private var expiries = ExpiryQueue()

    init(_ configuration: MemoryFanOut.Configuration, _ random: NetRandom) {
        self.configuration = configuration
        self.random = random
    }

    var topicCount: Int { topics.count }
    /// The number of entries in both queues.
    var noteCount: Int { removals.count + expiries.count }

    // MARK: Subscriptions

    /// Returns the delivery that the caller performs, like the other functions here: the members of the topic, if it
    /// has any.
    mutating func subscribe(
        _ node: FanOutNode, to name: String, keeping retention: FanOutRetention, _ now: Duration
    ) -> FanOutDelivery? {
        let new = FanOutSubscriber(token: changes, node: node)
        return change(name, now) { topic in
            topic.keep(retention)
            let known = topic.subscribers.first { $0.node === node }
            let subscriber = known ?? new
            if known == nil { topic.subscribers.append(new) }
            guard !topic.members.isEmpty else { return nil }
            return topic.deliver(.members(topic.members.all, topic: name), in: name, to: [subscriber])
        }
    }

    mutating func unsubscribe(_ node: FanOutNode, from topic: String, _ now: Duration) {
        guard topics[topic] != nil else { return }
        change(topic, now) { $0.subscribers.removeAll { $0.node === node } }
    }

    mutating func remove(_ node: FanOutNode, _ now: Duration) -> [FanOutDelivery] {
        nodes.remove(node.name)
        var deliveries: [FanOutDelivery] = []
        for (name, topic) in topics where topic.concerns(node) {
            let first = change(name, now) { topic -> FanOutDelivery? in
                topic.subscribers.removeAll { $0.node === node }
                let gone = topic.members.removeAll(of: node.name)
                let own = gone.map { topic.deliver(.left($0, topic: name), in: name) }
                // The other deliveries wait behind the first.
                return own.first ?? nil
            }
            if let first { deliveries.append(first) }
        }
        return deliveries
    }

    // MARK: Messages

    mutating func publish(
        _ message: FanOutMessage, keeping retention: FanOutRetention?, _ now: Duration
    ) -> Publication {
        let remembered = configuration.rememberedIDs
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

    /// Keeps a continuation until there is room; returns true if there already is.
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

    mutating func enter(_ member: PresenceMember, in name: String, _ now: Duration) -> FanOutDelivery? {
        change(name, now) { topic in
            topic.members.add(member)
            return topic.deliver(.entered(member, topic: name), in: name)
        }
    }

    mutating func leave(_ member: PresenceMember, from name: String, _ now: Duration) -> FanOutDelivery? {
        guard topics[name] != nil else { return nil }
        return change(name, now) { topic in
            guard let gone = topic.members.remove(member) else { return nil }
            return topic.deliver(.left(gone, topic: name), in: name)
        }
    }

    func members(of topic: String) -> [PresenceMember] { topics[topic]?.members.all ?? [] }

    // MARK: What is kept

    /// Changes a topic, which is created if needed, and records the effects on the limits.
    private mutating func change<Result>(
        _ name: String, _ now: Duration, _ body: (inout FanOutTopic) -> Result
    ) -> Result {
        sweep(now)
        changes += 1
        let (random, serial, idleEnd) = (random, changes, now + configuration.idleTime)
        // The topic is changed in place and only once: copying it costs more than publishing.
        let (result, change) = topics[
            name, default: FanOutTopic(epoch: String(random.next(), radix: 36), serial: serial)
        ]
        .noting(idleEnd, body)
        historyBytes += change.bytes
        if let time = change.removal { removals.add(name, change.serial, at: time) }
        if let time = change.expiry { expiries.add(name, change.serial, at: time) }
        guard change.idle != 0 else { return result }
        idleCount += change.idle
        while idleCount > configuration.idleTopics, removeNextIdle() {}
        return result
    }

    /// Removes everything that has expired.
    mutating func sweep(_ now: Duration) {
        lastChange = now
        while let entry = removals.next(until: now) { _ = remove(entry, now) }
        while let entry = expiries.next(until: now) {
            guard let topic = topics[entry.name], topic.serial == entry.serial else { continue }
            if topic.canExpire, topic.expiry > now {
                expiries.add(entry.name, entry.serial, at: topic.expiry)
            } else {
                historyBytes -= topic.bytes
                topics[entry.name]?.expire(now)
                topics[entry.name]?.isAwaitingExpiry = false
            }
        }
    }

    /// Removes the unused topic that would expire next; returns false if there is none.
    private mutating func removeNextIdle() -> Bool {
        while let entry = removals.removeFirst() {
            if remove(entry, entry.time) { return true }
        }
        return false
    }

    /// Removes a topic if it is unused and its time has come. A topic that was used meanwhile is queued again.
    private mutating func remove(_ entry: ExpiryQueue.Entry, _ now: Duration) -> Bool {
        guard let topic = topics[entry.name], topic.serial == entry.serial else { return false }
        if topic.isIdle, topic.removal <= now {
            remove(entry.name)
            return true
        }
        topics[entry.name]?.isAwaitingRemoval = topic.isIdle
        if topic.isIdle { removals.add(entry.name, entry.serial, at: topic.removal) }
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
