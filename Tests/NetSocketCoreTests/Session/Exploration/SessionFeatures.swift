import NetCore

@testable import NetSocketCore

/// The features of a session under exploration, and the alphabet of its events.
enum SessionFeatures: CaseIterable {
    case plain, everything
    /// Follows the network, connects when something needs it, and replies to the server.
    case network
    case delivery
    /// Delivers at least once on a wire protocol with an opening message, and connects when something needs it.
    case neededDelivery

    static let plainWire: SocketWire.Features = [.requests, .notifications, .pushes, .channels, .subscriptions]
    static let wholeWire = plainWire.union([.opening, .heartbeats, .cancellation, .confirmedLeaves, .recovery])

    var alphabet: [SessionStep] {
        switch self {
        case .plain, .everything: SessionStep.all
        case .network: SessionStep.network
        case .delivery: SessionStep.delivery
        case .neededDelivery: SessionStep.delivery + SessionStep.opening
        }
    }

    var settings: SessionMachine.Settings {
        let wire =
            switch self {
            case .plain: Self.plainWire
            case .everything, .network: Self.wholeWire
            case .delivery: Self.plainWire.union([.delivery, .confirmedLeaves])
            case .neededDelivery: Self.plainWire.union([.delivery, .confirmedLeaves, .opening])
            }
        var settings = SessionMachine.Settings(features: wire)
        settings.policy.maximumAttempts = 2
        settings.policy.closeCodes[4100] = .retry
        settings.maximumQueueCount = 2
        // All durations are equal, so that time passes in steps.
        settings.probeTimeout = settings.policy.stablePeriod
        if self == .network || self == .neededDelivery { settings.idleTimeout = settings.policy.stablePeriod }
        if self == .delivery || self == .neededDelivery {
            settings.delivery = (SocketDelivery(maximumCount: 3, maximumBytes: 2, acknowledgmentCount: 2), "session")
        }
        return settings
    }

    /// The starting states of explorations: states that require many steps are reached from one with much activity.
    enum Start: CaseIterable {
        case idle, open, joined, busy, lost
    }

    /// Returns the number of consecutive events in a long run.
    func depth(from start: Start) -> Int {
        switch (start, self) {
        case (.idle, .plain), (.idle, .everything): 8
        // Few events are possible until the connection is open.
        case (.idle, _): 9
        default: 6
        }
    }

    func steps(to start: Start) -> [SessionStep] {
        let need: [SessionStep] = [.start, .request(.resend, topic: nil, wantsReply: true)]
        let wire: [SessionStep] = [.openPayload(isMade: true), .opened(namesLimit: false)]
        let opening: [SessionStep] =
            switch self {
            case .plain: [.start, .connected]
            case .everything: [.start, .connected] + wire
            case .network: [.network(.wifi)] + need + [.connected] + wire
            case .delivery: need + [.connected, .resumed(.otherEpoch)]
            case .neededDelivery: need + [.connected] + wire + [.resumed(.otherEpoch)]
            }
        let joined = opening + [.join("a"), .joinPayload("a", isMade: true), .joined("a", .positioned)]
        let request = SessionStep.request(.resend, topic: "a", wantsReply: true)
        switch (start, self) {
        case (.idle, _): return []
        case (.open, _): return opening
        case (.joined, _): return joined
        case (.busy, .plain), (.busy, .everything): return joined + [request, .leave("a")]
        case (.busy, .network): return opening + [.network(.cellular), .reply(0, isSuccess: true)]
        case (.busy, .delivery), (.busy, .neededDelivery):
            return opening + [
                .request(.queue, topic: nil, wantsReply: false), .request(.queue, topic: nil, wantsReply: true),
                .numbered(.next, .push),
            ]
        case (.lost, .plain), (.lost, .everything): return joined + [.subscribe, request, .ended(.retryable)]
        case (.lost, .network): return opening + [.network(.unreachable), .ended(.retryable)]
        case (.lost, .delivery): return steps(to: .busy) + [.ended(.retryable), .reconnectTimer, .connected]
        case (.lost, .neededDelivery):
            return steps(to: .busy) + [.ended(.retryable), .reconnectTimer, .connected] + wire
        }
    }
}
