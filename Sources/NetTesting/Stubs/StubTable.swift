internal import NetCore

/// The stubs of a mock or server: decides who answers, counts uses, keeps what was asked. Pure.
package struct StubTable: Sendable {
    /// A stub that answers, and the request with its path parameters filled in.
    package struct Match: Sendable {
        package let stub: Stub
        package let request: StubRequest
    }

    /// What to do once a request's head is there.
    package enum Plan: Sendable {
        /// The stub reads the body itself.
        case stream(Match)
        /// The body must arrive before ``StubTable/match(_:)`` can say more.
        case collect
        /// Whatever the body, nobody answers.
        case miss(StubMiss)
    }

    private struct Entry: Sendable {
        let stub: Stub
        var uses = 0
        var isUsedUp: Bool { stub.times.map { uses >= $0 } ?? false }
    }

    /// Best first: by priority, then by the order in which they were added.
    private var entries: [Entry] = []
    /// The states of the scenarios that have left their start.
    private var states: [String: String] = [:]
    /// What was asked, oldest first, as far as the limit allows.
    package private(set) var recorded: [StubRequest] = []
    /// How many were forgotten because of the limit.
    package private(set) var forgotten = 0
    private let recordLimit: Int

    package init(_ stubs: [Stub] = [], recordLimit: Int = 10_000) {
        self.recordLimit = recordLimit
        for stub in stubs { add(stub) }
    }

    package mutating func add(_ stub: Stub) {
        let place = entries.firstIndex { $0.stub.priority < stub.priority } ?? entries.count
        entries.insert(Entry(stub: stub), at: place)
    }

    package mutating func removeAll() {
        entries.removeAll()
    }

    /// How often each has answered.
    package var uses: [StubUse] {
        entries.map { StubUse(stub: $0.stub, count: $0.uses) }
    }

    /// The state of a scenario.
    package func state(of scenario: String) -> String { states[scenario] ?? Stub.Scenario.start }

    /// Moves a scenario.
    package mutating func setState(_ state: String, of scenario: String) {
        states[scenario] = state
    }

    /// Stubs with a limit that have not answered as often as they must.
    package var unused: [Stub] {
        entries.filter { $0.stub.times != nil && $0.uses < $0.stub.requiredTimes }.map(\.stub)
    }

    /// Decides by the head alone, where that suffices. A stub that streams is used by this.
    package mutating func plan(_ head: StubRequest) -> Plan {
        for index in entries.indices where mayAnswer(entries[index]) {
            guard let parameters = entries[index].stub.matchHead(head) else { continue }
            guard case .streaming = entries[index].stub.answer, entries[index].stub.body == nil else { return .collect }
            return .stream(use(index, by: head, parameters))
        }
        return .miss(miss(head, isBodyKnown: false))
    }

    /// Decides by the whole request; throws ``StubMiss``. The stub is used by this.
    package mutating func match(_ request: StubRequest) throws(StubMiss) -> Match {
        for index in entries.indices where mayAnswer(entries[index]) {
            guard let parameters = entries[index].stub.matchHead(request) else { continue }
            if let body = entries[index].stub.body, !body.differences(request).isEmpty { continue }
            return use(index, by: request, parameters)
        }
        throw miss(request, isBodyKnown: true)
    }

    /// Keeps a request, the oldest making room.
    package mutating func record(_ request: StubRequest) {
        guard recordLimit > 0 else { return }
        if recorded.count >= recordLimit {
            recorded.removeFirst(recorded.count - recordLimit + 1)
            forgotten += 1
        }
        recorded.append(request)
    }

    private func mayAnswer(_ entry: Entry) -> Bool {
        !entry.isUsedUp && isInState(entry.stub.scenario)
    }

    private func isInState(_ scenario: Stub.Scenario?) -> Bool {
        scenario.map { $0.answers(in: state(of: $0.name)) } ?? true
    }

    private mutating func use(_ index: Int, by request: StubRequest, _ parameters: [String: String]) -> Match {
        entries[index].uses += 1
        if let scenario = entries[index].stub.scenario, let state = scenario.movesTo,
            !scenario.movesWhenUsedUp || entries[index].isUsedUp
        {
            states[scenario.name] = state
        }
        var request = request
        request.parameters = parameters
        return Match(stub: entries[index].stub, request: request)
    }

    private func miss(_ request: StubRequest, isBodyKnown: Bool) -> StubMiss {
        // Path and method choose; among those alike, the stub that lacks least is the one that was meant.
        let nearest = entries.enumerated()
            .map { (offset: $0.offset, likeness: $0.element.stub.likeness(to: request), entry: $0.element) }
            .sorted { ($1.likeness, $0.offset) < ($0.likeness, $1.offset) }
            .prefix(Self.comparedStubs)
            .map { (likeness: $0.likeness, offset: $0.offset, candidate: candidate($0.entry, request, isBodyKnown)) }
            .sorted { left, right in
                let (few, many) = (left.candidate.mismatches.count, right.candidate.mismatches.count)
                return (right.likeness, few, left.offset) < (left.likeness, many, right.offset)
            }
            .prefix(3)
        return StubMiss(
            request: "\(request.method.rawValue) \(Shown.target(request.target))", nearest: nearest.map(\.candidate),
            paste: request.stubLine)
    }

    /// How many stubs are compared with a request that none of them answers.
    private static let comparedStubs = 16

    private func candidate(_ entry: Entry, _ request: StubRequest, _ isBodyKnown: Bool) -> StubMiss.Candidate {
        let stub = entry.stub
        var mismatches = stub.mismatches(request, isUsedUp: entry.isUsedUp, isBodyKnown: isBodyKnown)
        if let scenario = stub.scenario, !isInState(scenario) {
            mismatches.append(scenario.mismatch(state(of: scenario.name)))
        }
        return StubMiss.Candidate(stub: stub.description, source: stub.source, mismatches: mismatches)
    }
}
