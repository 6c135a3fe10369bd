import NetCore
import NetTesting

@testable import NetSocketCore

/// A session machine with a caller, a network and a server, in virtual time: all events are derived from one seed.
///
/// The server responds after some milliseconds, or never; connections are refused, lost, or fall silent; a credential
/// is valid for three minutes; the program is occasionally paused.
struct SessionSimulation {
    /// A future event.
    private enum Happening {
        case connects(UInt64)
        case says(UInt64, WireSignal)
        case makesPayload(SessionMachine.Event)
        case ends(UInt64, NetError)
        case fallsSilent(UInt64)
        case command, channel, pause, resume
        case cancel(UInt64)
    }

    /// The counted events.
    struct Summary: Hashable {
        var attempts = 0
        var renewals = 0
        var opened = 0
        var heartbeats = 0
        var silences = 0
        var pauses = 0
        var commands = 0
        var cancelled = 0
        var replies = 0
        var refusals = 0
        var losses = 0
        var mostWaiting = 0
        var mostTimers = 0
    }

    private(set) var world: SessionWorld
    private(set) var summary = Summary()
    /// The number of outcomes for each ticket of a command.
    private(set) var outcomes: [UInt64: Int] = [:]

    private let random: SeededRandom
    private var agenda: [(at: Duration, number: Int, happening: Happening)] = []
    private var deadlines: [SessionMachine.Timer: Duration] = [:]
    private var count = 0
    private var silent: Set<UInt64> = []
    private var credentialEnds = Duration.seconds(180)
    private var subscriptions: [UInt64] = []

    init(seed: UInt64, features: SocketWire.Features) {
        random = SeededRandom(seed: seed)
        world = SessionWorld(SessionMachine.Settings(features: features))
    }

    // MARK: Time

    /// Runs for the given duration, then closes the session.
    mutating func run(for duration: Duration) {
        perform(.start)
        plan(.command, .milliseconds(1))
        plan(.channel, .seconds(1))
        plan(.pause, .seconds(60))
        while let at = [agenda.map(\.at).min(), deadlines.values.min()].compactMap({ $0 }).min(), at < duration,
            world.faults.isEmpty
        {
            world.now = max(world.now, at)
            if let timer = deadlines.min(by: { ($0.value, "\($0.key)") < ($1.value, "\($1.key)") }), timer.value <= at {
                deadlines[timer.key] = nil
                perform(.timer(timer.key, chance))
            } else if let index = agenda.indices.min(by: { key(agenda[$0]) < key(agenda[$1]) }) {
                happen(agenda.remove(at: index).happening)
            }
            summary.mostWaiting = max(summary.mostWaiting, world.waiting.count)
            summary.mostTimers = max(summary.mostTimers, world.timers.count)
        }
        perform(.close)
    }

    private func key(_ entry: (at: Duration, number: Int, happening: Happening)) -> (Duration, Int) {
        (entry.at, entry.number)
    }

    private mutating func plan(_ happening: Happening, _ wait: Duration) {
        count += 1
        agenda.append((world.now + wait, count, happening))
    }

    // MARK: Randomness

    private func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
    private func milliseconds(_ range: Range<Int>) -> Duration { .milliseconds(range.lowerBound + below(range.count)) }
    private var chance: SessionMachine.Chance {
        .init(date: SessionWorld.chance.date, random: Double(below(1000)) / 1000)
    }

    // MARK: Events

    private mutating func happen(_ happening: Happening) {
        switch happening {
        case .connects(let id): connects(id)
        case .says(let id, let signal): if id == world.open, !silent.contains(id) { perform(.received(id, signal)) }
        case .makesPayload(let event): perform(event)
        case .ends(let id, let error): if id == world.open { perform(.ended(id, error, chance)) }
        case .fallsSilent(let id): if silent.insert(id).inserted, id == world.open { summary.silences += 1 }
        case .command:
            command()
            plan(.command, milliseconds(20..<600))
        case .channel:
            channel()
            plan(.channel, milliseconds(200..<8000))
        case .pause:
            summary.pauses += 1
            perform(.pause)
            plan(.resume, milliseconds(500..<20_000))
        case .resume:
            perform(below(4) == 0 ? .reconnect : .resume)
            plan(.pause, milliseconds(30_000..<180_000))
        case .cancel(let ticket):
            guard world.waiting.contains(where: { $0.ticket == ticket }) else { return }
            summary.cancelled += 1
            outcomes[ticket, default: 0] += 1
            perform(.cancel(ticket))
        }
    }

    private mutating func connects(_ id: UInt64) {
        guard id == world.connecting else {
            // An abandoned attempt that connects nevertheless.
            return perform(.connected(id))
        }
        if below(8) == 0 {
            return perform(.connectFailed(id, NetError(.connect, phase: .connecting, message: "refused"), chance))
        }
        if world.now >= credentialEnds {
            let head = ResponseHead(status: .unauthorized)
            let error = NetError(
                .unacceptableStatus, phase: .validating, message: "401", response: .init(head: head, body: Bytes()))
            return perform(.connectFailed(id, error, chance))
        }
        perform(.connected(id))
        // The connection ends on its own: because of the network, the server, or its credential.
        let lost = NetError(.connectionLost, phase: .receiving, message: "lost")
        plan(.ends(id, below(3) == 0 ? Self.closed(1012) : lost), milliseconds(200..<90_000))
        plan(.ends(id, Self.closed(4401)), max(credentialEnds - world.now, .zero))
        if below(4) == 0 { plan(.fallsSilent(id), milliseconds(1..<20_000)) }
    }

    private static func closed(_ code: UInt16) -> NetError {
        NetError(
            .webSocketClosed, phase: .receiving, message: "closed",
            closure: WebSocketClosure(code: WebSocketCloseCode(rawValue: code)))
    }

    private mutating func command() {
        summary.commands += 1
        let rules: [OfflineRule] = [.fail, .drop, .queue, .queue, .latest(key: "k"), .resend]
        let ticket = world.machine.lastNumber + 1
        let topic = [nil, nil, "a", "b"][below(4)]
        perform(
            .request(
                ticket,
                .init("e", topic: topic, wantsReply: below(5) > 0, timeout: .seconds(15), offline: rules[below(6)])))
        if below(20) == 0 { plan(.cancel(ticket), milliseconds(1..<5000)) }
    }

    private mutating func channel() {
        let (ticket, topic) = (world.machine.lastNumber + 1, SessionStep.topics[below(2)])
        switch below(8) {
        case 0: perform(.leave(ticket, topic: topic))
        case 1:
            guard world.machine.subscriptions.count < 5 else { return }
            subscriptions.append(ticket)
            perform(.subscribe(ticket, SocketPayload(json: "{}")))
        case 2: if !subscriptions.isEmpty { perform(.unsubscribe(subscriptions.removeFirst())) }
        default: perform(.join(ticket, topic: topic))
        }
    }

    // MARK: Effects

    private mutating func perform(_ event: SessionMachine.Event) {
        for effect in world.perform(event) {
            switch effect {
            case .connect(let id, _, let needsNewCredential):
                summary.attempts += 1
                if needsNewCredential {
                    summary.renewals += 1
                    credentialEnds = world.now + .seconds(180)
                }
                plan(.connects(id), milliseconds(5..<400))
            case .makeOpenPayload(let id):
                plan(.makesPayload(.openPayload(id, nil, nil, chance)), milliseconds(0..<50))
            case .makeJoinPayload(let id, let topic, let generation):
                let event = SessionMachine.Event.joinPayload(id, topic: topic, generation: generation, nil, nil)
                plan(.makesPayload(event), milliseconds(0..<50))
            case .send(let id, let signal): answer(signal, on: id)
            case .setTimer(let timer, let deadline): deadlines[timer] = deadline
            case .clearTimer(let timer): deadlines[timer] = nil
            case .notify(_, _, let ticket): outcomes[ticket, default: 0] += 1
            case .settle(let ticket, let outcome):
                outcomes[ticket, default: 0] += 1
                switch outcome {
                case .success: summary.replies += 1
                case .rejected: summary.refusals += 1
                case .failed: summary.losses += 1
                }
            case .tell(.state(.open)): summary.opened += 1
            case .tell, .abandon, .close, .probe: break
            }
        }
    }

    private mutating func answer(_ signal: WireSignal, on id: UInt64) {
        let failure = below(10) == 0 ? SocketFailure("no") : nil
        let answer: WireSignal
        switch signal {
        case .open: answer = .opened(WireOpened())
        case .request(let request):
            guard let number = request.id, below(30) > 0 else { return }
            answer = .reply(WireReply(id: number, failure.map { .failure($0) } ?? .success(nil)))
        case .join(let join):
            let position = ChannelPosition(epoch: "e", offset: (join.position?.offset ?? 0) + 3)
            answer =
                failure.map { .joinRefused(join.id, topic: join.topic, $0) }
                ?? .joined(WireJoined(id: join.id, topic: join.topic, position: position, isRecovered: true))
        case .leave(let number, let topic): answer = .left(number, topic: topic, nil)
        case .subscribe(let number, let payload): answer = .event(number, payload)
        case .heartbeat(let number):
            summary.heartbeats += 1
            answer = .alive(number)
        default: return
        }
        plan(.says(id, answer), milliseconds(1..<300))
    }
}
