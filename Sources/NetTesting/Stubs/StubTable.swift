internal import NetCore
internal import Synchronization

/// The stubs of a mock or server: decides who answers, counts uses, keeps what was asked.
///
/// Safe to share. The user's predicates run under no lock, so they may ask and change the mock or server they are in.
package final class StubTable: Sendable {
    /// A stub that answers, and the request with its path parameters filled in.
    package struct Match: Sendable {
        package let stub: Stub
        /// The stub's method and path, for people.
        package let label: String
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

    private let state: Mutex<StubTableState>
    private let record: Mutex<RecentItems<StubRequest>>

    package init(_ stubs: [Stub] = [], recordLimit: Int = 10_000) {
        state = Mutex(StubTableState(stubs))
        record = Mutex(RecentItems(limit: recordLimit))
    }

    package func add(_ stub: Stub) {
        state.withLock { $0.add(stub) }
    }

    /// Other stubs, none of them used; scenarios begin again.
    package func replaceAll(with stubs: [Stub]) {
        state.withLock { $0.replaceAll(with: stubs) }
    }

    /// How often each has answered.
    package var uses: [StubUse] {
        let state = state.withLock { $0 }
        return state.entries.map { StubUse(stub: $0.stub, count: state.uses(of: $0)) }
    }

    /// Stubs with a limit that have not answered as often as they must.
    package var unused: [Stub] {
        let state = state.withLock { $0 }
        return state.entries.filter { $0.stub.times != nil && state.uses(of: $0) < $0.stub.requiredTimes }.map(\.stub)
    }

    /// The state of a scenario.
    package func state(of scenario: String) -> String { state.withLock { $0.state(of: scenario) } }

    /// Moves a scenario.
    package func setState(_ state: String, of scenario: String) {
        self.state.withLock { $0.setState(state, of: scenario) }
    }

    /// Decides by the head alone, where that suffices. A stub that streams is used by this.
    package func plan(_ head: StubRequest) -> Plan {
        let state = state.withLock { $0 }
        let candidates = state.candidates(for: head, isBodyKnown: false)
        let chosen = self.state.withLock { state -> (StubTableState.Candidate, isUsed: Bool)? in
            guard let candidate = state.choose(among: candidates) else { return nil }
            guard case .streaming = candidate.entry.stub.answer, candidate.entry.stub.body == nil else {
                return (candidate, false)
            }
            state.use(candidate.entry)
            return (candidate, true)
        }
        guard let chosen else { return .miss(missed(head, isBodyKnown: false)) }
        return chosen.isUsed ? .stream(Self.match(chosen.0, head)) : .collect
    }

    /// Decides by the whole request; throws ``StubMiss``. The stub is used by this.
    package func match(_ request: StubRequest) throws(StubMiss) -> Match {
        let state = state.withLock { $0 }
        guard let match = use(state.candidates(for: request, isBodyKnown: true), for: request) else {
            throw missed(request, isBodyKnown: true)
        }
        return match
    }

    /// Decides about a request without a body where neither a predicate nor the making of an answer is the user's code:
    /// no call of it takes long. nil where that cannot be. The stub is used by this.
    package func matchPlain(_ request: StubRequest) -> Match? {
        let state = state.withLock { $0 }
        guard let candidates = state.plainCandidates(for: request) else { return nil }
        return use(candidates, for: request)
    }

    private func use(_ candidates: [StubTableState.Candidate], for request: StubRequest) -> Match? {
        let chosen = state.withLock { state in
            let candidate = state.choose(among: candidates)
            if let candidate { state.use(candidate.entry) }
            return candidate
        }
        return chosen.map { Self.match($0, request) }
    }

    private static func match(_ candidate: StubTableState.Candidate, _ request: StubRequest) -> Match {
        var request = request
        request.parameters = candidate.parameters
        return Match(stub: candidate.entry.stub, label: candidate.entry.label, request: request)
    }

    private func missed(_ request: StubRequest, isBodyKnown: Bool) -> StubMiss {
        let state = state.withLock { $0 }
        return state.miss(request, isBodyKnown: isBodyKnown)
    }

    // MARK: The record

    /// What was asked, oldest first, as far as the limit allows.
    package var recorded: [StubRequest] { record.withLock { $0.items } }
    /// How many were forgotten because of the limit.
    package var forgotten: Int { record.withLock { $0.forgotten } }

    /// Recorded and forgotten ones at one moment.
    package var journal: RequestJournal {
        record.withLock { RequestJournal(requests: $0.items, forgotten: $0.forgotten) }
    }

    /// Keeps a request, the oldest making room.
    package func record(_ request: StubRequest) {
        record.withLock { _ = $0.append(request) }
    }
}
