#if Server
internal import NetSocketCore

/// A server's subscription to a topic. Another subscription of the same server has another token.
struct FanOutSubscriber: Sendable {
    let token: UInt64
    let node: FanOutNode
}

/// An event with those who receive it.
struct FanOutDelivery: Sendable {
    let topic: String
    let event: FanOutEvent
    var subscribers: [FanOutSubscriber]
}

/// One topic of a hub. Pure.
struct FanOutTopic: Sendable {
    /// The number of messages that wait for delivery at most.
    static let maximumWaiting = 1000

    let epoch: String
    /// Tells the topic from an earlier one of its name.
    let serial: UInt64
    private(set) var offset: UInt64 = 0
    /// How much is kept, as it was said last.
    private var kept = FanOutRetention(count: 0)
    private var pushes = RecentPushes()
    private var ids = RecentIDs()
    var subscribers: [FanOutSubscriber] = []
    var members = FanOutMembers()
    /// When the history and the IDs expire.
    private(set) var expiry: Duration = .zero

    /// Until when the topic is kept if nobody uses it.
    private var idleEnd: Duration = .zero
    /// A new topic isn't counted yet.
    private var isCountedIdle = false
    var isAwaitingRemoval = false
    var isAwaitingExpiry = false

    private var isDelivering = false
    private var waiting: [FanOutDelivery] = []
    private var head = 0
    /// The tasks that wait until fewer messages do.
    var waiters: [UnsafeContinuation<Void, Never>] = []

    init(epoch: String, serial: UInt64 = 0) {
        self.epoch = epoch
        self.serial = serial
    }

    var position: ChannelPosition { ChannelPosition(epoch: epoch, offset: offset) }
    /// The size of the history.
    var bytes: Int { pushes.bytes }
    var canExpire: Bool { !pushes.isEmpty || !ids.isEmpty }
    var isIdle: Bool { isUnused && !isDelivering }
    /// Whether nobody uses it, or only its last delivery does.
    var isUnused: Bool { subscribers.isEmpty && members.isEmpty }
    /// When the topic is removed if nobody uses it.
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

    /// Notes how much is kept from the next message on.
    mutating func keep(_ retention: FanOutRetention) {
        if !retention.isUnchanged { kept = retention }
    }

    /// Returns what the caller has to deliver; nil if nobody receives it, or another task delivers it after what it delivers now.
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

    /// Returns the message to deliver next, and the tasks that may publish again. Without one the delivery has ended; in a topic
    /// that isn't used any more, ``endDelivery()`` ends it.
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
        // Who has unsubscribed since isn't told.
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

    /// What follows from a change of a topic for the bounds of all.
    struct Change {
        /// How many bytes of history were added.
        var bytes = 0
        /// 1 if nobody uses it now, -1 if it is used again.
        var idle = 0
        var serial: UInt64
        /// When to look whether it is to be removed.
        var removal: Duration?
        /// When to look whether its history has expired.
        var expiry: Duration?
    }

    /// Changes the topic; `end` is until when it is kept if nobody uses it then.
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

    /// Drops the oldest pushes of the history, so many bytes or more.
    mutating func drop(bytes: Int) { pushes.trim(to: pushes.count, pushes.bytes - bytes) }
}
#endif
