import NetCore

@testable import NetSocketCore

/// The event for a step in a state.
extension SessionWorld {
    /// Returns the event for a step; nil if it isn't possible.
    func event(for step: SessionStep) -> SessionMachine.Event? {
        switch step {
        case .start: .start
        case .close: .close
        case .pause: .pause
        case .resume: .resume
        case .reconnect: .reconnect
        case .connected: connecting.map { .connected($0) }
        case .connectFailed(let end): connecting.map { .connectFailed($0, Self.failures[end], Self.chance) }
        case .ended(let end): open.map { .ended($0, Self.ends[end], Self.chance) }
        case .wireEnded(let mayReconnect):
            open.map { .wireEnded($0, WireEnd(mayReconnect: mayReconnect), Self.chance) }
        case .heard: open.map { .heard($0) }
        case .network(let network): .network(Self.networks[network])
        case .closed(let code): open.map { .ended($0, Self.closed(code), Self.chance) }
        case .refused(let status): connecting.map { .connectFailed($0, Self.refused(status), Self.chance) }
        case .answer(let isLate): .reply(isLate ? stale : open ?? 0, WireReply(id: "theirs", .success(nil)))
        case .unwritable(let kept): number(of: kept).map { .unwritable($0) }
        case .late(let late): event(for: late)
        case .becomeStable: nil
        case .reconnectTimer: .timer(.reconnect, Self.chance)
        case .openingTimer: .timer(.opening, Self.chance)
        case .heartbeatTimer: .timer(.heartbeat, Self.chance)
        case .probeTimer: .timer(.probe, Self.chance)
        case .idleTimer: .timer(.idle, Self.chance)
        case .acknowledgmentTimer: .timer(.acknowledgment, Self.chance)
        case .requestTimer(let index): requests.at(index).map { .timer(.request($0), Self.chance) }
        case .joinTimer(let topic): .timer(.join(topic: topic), Self.chance)
        case .request(let rule, let topic, let wantsReply):
            requests.count < maximumWaiting
                ? .request(nextTicket, .init("e", topic: topic, wantsReply: wantsReply, offline: rule)) : nil
        case .cancel(let index): waiting.at(index).map { .cancel($0.ticket) }
        case .join(let topic): canWaitForChannel ? .join(nextTicket, topic: topic) : nil
        case .leave(let topic): canWaitForChannel ? .leave(nextTicket, topic: topic) : nil
        case .subscribe:
            machine.subscriptions.count < maximumWaiting ? .subscribe(nextTicket, Self.payload) : nil
        case .unsubscribe(let index): machine.subscriptionOrder.at(index).map { .unsubscribe($0) }
        case .openPayload(let isMade):
            hasSentOpen || isWireOpen
                ? nil : open.map { .openPayload($0, nil, isMade ? nil : Self.failures[.retryable], Self.chance) }
        case .joinPayload(let topic, let isMade):
            payloads.first { $0.topic == topic && $0.generation == machine.channels[topic]?.generation }.map {
                .joinPayload(
                    $0.connection, topic: topic, generation: $0.generation, nil, isMade ? nil : Self.failures[.final])
            }
        default: signal(for: step).flatMap { signal in open.map { .received($0, signal) } }
        }
    }

    private func signal(for step: SessionStep) -> WireSignal? {
        switch step {
        case .opened(let namesLimit): .opened(WireOpened(heartbeat: namesLimit ? .seconds(20) : nil))
        case .reply(let index, let isSuccess):
            sent.at(index).map {
                .reply(WireReply(id: .number($0), isSuccess ? .success(nil) : .failure(Self.failure)))
            }
        case .joined(let topic, let answer): answered(topic, answer).map { .joined($0) }
        case .joinRefused(let topic):
            if case .joining(let id)? = machine.channels[topic]?.state {
                .joinRefused(id, topic: topic, Self.failure)
            } else {
                nil
            }
        case .left(let topic):
            if case .leaving(let id)? = machine.channels[topic]?.state { .left(id, topic: topic, nil) } else { nil }
        case .kicked(let topic, let isFailure): .left(nil, topic: topic, isFailure ? Self.failure : nil)
        case .push(let topic, let offset): .push(WirePush(event: "p", topic: topic, offset: self.offset(offset, topic)))
        case .event(let index): machine.subscriptionOrder.at(index).map { .event(.number($0), Self.payload) }
        case .completed(let index, let isFailure):
            machine.subscriptionOrder.at(index).map { .completed(.number($0), isFailure ? Self.failure : nil) }
        case .aside(let aside): Self.asides[aside]
        case .resumed(let resumption): resumed(resumption).map { .resumed($0) }
        case .numbered(let order, let content): numbered(order, content)
        case .acknowledge(let kept): number(of: kept).map { .acknowledge($0) }
        default: nil
        }
    }

    /// Returns an event without a waiting recipient. 0 isn't the ID of anything.
    private func event(for late: SessionStep.Late) -> SessionMachine.Event? {
        let generation = machine.channels["a"]?.generation ?? 0
        return switch late {
        case .connected: .connected(stale)
        case .connectFailed: .connectFailed(stale, Self.failures[.final], Self.chance)
        case .ended: .ended(stale, Self.ends[.final], Self.chance)
        case .wireEnded: .wireEnded(stale, WireEnd(mayReconnect: false), Self.chance)
        case .heard: .heard(stale)
        case .opened: .received(stale, .opened(WireOpened()))
        case .reply: open.map { .received($0, .reply(WireReply(id: 0, .success(nil)))) }
        case .joined: open.map { .received($0, .joined(WireJoined(id: 0, topic: "a"))) }
        case .left: open.map { .received($0, .left(0, topic: "a", nil)) }
        case .event: open.map { .received($0, .event(0, Self.payload)) }
        case .openPayload: .openPayload(stale, nil, Self.failures[.final], Self.chance)
        case .joinPayload: .joinPayload(stale, topic: "a", generation: generation, nil, Self.failures[.final])
        case .replyToJoin:
            joinID.flatMap { id in open.map { .received($0, .reply(WireReply(id: id, .success(nil)))) } }
        case .leftToJoin: joinID.flatMap { id in open.map { .received($0, .left(id, topic: "a", nil)) } }
        case .joinedToRequest:
            sent.first.flatMap { id in
                open.map { .received($0, .joined(WireJoined(id: .number(id), topic: "a"))) }
            }
        case .eventOfRequest: sent.first.flatMap { id in open.map { .received($0, .event(.number(id), Self.payload)) } }
        case .completedRequest: sent.first.flatMap { id in open.map { .received($0, .completed(.number(id), nil)) } }
        case .oldJoinPayload:
            open.map { .joinPayload($0, topic: "a", generation: 0, nil, Self.failures[.final]) }
        }
    }

    private func answered(_ topic: String, _ answer: SessionStep.Answer) -> WireJoined? {
        guard let channel = machine.channels[topic], case .joining(let id) = channel.state else { return nil }
        let old = channel.position ?? ChannelPosition(epoch: "e", offset: 10)
        func position(_ by: Int, epoch: String? = nil) -> ChannelPosition {
            ChannelPosition(epoch: epoch ?? old.epoch, offset: UInt64(max(0, Int(old.offset) + by)))
        }
        // The first of them has already been seen, if there is a position.
        let missed = (0..<3).map { WirePush(event: "p", topic: topic, offset: old.offset + $0) }
        return switch answer {
        case .plain: WireJoined(id: id, topic: topic)
        case .positioned: WireJoined(id: id, topic: topic, position: position(0))
        case .recovered: WireJoined(id: id, topic: topic, position: position(2), isRecovered: true, missed: missed)
        case .unrecovered: WireJoined(id: id, topic: topic, position: position(-2), isRecovered: false)
        case .otherEpoch:
            WireJoined(
                id: id, topic: topic, position: position(-3, epoch: old.epoch == "e" ? "f" : "e"), isRecovered: false)
        case .earlierOffset: WireJoined(id: id, topic: topic, position: position(-2))
        }
    }

    private func offset(_ offset: SessionStep.Offset, _ topic: String) -> UInt64? {
        let old = machine.channels[topic]?.position?.offset ?? 10
        return switch offset {
        case .none: nil
        case .seen: old
        case .next: old + 1
        case .later: old + 3
        }
    }

    private var nextTicket: UInt64 { machine.lastNumber + 1 }
    private var requests: [UInt64] { waiting.filter { $0.kind == .request }.map(\.ticket) }
    private var joinID: SocketID? {
        if case .joining(let id)? = machine.channels["a"]?.state { id } else { nil }
    }
    var sent: [UInt64] { machine.pending.keys.sorted() }
    private var canWaitForChannel: Bool { waiting.count - requests.count < maximumWaiting + 1 }

    static let payload = SocketPayload(json: "{}")
    private static let failure = SocketFailure("no")

    private static let networks = Table<SessionStep.Network, NetworkStatus> { network in
        switch network {
        case .wifi: NetworkStatus(.reachable, interfaces: [.wifi])
        case .cellular: NetworkStatus(.reachable, interfaces: [.cellular])
        case .unreachable: NetworkStatus(.unreachable)
        case .unknown: NetworkStatus()
        }
    }

    private static func closed(_ code: UInt16) -> NetError {
        NetError(
            .webSocketClosed, phase: .receiving, message: "closed",
            closure: WebSocketClosure(code: WebSocketCloseCode(rawValue: code)))
    }

    private static func refused(_ status: Int) -> NetError {
        let head = ResponseHead(status: .init(code: status))
        return NetError(
            .unacceptableStatus, phase: .validating, message: "\(status)", response: .init(head: head, body: Bytes()))
    }

    private static let failures = Table<SessionStep.End, NetError> { end in
        switch end {
        case .retryable: NetError(.connect, phase: .connecting, message: "refused")
        case .final: NetError(.invalidRequest, phase: .preparing, message: "not possible")
        case .unauthorized:
            NetError(
                .unacceptableStatus, phase: .validating, message: "401",
                response: .init(head: ResponseHead(status: .unauthorized), body: Bytes()))
        }
    }

    private static let ends = Table<SessionStep.End, NetError> { end in
        switch end {
        case .retryable: NetError(.connectionLost, phase: .receiving, message: "lost")
        case .final, .unauthorized:
            NetError(
                .webSocketClosed, phase: .receiving, message: "closed",
                closure: WebSocketClosure(code: WebSocketCloseCode(rawValue: end == .final ? 1008 : 4401)))
        }
    }

    private static let asides = Table<SessionStep.Aside, WireSignal> { aside in
        switch aside {
        case .request: .request(WireRequest(id: "theirs", event: "r"))
        case .cancel: .cancel("theirs")
        case .heartbeat: .heartbeat(nil)
        case .alive: .alive(nil)
        case .subscribed: .subscribed(1)
        case .end: .end(WireEnd())
        case .push: .push(WirePush(event: "p"))
        }
    }
}

/// A value for each case, created once.
struct Table<Key: CaseIterable & Hashable & Sendable, Value: Sendable>: Sendable {
    private let values: [Key: Value]
    private let make: @Sendable (Key) -> Value

    init(_ make: @escaping @Sendable (Key) -> Value) {
        self.make = make
        values = Dictionary(uniqueKeysWithValues: Key.allCases.map { ($0, make($0)) })
    }

    subscript(key: Key) -> Value { values[key] ?? make(key) }
}

extension Array {
    func at(_ index: Int) -> Element? { index < count ? self[index] : nil }
}
