/// Which stubs there are, how often each has answered, and the states of their scenarios. Pure, and calls nothing of the
/// user's: it may be asked under a lock.
struct StubTableState: Sendable {
    /// A stub under its number, which stays the same as others come.
    struct Entry: Sendable {
        let number: Int
        let stub: Stub
        let label: String
    }

    /// A stub that a request matches.
    struct Candidate: Sendable {
        let entry: Entry
        let parameters: [String: String]
    }

    /// Best first: by priority, then by the order in which they were added.
    private(set) var entries: [Entry] = []
    /// By number, without those that were replaced. Apart from the stubs, so that counting copies little.
    private var uses: [Int] = []
    private var replaced = 0
    /// The states of the scenarios that have left their start.
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

    /// Other stubs, none of them used; scenarios begin again.
    mutating func replaceAll(with stubs: [Stub]) {
        replaced += uses.count
        (entries, uses, states) = ([], [], [:])
        for stub in stubs { add(stub) }
    }

    /// How often a stub has answered.
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

    /// Whether the scenario of a stub is where the stub needs it.
    func isInState(_ entry: Entry) -> Bool {
        entry.stub.scenario.map { $0.answers(in: state(of: $0.name)) } ?? true
    }

    /// The first that may answer now.
    func choose(among candidates: [Candidate]) -> Candidate? {
        candidates.first { !isUsedUp($0.entry) && isInState($0.entry) }
    }

    /// Counts an answer, and moves the scenario. A stub that was replaced meanwhile still answers, uncounted.
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
