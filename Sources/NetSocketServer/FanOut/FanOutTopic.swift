#if Server
internal import NetSocketCore

/// A server's subscription to a topic. Each new subscription of a server has a new token.
struct FanOutSubscriber: Sendable {
    let token: UInt64
    let node: FanOutNode
}

/// An event and its receivers.
struct FanOutDelivery: Sendable {
    let topic: String
    let event: FanOutEvent
    var subscribers: [FanOutSubscriber]
}

/// One topic of a hub. Pure.
struct FanOutTopic: Sendable {
    /// The maximum number of messages that wait for delivery.
    static let maximumWaiting = 1000

    let epoch: String
    /// Distinguishes the topic from an earlier one with the same name.
    let serial: UInt64
    private(set) var offset: UInt64 = 0
    /// The retention that was set last.
    private var kept = FanOutRetention(count: 0)
    private var pushes = RecentPushes()
    private var ids = RecentIDs()
    var subscribers: [FanOutSubscriber] = []
    var members = FanOutMembers()
    /// The time at which the history and the IDs expire.
    private(set) var expiry: Duration = .zero

    /// The time until which the topic is kept if it is unused.
    private var idleEnd: Duration = .zero
    /// A new topic isn't counted yet.
    private var isCountedIdle = false
    var isAwaitingRemoval = false
    var isAwaitingExpiry = false

    private var isDelivering = false
    private var waiting: [FanOutDelivery] = []
    private var head = 0
    /// The tasks that wait until fewer messages are waiting.
    var waiters: [UnsafeContinuation<Void, Never>] = []

    init(epoch: String, serial: UInt64 = 0) {
        self.epoch = epoch
        self.serial = serial
    }

    var position: ChannelPosition { ChannelPosition(epoch: epoch, offset: offset) }
    /// The size of the history, in bytes.
    var bytes: Int { pushes.bytes }
    var canExpire: Bool { !pushes.isEmpty || !ids.isEmpty }
    var isIdle: Bool { isUnused && !isDelivering }
    /// True if the topic is unused, apart from its last delivery.
    var isUnused: Bool { subscribers.isEmpty && members.isEmpty }
    /// The time at which the topic is removed if it is unused.
    var removal: Duration { pushes.isEmpty ? idleEnd : max(idleEnd, expiry) }
    var isFull: Bool { isDelivering && waiting.count - head >= Self.maximumWaiting }

    func concerns(_ node: FanOutNode) -> Bool {
        subscribers.contains { $0.node === node } || members.has(node.name)
    }

    // MARK: Messages

    mutating func publish(
        _ message: FanOutMessage, keeping retention: FanOutRetention?, remembering remembered: Int, _ now: Duration
    ) -> FanOutHubState.Publication {
        expire(now)
        if !message.id.isEmpty, let known = ids.offset(of: message.id) {
            return .accepted(ChannelPosition(epoch: epoch, offset: known))
        }
        if isFull { return .full }
        var message = message
        message.push.offset = nil
        if let retention {
            keep(retention)
            offset += 1
            message.push.offset = offset
            pushes.keep(message.push, kept)
            expiry = now + kept.time
        } else if !canExpire {
            expiry = now + FanOutRetention(count: 0).time
        }
        if !message.id.isEmpty { ids.remember(message.id, offset, atMost: max(remembered, kept.count)) }
        let delivery = deliver(.message(message), in: message.topic)
        return delivery.map { .deliver($0, position) } ?? .accepted(position)
    }

    /// Sets the retention from the next message on.
    mutating func keep(_ retention: FanOutRetention) {
        if !retention.isUnchanged { kept = retention }
    }

    /// Returns the delivery for the caller to perform; nil if there are no receivers, or if another task will perform
    /// it after its current one.
    mutating func deliver(
        _ event: FanOutEvent, in name: String, to receivers: [FanOutSubscriber]? = nil
    ) -> FanOutDelivery? {
        let receivers = receivers ?? subscribers
        guard !receivers.isEmpty else { return nil }
        let delivery = FanOutDelivery(topic: name, event: event, subscribers: receivers)
        if isDelivering {
            waiting.append(delivery)
            return nil
        }
        isDelivering = true
        return delivery
    }

    /// Returns the next message to deliver, and the tasks that may publish again. Without a message, the delivery has
    /// ended; for a topic that isn't used any more, ``endDelivery()`` ends it.
    mutating func nextDelivery() -> (FanOutDelivery?, [UnsafeContinuation<Void, Never>]) {
        var next: FanOutDelivery?
        if head < waiting.count {
            next = waiting[head]
            waiting[head].subscribers = []
            head += 1
            if head == waiting.count || head > 64 && head > waiting.count / 2 {
                waiting.removeFirst(head)
                head = 0
            }
        } else if !isUnused {
            isDelivering = false
        }
        // Subscribers that have unsubscribed meanwhile aren't notified.
        next?.subscribers.removeAll { subscriber in !subscribers.contains { $0.token == subscriber.token } }
        guard !waiters.isEmpty, waiting.count - head <= Self.maximumWaiting / 2 else { return (next, []) }
        defer { waiters = [] }
        return (next, waiters)
    }

    mutating func endDelivery() { isDelivering = false }

    func history(after position: ChannelPosition?) -> FanOutHistory {
        guard let position else { return FanOutHistory(position: self.position) }
        guard position.epoch == epoch, position.offset <= offset else {
            return FanOutHistory(position: self.position, pushes: pushes.all, isComplete: false)
        }
        let missed = offset - position.offset
        return FanOutHistory(
            position: self.position, pushes: pushes.last(missed), isComplete: missed <= UInt64(pushes.count))
    }

    // MARK: What is kept

    /// The effects of a topic's change on the limits of the hub.
    struct Change {
        /// The number of bytes added to the history.
        var bytes = 0
        /// 1 if the topic has become unused, -1 if it is used again.
        var idle = 0
        var serial: UInt64
        /// The time at which to check if the topic can be removed.
        var removal: Duration?
        /// The time at which to check if its history has expired.
        var expiry: Duration?
    }

    /// Changes the topic; `end` is the time until which it is kept if it is unused afterward.
    mutating func noting<Result>(_ end: Duration, _ body: (inout FanOutTopic) -> Result) -> (Result, Change) {
        var change = Change(bytes: -bytes, serial: serial)
        let result = body(&self)
        change.bytes += bytes
        if isIdle {
            idleEnd = end
            if !isCountedIdle { change.idle = 1 }
            if !isAwaitingRemoval { change.removal = removal }
            isAwaitingRemoval = true
        } else {
            if isCountedIdle { change.idle = -1 }
            if !isAwaitingExpiry, canExpire {
                change.expiry = expiry
                isAwaitingExpiry = true
            }
        }
        isCountedIdle = isIdle
        return (result, change)
    }

    mutating func expire(_ now: Duration) {
        guard canExpire, expiry <= now else { return }
        pushes = RecentPushes()
        ids = RecentIDs()
    }

    /// Drops the oldest pushes of the history, at least `bytes` in total.
    mutating func drop(bytes: Int) { pushes.trim(to: pushes.count, pushes.bytes - bytes) }
}
#endif
