#if Redis
internal import NetCore
internal import NetSocketCore

/// One topic from the viewpoint of a server. Pure.
///
/// Live messages and the history arrive on different connections. A topic holds live frames until it knows its
/// position, then delivers them in order. If offsets are missing, it reads the history, and it reports a gap for
/// messages that are gone.
struct RedisTopic: Sendable {
    enum Action: Sendable, Hashable {
        case deliver(FanOutEvent)
        /// Read the history after this position, and call ``read(_:)``.
        case read(after: ChannelPosition)
        /// Request the state and the members, and the history after the position if there is one; then call
        /// ``resumed(_:_:)``.
        case resume
    }

    enum Phase: Sendable, Hashable {
        /// The position or the members aren't known.
        case unknown
        /// Frames are delivered as they arrive.
        case live
        /// Offsets are missing; the history is being read.
        case reading
    }

    /// The maximum number and size of held frames. Further frames are dropped, and read from the history later.
    static let maximumHeld = 1000
    static let maximumHeldBytes = 4 << 20

    let name: String
    private(set) var phase = Phase.unknown
    /// The position of the last delivered message; nil at first.
    private(set) var position: ChannelPosition?
    /// The version of the topic's members.
    private var version: UInt64 = 0
    private var hadMembers = false
    private var held: [RedisFrame] = []
    private var heldBytes = 0
    private var hasLeftOut = false

    init(_ name: String) {
        self.name = name
    }

    // MARK: Frames

    mutating func receive(_ frame: RedisFrame, _ actions: inout [Action]) {
        guard phase == .live, let position else { return hold(frame) }
        guard frame.epoch == position.epoch else { return resume(holding: frame, &actions) }
        switch frame.kind {
        case .message(let message):
            guard let offset = frame.offset else { return actions.append(.deliver(.message(message))) }
            if offset <= position.offset { return }
            guard offset == position.offset + 1 else {
                phase = .reading
                hold(frame)
                return actions.append(.read(after: position))
            }
            self.position?.offset = offset
            actions.append(.deliver(.message(message)))
        case .entered(let member): change(frame, .entered(member, topic: name), &actions)
        case .left(let member): change(frame, .left(member, topic: name), &actions)
        }
    }

    private mutating func change(_ frame: RedisFrame, _ event: FanOutEvent, _ actions: inout [Action]) {
        if frame.version <= version { return }
        guard frame.version == version + 1 else { return resume(holding: frame, &actions) }
        version = frame.version
        hadMembers = true
        actions.append(.deliver(event))
    }

    private mutating func resume(holding frame: RedisFrame, _ actions: inout [Action]) {
        phase = .unknown
        hold(frame)
        actions.append(.resume)
    }

    private mutating func hold(_ frame: RedisFrame) {
        guard held.count < Self.maximumHeld, heldBytes + frame.bytes <= Self.maximumHeldBytes else {
            hasLeftOut = true
            return
        }
        held.append(frame)
        heldBytes += frame.bytes
    }

    // MARK: Replies

    /// The state and the members of a topic.
    struct Snapshot: Sendable {
        var position: ChannelPosition
        var version: UInt64
        var members: [PresenceMember]
    }

    /// The messages of a topic after a position, and the current position.
    struct History: Sendable {
        var position: ChannelPosition
        var messages: [FanOutMessage]
    }

    /// Handles a lost connection. Nothing arrives until the topic is subscribed to and ``resumed(_:_:)`` again.
    mutating func interrupt() {
        phase = .unknown
        forget()
    }

    /// Resumes the topic after it was subscribed to and its state was read.
    ///
    /// - Parameter history: The messages after ``position``; nil if that was nil.
    mutating func resumed(_ snapshot: Snapshot, _ history: History?, _ actions: inout [Action]) {
        guard phase == .unknown else { return }
        version = snapshot.version
        if hadMembers || !snapshot.members.isEmpty {
            actions.append(.deliver(.members(snapshot.members, topic: name)))
            hadMembers = !snapshot.members.isEmpty
        }
        if let history, position != nil {
            take(history, isAll: true, &actions)
        } else {
            // The frames that arrived meanwhile may be older than the state; all of them are delivered.
            position = snapshot.position
            if let first = firstHeld(in: snapshot.position.epoch), first <= snapshot.position.offset {
                position?.offset = first - 1
            }
        }
        release(&actions)
    }

    /// Delivers the members once more, for a subscriber that hasn't received them.
    mutating func announce(_ snapshot: Snapshot, _ actions: inout [Action]) {
        guard phase != .unknown, snapshot.version >= version, snapshot.position.epoch == position?.epoch else { return }
        version = snapshot.version
        hadMembers = hadMembers || !snapshot.members.isEmpty
        if hadMembers { actions.append(.deliver(.members(snapshot.members, topic: name))) }
    }

    /// Handles the history after the position.
    mutating func read(_ history: History, _ actions: inout [Action]) {
        guard phase == .reading else { return }
        take(history, isAll: false, &actions)
        release(&actions)
    }

    private func firstHeld(in epoch: String) -> UInt64? {
        held.first { $0.offset != nil && $0.epoch == epoch }?.offset
    }

    /// Delivers a history up to the first held frame, and reports its gaps.
    ///
    /// - Parameter isAll: True if none of its messages can still arrive as a frame.
    private mutating func take(_ history: History, isAll: Bool, _ actions: inout [Action]) {
        guard let old = position else { return }
        let end = firstHeld(in: history.position.epoch)
        guard old.epoch == history.position.epoch else {
            // It is unknown if the kept messages were already delivered under the old epoch.
            goOn(to: min(history.position.offset, end.map { $0 - 1 } ?? .max), history.position.epoch, &actions)
            return
        }
        for message in history.messages {
            guard let offset = message.push.offset, let last = position?.offset, offset > last else { continue }
            if let end, offset >= end { break }
            if offset > last + 1 { goOn(to: offset - 1, old.epoch, &actions) }
            position?.offset = offset
            actions.append(.deliver(.message(message)))
        }
        guard let last = position?.offset else { return }
        if let end {
            if end > last + 1 { goOn(to: end - 1, old.epoch, &actions) }
        } else if isAll, history.position.offset != last {
            goOn(to: history.position.offset, old.epoch, &actions)
        }
    }

    private mutating func goOn(to offset: UInt64, _ epoch: String, _ actions: inout [Action]) {
        let next = ChannelPosition(epoch: epoch, offset: offset)
        position = next
        actions.append(.deliver(.gap(topic: name, next)))
    }

    /// Becomes live, and receives the held frames.
    private mutating func release(_ actions: inout [Action]) {
        phase = .live
        let (frames, hasLeftOut) = (held, hasLeftOut)
        forget()
        // If a frame causes another request, it is held again, and so are the frames after it.
        for frame in frames { receive(frame, &actions) }
        guard hasLeftOut else { return }
        if phase == .live {
            phase = .unknown
            actions.append(.resume)
        } else {
            self.hasLeftOut = true
        }
    }

    private mutating func forget() {
        held = []
        heldBytes = 0
        hasLeftOut = false
    }
}
#endif
