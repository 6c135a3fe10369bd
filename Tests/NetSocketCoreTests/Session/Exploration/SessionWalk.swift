import NetCore
import NetTesting

@testable import NetSocketCore

/// One random walk through an alphabet of events, reproducible by its seed, and a recording of it.
struct SessionWalk {
    /// An input of the machine: an event with its time.
    struct Entry: Sendable {
        var event: SessionMachine.Event
        var now: Duration
    }

    private(set) var world: SessionWorld
    private(set) var entries: [Entry] = []
    /// The effects of each event.
    private(set) var effects: [[SessionMachine.Effect]] = []
    private(set) var steps: [SessionStep] = []

    init(seed: UInt64, count: Int, through alphabet: [SessionStep], from world: SessionWorld) {
        self.world = world
        self.world.maximumWaiting = 4
        let random = SeededRandom(seed: seed)
        func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
        while steps.count < count, self.world.faults.isEmpty {
            let step = alphabet[below(alphabet.count)]
            if step.rarity > 1, below(step.rarity) > 0 { continue }
            guard !self.world.machine.state.isOver || below(20) == 0 else {
                // The states after the end are soon explored: another session begins.
                self.world = world
                self.world.maximumWaiting = 4
                (entries, effects) = ([], [])
                continue
            }
            perform(step)
        }
        if self.world.faults.isEmpty { perform(.close) }
    }

    private mutating func perform(_ step: SessionStep) {
        guard let event = world.event(for: step) else {
            if world.perform(step) { steps.append(step) }
            return
        }
        steps.append(step)
        entries.append(Entry(event: event, now: world.now))
        effects.append(world.perform(event))
    }

    /// Feeds the recorded events to a new machine. Returns the number of the first event with a different result; nil
    /// if there is none.
    func replay() -> Int? {
        var machine = SessionMachine(world.machine.settings)
        for (index, entry) in entries.enumerated() {
            // Tickets are created for callers, independently of events.
            if let ticket = entry.event.ticket, ticket > machine.lastNumber { _ = machine.makeTicket() }
            guard "\(machine.handle(entry.event, now: entry.now))" == "\(effects[index])" else { return index }
        }
        return nil
    }
}

extension SessionMachine.Event {
    fileprivate var ticket: UInt64? {
        switch self {
        case .request(let ticket, _), .join(let ticket, _), .leave(let ticket, _), .subscribe(let ticket, _): ticket
        default: nil
        }
    }
}
