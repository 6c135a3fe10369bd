import NetCore
import NetSocketCore

extension SessionStep {
    /// The steps of every session.
    private static let common: [SessionStep] = [
        .start, .close, .pause, .resume, .reconnect, .connected, .connectFailed(.retryable), .ended(.retryable),
        .ended(.unauthorized), .wireEnded(mayReconnect: true), .heard, .becomeStable, .reconnectTimer, .requestTimer(0),
        .cancel(0), .cancel(1), .reply(0, isSuccess: true), .join("a"), .leave("a"), .joinTimer("a"),
        .joinPayload("a", isMade: true), .joinPayload("a", isMade: false), .joined("a", .plain), .joinRefused("a"),
        .left("a"), .kicked("a", isFailure: false), .late(.connected), .late(.ended), .aside(.push),
        .request(.queue, topic: nil, wantsReply: true), .request(.queue, topic: nil, wantsReply: false),
        .request(.resend, topic: nil, wantsReply: true),
    ]

    /// Sessions that follow the network, and connect when something needs them.
    static let network: [SessionStep] =
        common + Network.allCases.map { .network($0) } + [
            .probeTimer, .idleTimer, .heartbeatTimer, .openingTimer, .openPayload(isMade: true), .subscribe,
            .opened(namesLimit: false), .unsubscribe(0), .completed(0, isFailure: false), .late(.heard),
            .request(.fail, topic: nil, wantsReply: true), .request(.resend, topic: "a", wantsReply: true),
            .aside(.request), .answer(isLate: false), .answer(isLate: true), .connectFailed(.unauthorized),
        ] + [1000, 1001, 1006, 1008, 1012, 4000, 4100, 4401].map { .closed($0) }
        + [400, 401, 503].map { .refused($0) }

    /// Wire protocols with an opening message.
    static let opening: [SessionStep] = [
        .openPayload(isMade: true), .openPayload(isMade: false), .opened(namesLimit: false),
    ]

    /// Sessions that deliver at least once.
    static let delivery: [SessionStep] =
        common + Resumption.allCases.map { .resumed($0) } + Kept.allCases.map { .acknowledge($0) }
        + Kept.allCases.map { .unwritable($0) }
        + Order.allCases.flatMap { order in Content.allCases.map { .numbered(order, $0) } } + [
            .acknowledgmentTimer, .openingTimer, .idleTimer, .late(.reply),
            .request(.latest(key: "k"), topic: nil, wantsReply: true),
            .request(.queue, topic: "a", wantsReply: true), .request(.resend, topic: "a", wantsReply: true),
        ]

    /// All of these combined, for walks.
    static let whole: [SessionStep] = {
        var seen: Set<SessionStep> = []
        return (all + network + delivery).filter { seen.insert($0).inserted }
    }()
}
