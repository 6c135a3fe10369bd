/// The stubs, their uses, and the states of their scenarios. A pure value that doesn't call user code, so it can be
/// used under a lock.
struct StubTableState: Sendable {
    /// A stub with its number, which doesn't change when other stubs are added.
    struct Entry: Sendable {
        let number: Int
        let stub: Stub
        let label: String
    }

    /// A stub that matches a request.
    struct Candidate: Sendable {
        let entry: Entry
        let parameters: [String: String]
    }

    /// The stubs, best first: by priority, then in the order in which they were added.
    private(set) var entries: [Entry] = []
    /// The uses, by number, without replaced stubs. Stored separately from the stubs, so that counting copies little.
    private var uses: [Int] = []
    private var replaced = 0
    /// The states of the scenarios that have left the start state.
    private var states: [String: String] = [:]

    init(_ stubs: [Stub]) {
        for stub in stubs { add(stub) }
    }

    mutating func add(_ stub: Stub) {
        let place = entries.firstIndex { $0.stub.priority < stub.priority } ?? entries.count
        let entry = Entry(number: replaced + uses.count, stub: stub, label: stub.description)
        entries.insert(entry, at: place)
        uses.append(0)
    }

    /// Replaces all stubs with unused ones, and restarts the scenarios.
    mutating func replaceAll(with stubs: [Stub]) {
        replaced += uses.count
        (entries, uses, states) = ([], [], [:])
        for stub in stubs { add(stub) }
    }

    /// The number of uses of a stub.
    func uses(of entry: Entry) -> Int {
        entry.number >= replaced ? uses[entry.number - replaced] : 0
    }

    func isUsedUp(_ entry: Entry) -> Bool {
        entry.stub.times.map { uses(of: entry) >= $0 } ?? false
    }

    func state(of scenario: String) -> String { states[scenario] ?? Stub.Scenario.start }

    mutating func setState(_ state: String, of scenario: String) {
        states[scenario] = state
    }

    /// True if the stub's scenario is in a state in which the stub matches.
    func isInState(_ entry: Entry) -> Bool {
        entry.stub.scenario.map { $0.answers(in: state(of: $0.name)) } ?? true
    }

    /// The first candidate that may respond now.
    func choose(among candidates: [Candidate]) -> Candidate? {
        candidates.first { !isUsedUp($0.entry) && isInState($0.entry) }
    }

    /// Counts a use, and moves the scenario. A stub that was replaced in the meantime still responds, but isn't
    /// counted.
    mutating func use(_ entry: Entry) {
        guard entry.number >= replaced else { return }
        uses[entry.number - replaced] += 1
        if let scenario = entry.stub.scenario, let state = scenario.movesTo,
            !scenario.movesWhenUsedUp || isUsedUp(entry)
        {
            states[scenario.name] = state
        }
    }
}
