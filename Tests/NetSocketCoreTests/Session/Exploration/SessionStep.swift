import NetCore
import NetSocketCore

/// One letter of the alphabet of events, by its role in the state it happens in: "the reply to the first request that waits"
/// rather than a number. A new event of the machine is added here: to `all`, and to `SessionWorld.event(for:)`.
enum SessionStep: Hashable, Sendable {
    /// How an attempt or a connection ends.
    enum End: CaseIterable { case retryable, final, unauthorized }

    /// What a server answers to a join.
    enum Answer: CaseIterable {
        case plain, positioned, recovered, unrecovered, otherEpoch, earlierOffset
    }

    /// The offset of a push, compared with the position of its channel.
    enum Offset: CaseIterable { case none, seen, next, later }

    /// What belongs to a connection, a join or a request that is gone.
    enum Late: CaseIterable {
        case connected, connectFailed, ended, wireEnded, heard, opened, reply, joined, left, event, openPayload,
            joinPayload
        /// For this connection, but for a channel of the same name that was left.
        case oldJoinPayload
        /// With the number of something else.
        case replyToJoin, joinedToRequest, leftToJoin, eventOfRequest, completedRequest
    }

    /// What a server says that concerns nothing of this side.
    enum Aside: CaseIterable { case request, cancel, heartbeat, alive, subscribed, end, push }

    case start, close, pause, resume, reconnect
    case connected
    case connectFailed(End)
    case ended(End)
    case wireEnded(mayReconnect: Bool)
    case heard
    case late(Late)
    /// Time passes until the connection counts as stable.
    case becomeStable

    case reconnectTimer, openingTimer, heartbeatTimer
    case requestTimer(Int)
    case joinTimer(String)

    case request(OfflineRule, topic: String?, wantsReply: Bool)
    /// The n-th of those who wait.
    case cancel(Int)
    case join(String)
    case leave(String)
    case subscribe
    case unsubscribe(Int)
    case openPayload(isMade: Bool)
    case joinPayload(String, isMade: Bool)

    case opened(namesLimit: Bool)
    case reply(Int, isSuccess: Bool)
    case joined(String, Answer)
    case joinRefused(String)
    case left(String)
    /// The server's will.
    case kicked(String, isFailure: Bool)
    case push(String, Offset)
    case event(Int)
    case completed(Int, isFailure: Bool)
    case aside(Aside)

    static let topics = ["a", "b"]

    static let all: [SessionStep] = {
        var all: [SessionStep] = [
            .start, .close, .pause, .resume, .reconnect, .connected, .wireEnded(mayReconnect: true),
            .wireEnded(mayReconnect: false), .heard, .becomeStable, .reconnectTimer, .openingTimer, .heartbeatTimer,
            .subscribe, .openPayload(isMade: true), .openPayload(isMade: false), .opened(namesLimit: true),
            .opened(namesLimit: false),
        ]
        for end in End.allCases { all += [.connectFailed(end), .ended(end)] }
        all += Late.allCases.map { .late($0) }
        all += Aside.allCases.map { .aside($0) }
        for index in 0..<2 {
            all += [
                .requestTimer(index), .reply(index, isSuccess: true), .reply(index, isSuccess: false),
                .unsubscribe(index), .event(index), .completed(index, isFailure: true),
                .completed(index, isFailure: false),
            ]
        }
        all += (0..<5).map { .cancel($0) }
        for topic in topics {
            all += [
                .join(topic), .leave(topic), .joinTimer(topic), .joinPayload(topic, isMade: true),
                .joinPayload(topic, isMade: false), .joinRefused(topic), .left(topic), .kicked(topic, isFailure: true),
                .kicked(topic, isFailure: false),
            ]
            all += Answer.allCases.map { .joined(topic, $0) }
            all += Offset.allCases.map { .push(topic, $0) }
        }
        for rule: OfflineRule in [.fail, .drop, .queue, .latest(key: "k"), .resend] {
            for topic in [nil, "a", "b"] {
                all += [
                    .request(rule, topic: topic, wantsReply: true), .request(rule, topic: topic, wantsReply: false),
                ]
            }
        }
        return all
    }()

    /// In a random walk, one in so many of these happens; otherwise most walks would be over soon.
    var rarity: Int {
        switch self {
        case .close, .wireEnded(mayReconnect: false), .ended(.final), .connectFailed(.final): 100
        case .openPayload(isMade: false), .ended, .connectFailed, .wireEnded, .openingTimer, .pause, .reconnect: 8
        case .late, .aside, .cancel, .heartbeatTimer, .requestTimer, .joinTimer, .kicked, .joinRefused: 4
        case .request(.fail, _, _), .request(.drop, _, _): 6
        case .request: 3
        default: 1
        }
    }
}
