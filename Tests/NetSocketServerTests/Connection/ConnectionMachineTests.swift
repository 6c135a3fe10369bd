#if Server
import NetCore
@testable import NetSocketServer
import NetSocketCore
import Testing

/// The machine by itself: signals go in, effects come out.
struct MachineRun {
    typealias Machine = ConnectionMachine

    var machine: Machine
    var now = Duration.zero
    var concurrent: Set<String> = []

    init(_ change: (inout Machine.Settings) -> Void = { _ in }) {
        var settings = Machine.Settings()
        change(&settings)
        machine = Machine(settings, now: .zero)
    }

    mutating func receive(_ signal: WireSignal) -> [Machine.Effect] {
        var effects: [Machine.Effect] = []
        machine.received(signal, now: now, &effects) { concurrent.contains($0.event) ? .concurrent : .serial }
        return effects
    }

    mutating func end(_ id: Machine.WorkID, _ outcome: Machine.Outcome = .done(nil)) -> [Machine.Effect] {
        var effects: [Machine.Effect] = []
        _ = machine.ended(id, outcome, now: now, &effects) { concurrent.contains($0.event) ? .concurrent : .serial }
        return effects
    }

    mutating func tick(_ time: Duration) -> [Machine.Effect] {
        now = time
        var effects: [Machine.Effect] = []
        machine.tick(now: now, &effects)
        return effects
    }

    static func request(_ id: SocketID?, _ event: String = "say", topic: String? = nil) -> WireSignal {
        .request(WireRequest(id: id, event: event, topic: topic))
    }

    static func join(_ id: SocketID, _ topic: String = "room") -> WireSignal { .join(WireJoin(id: id, topic: topic)) }

    mutating func joined(_ topic: String = "room", id: SocketID = 90) {
        for case .start(let work, .join) in receive(Self.join(id, topic)) {
            _ = end(work, .joined(WireJoined(id: id, topic: topic)))
        }
    }
}

extension [ConnectionMachine.Effect] {
    /// The started work.
    var started: [ConnectionMachine.WorkID] {
        compactMap { if case .start(let id, _) = $0 { id } else { nil } }
    }

    var sent: [WireSignal] { compactMap { if case .send(let signal) = $0 { signal } else { nil } } }

    var closed: UInt16? {
        for case .close(let code, _) in self { return code.rawValue }
        return nil
    }
}

@Suite struct ConnectionMachineTests {
    @Test func `A command starts at once, and its end is the reply`() {
        var run = MachineRun()
        let work = run.receive(MachineRun.request(1)).started
        #expect(work == [1])
        let sent = run.end(1).sent
        #expect(sent == [.reply(WireReply(id: 1, event: "say", .success(nil)))])
        #expect(run.machine.isIdle)
    }

    @Test func `A command without an ID gets no reply`() {
        var run = MachineRun()
        _ = run.receive(MachineRun.request(nil))
        #expect(run.end(1).sent.isEmpty)
    }

    @Test func `Work that ends twice, or was never there, changes nothing`() {
        var run = MachineRun()
        _ = run.receive(MachineRun.request(1))
        _ = run.end(1)
        #expect(run.end(1).isEmpty)
        #expect(run.end(7).isEmpty)
    }

    @Test func `Serial commands wait for one another, and concurrent ones don't`() {
        var run = MachineRun()
        run.concurrent = ["fast"]
        #expect(run.receive(MachineRun.request(1)).started == [1])
        #expect(run.receive(MachineRun.request(2)).started == [])
        #expect(run.receive(MachineRun.request(3, "fast")).started == [3])
        #expect(run.receive(MachineRun.request(4)).started == [])
        #expect(run.end(3).started == [])
        #expect(run.end(1).started == [2])
        #expect(run.end(2).started == [4])
    }

    @Test func `A command of a channel waits for the join, and is refused with it`() {
        var run = MachineRun()
        let join = run.receive(MachineRun.join(1)).started
        #expect(join == [1])
        #expect(run.receive(MachineRun.request(2, topic: "room")).started == [])
        let effects = run.end(1, .failed(SocketFailure("forbidden")))
        #expect(effects.started == [])
        #expect(
            effects.sent == [
                .joinRefused(1, topic: "room", SocketFailure("forbidden")),
                .reply(
                    WireReply(
                        id: 2, event: "say", topic: "room",
                        .failure(SocketFailure("not_joined", "the connection is not in the channel of this command")))),
            ])
    }

    @Test func `A command that the client cancels gets no reply`() {
        var run = MachineRun()
        _ = run.receive(MachineRun.request(1))
        _ = run.receive(MachineRun.request(2))
        #expect(run.receive(.cancel(2)) == [])
        #expect(run.receive(.cancel(1)) == [.cancel(1)])
        #expect(run.end(1).isEmpty)
        #expect(run.machine.isIdle)
    }

    @Test func `Reading stops at too many commands, and goes on at half of them`() {
        var run = MachineRun { $0.maximumCommands = 4 }
        for id in UInt64(1)...3 { #expect(!run.receive(MachineRun.request(.number(id))).contains(.setReading(false))) }
        #expect(run.receive(MachineRun.request(4)).contains(.setReading(false)))
        #expect(!run.end(1).contains(.setReading(true)))
        #expect(run.end(2).contains(.setReading(true)))
    }

    @Test func `A join that is asked for again gives up the one before`() {
        var run = MachineRun()
        #expect(run.receive(MachineRun.join(1)).started == [1])
        #expect(run.receive(MachineRun.join(2)) == [.cancel(1), .start(2, .join(WireJoin(id: 2, topic: "room")))])
        #expect(run.end(1, .joined(WireJoined(id: 1, topic: "room"))).isEmpty)
        #expect(
            run.end(2, .joined(WireJoined(id: 2, topic: "room"))).sent == [.joined(WireJoined(id: 2, topic: "room"))])
        #expect(run.machine.topics == ["room"])
    }

    @Test func `Leaving while joining wins`() {
        var run = MachineRun()
        _ = run.receive(MachineRun.join(1))
        #expect(run.receive(.leave(2, topic: "room")) == [.cancel(1), .send(.left(2, topic: "room", nil))])
        #expect(run.end(1, .joined(WireJoined(id: 1, topic: "room"))).isEmpty)
        #expect(run.machine.topics.isEmpty)
    }

    @Test func `The end of a connection cancels its work and leaves its channels`() {
        var run = MachineRun()
        run.joined()
        _ = run.receive(MachineRun.request(1))
        var effects: [ConnectionMachine.Effect] = []
        run.machine.connectionEnded(&effects)
        #expect(effects.contains(.leave("room")))
        #expect(effects.contains(.cancel(2)))
        #expect(run.receive(MachineRun.request(2)).isEmpty)
    }

    @Test func `A command that takes too long fails with timeout, once`() {
        var run = MachineRun { $0.commandTimeout = .seconds(5) }
        _ = run.receive(MachineRun.request(1))
        #expect(run.tick(.seconds(4)).isEmpty)
        let effects = run.tick(.seconds(5))
        #expect(effects.contains(.cancel(1)))
        #expect(effects.sent == [.reply(WireReply(id: 1, event: "say", .failure(ConnectionMachine.timeout)))])
        #expect(run.end(1).isEmpty)
    }

    @Test func `Draining takes nothing new, and ends when the last work has`() {
        var run = MachineRun()
        _ = run.receive(MachineRun.request(1))
        _ = run.receive(MachineRun.request(2))
        var effects: [ConnectionMachine.Effect] = []
        run.machine.drain(&effects)
        #expect(effects == [.setReading(false)])
        #expect(!run.end(1).contains(.drained))
        #expect(run.end(2).contains(.drained))
    }

    @Test func `A subscription with an ID that is in use closes the connection`() {
        var run = MachineRun()
        let payload = SocketPayload(json: "{}")
        #expect(run.receive(.subscribe(1, payload)).started == [1])
        #expect(run.receive(.subscribe(1, payload)).closed == 4409)
    }

    @Test func `An unsubscription cancels the work, and nothing more is said of it`() {
        var run = MachineRun()
        _ = run.receive(.subscribe(1, SocketPayload(json: "{}")))
        #expect(run.receive(.unsubscribe(1)) == [.cancel(1)])
        #expect(run.end(1).isEmpty)
    }

    @Test func `An opening is answered before what was held`() {
        var run = MachineRun { $0.hasOpening = true }
        #expect(run.receive(MachineRun.request(1)).isEmpty)
        let open = run.receive(.open(nil))
        #expect(open.started == [1])
        let effects = run.end(1)
        #expect(effects.first == .send(.opened(WireOpened())))
        #expect(effects.started == [2])
        #expect(run.receive(.open(nil)).closed == 4429)
    }

    @Test func `Nobody who isn't known gets anything done, whatever they say`() {
        let signals: [WireSignal] = [
            MachineRun.request(1), MachineRun.join(2), .subscribe(3, SocketPayload(json: "{}")), .leave(4, topic: "a"),
            .cancel(5), .unsubscribe(6), .resume(WireResume(session: "s")), .numbered(1, MachineRun.request(7)),
            .acknowledge(3),
        ]
        for signal in signals {
            var run = MachineRun {
                $0.awaitsAuthentication = true
                $0.authentication = "authenticate"
            }
            #expect(run.receive(signal).isEmpty, "\(signal)")
        }
    }

    /// A walk of random events: each request has at most one reply, started work ends or is cancelled, and the open
    /// work is bounded.
    @Test(arguments: 1...40)
    func `Each command gets at most one response in any order of events`(seed: UInt64) {
        var random = SeededNumbers(seed)
        var run = MachineRun {
            $0.maximumCommands = 6
            $0.maximumChannels = 3
            $0.commandTimeout = .seconds(10)
        }
        run.concurrent = ["b"]
        var running: Set<ConnectionMachine.WorkID> = []
        var cancelled: Set<ConnectionMachine.WorkID> = []
        var works: [ConnectionMachine.WorkID: ConnectionMachine.Work] = [:]
        var answered: Set<SocketID> = []
        var isReading = true
        var next: UInt64 = 0
        for _ in 0..<600 {
            var effects: [ConnectionMachine.Effect] = []
            switch random.next(9) {
            case 0 where isReading, 1 where isReading, 2 where isReading:
                next += 1
                let topic = random.next(3) == 0 ? "t\(random.next(4))" : nil
                effects = run.receive(MachineRun.request(.number(next), random.next(2) == 0 ? "a" : "b", topic: topic))
            case 3 where isReading:
                next += 1
                effects = run.receive(MachineRun.join(.number(next), "t\(random.next(4))"))
            case 4 where isReading:
                next += 1
                effects = run.receive(.leave(.number(next), topic: "t\(random.next(4))"))
            case 5: effects = run.receive(.cancel(.number(UInt64(random.next(Int(next) + 1)))))
            case 6 where !cancelled.isEmpty:
                guard let id = cancelled.sorted().dropFirst(random.next(cancelled.count)).first else { continue }
                cancelled.remove(id)
                effects = run.end(id)
            case 6: effects = run.tick(run.now + .seconds(random.next(4)))
            default:
                guard let id = running.sorted().dropFirst(random.next(max(running.count, 1))).first else { continue }
                running.remove(id)
                if case .join(let join) = works[id] {
                    let isRefused = random.next(3) == 0
                    effects = run.end(
                        id,
                        isRefused
                            ? .failed(SocketFailure("no")) : .joined(WireJoined(id: join.id, topic: join.topic)))
                } else {
                    effects = run.end(id)
                }
            }
            for effect in effects {
                switch effect {
                case .start(let id, let work):
                    #expect(!running.contains(id))
                    running.insert(id)
                    works[id] = work
                case .cancel(let id):
                    running.remove(id)
                    cancelled.insert(id)
                case .setReading(let reading): isReading = reading
                case .send(.reply(let reply)): #expect(answered.insert(reply.id).inserted)
                case .send(.joined(let joined)): #expect(answered.insert(joined.id).inserted)
                case .send(.joinRefused(let id, _, _)): #expect(answered.insert(id).inserted)
                default: break
                }
            }
            #expect(Set(run.machine.running.map(\.id)) == running)
            #expect(Set(run.machine.abandoned.keys) == cancelled)
            #expect(run.machine.topics.count <= 3)
            let serial = run.machine.running.filter { $0.isSerial && !$0.work.isJoin }
            #expect(serial.count <= 1)
        }
    }
}

/// Small random numbers derived from a seed.
struct SeededNumbers {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next(_ bound: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(bound))
    }
}
#endif
