import NetCore
import NetSocketCore

/// One letter of the alphabet of events, by its role in the current state: "the reply to the first waiting request"
/// instead of a number. A new event of the machine must be added to an alphabet and to `SessionWorld.event(for:)`, and
/// its effects to `SessionForm`.
enum SessionStep: Hashable, Sendable {
    /// The end of an attempt or a connection.
    enum End: CaseIterable { case retryable, final, unauthorized }

    /// A server's response to a join.
    enum Answer: CaseIterable {
        case plain, positioned, recovered, unrecovered, otherEpoch, earlierOffset
    }

    /// The offset of a push, compared with the position of its channel.
    enum Offset: CaseIterable { case none, seen, next, later }

    /// Signals for a connection, a join or a request that no longer exists.
    enum Late: CaseIterable {
        case connected, connectFailed, ended, wireEnded, heard, opened, reply, joined, left, event, openPayload,
            joinPayload
        /// For this connection, but for an earlier channel of the same name.
        case oldJoinPayload
        /// With the ID of a request of another kind.
        case replyToJoin, joinedToRequest, leftToJoin, eventOfRequest, completedRequest
    }

    /// Signals of a server that don't concern this side.
    enum Aside: CaseIterable { case request, cancel, heartbeat, alive, subscribed, end, push }

    /// The networks of a machine.
    enum Network: CaseIterable { case wifi, cellular, unreachable, unknown }

    /// The messages that a server claims to have received, and its knowledge of the session.
    enum Resumption: CaseIterable { case all, asKnown, less, more, otherEpoch }

    /// The number of a server's message, compared with the previous one.
    enum Order: CaseIterable { case next, seen, later }

    /// The content of a numbered message of the server.
    enum Content: CaseIterable { case push, reply }

    /// The position among the sent messages that are kept.
    enum Kept: CaseIterable { case first, last, none, unsent }

    case start, close, pause, resume, reconnect
    case connected
    case connectFailed(End)
    case ended(End)
    case wireEnded(mayReconnect: Bool)
    case heard
    case late(Late)
    /// Time passes until the connection counts as stable, and the waits for a probe's response or for a need have
    /// expired.
    case becomeStable
    case network(Network)
    /// A connection ends with a close code, or an attempt with a status.
    case closed(UInt16)
    case refused(Int)

    case reconnectTimer, openingTimer, heartbeatTimer, probeTimer, idleTimer, acknowledgmentTimer
    case requestTimer(Int)
    case joinTimer(String)

    case request(OfflineRule, topic: String?, wantsReply: Bool)
    /// The n-th waiting task.
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
    /// A decision of the server.
    case kicked(String, isFailure: Bool)
    case push(String, Offset)
    case event(Int)
    case completed(Int, isFailure: Bool)
    case aside(Aside)
    /// The reply to a request of the server on this connection, or on the previous one.
    case answer(isLate: Bool)

    case resumed(Resumption)
    case numbered(Order, Content)
    case acknowledge(Kept)
    case unwritable(Kept)

    static let topics = ["a", "b"]

    /// The steps of a session without a network to follow and without delivery.
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

    /// In a random walk, this step is chosen only once in so many times; otherwise most walks would end soon.
    var rarity: Int {
        switch self {
        case .close, .wireEnded(mayReconnect: false), .ended(.final), .connectFailed(.final): 100
        case .numbered(.later, _), .acknowledge(.unsent), .closed, .refused: 100
        case .resumed(.otherEpoch), .resumed(.less), .resumed(.more), .network(.unreachable), .unwritable: 4
        case .openPayload(isMade: false), .ended, .connectFailed, .wireEnded, .openingTimer, .pause, .reconnect: 8
        case .late, .aside, .cancel, .heartbeatTimer, .requestTimer, .joinTimer, .kicked, .joinRefused: 4
        case .request(.fail, _, _), .request(.drop, _, _): 6
        case .request: 3
        default: 1
        }
    }
}
