internal import NetCore
internal import Synchronization

/// The stubs of a mock or server: selects the stub that responds, counts uses, and records requests.
///
/// Safe to share. User predicates run without a lock, so they may query and change the mock or server they belong to.
package final class StubTable: Sendable {
    /// A matching stub, and the request with its path parameters set.
    package struct Match: Sendable {
        package let stub: Stub
        /// The stub's method and path, for people.
        package let label: String
        package let request: StubRequest
    }

    /// The next step after a request's head has arrived.
    package enum Plan: Sendable {
        /// The stub reads the body itself.
        case stream(Match)
        /// The body must arrive before ``StubTable/match(_:)`` can decide.
        case collect
        /// No stub matches, regardless of the body.
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

    /// Replaces all stubs with unused ones, and restarts the scenarios.
    package func replaceAll(with stubs: [Stub]) {
        state.withLock { $0.replaceAll(with: stubs) }
    }

    /// The number of uses of each stub.
    package var uses: [StubUse] {
        let state = state.withLock { $0 }
        return state.entries.map { StubUse(stub: $0.stub, count: state.uses(of: $0)) }
    }

    /// Stubs with a limit that haven't responded as often as they must.
    package var unused: [Stub] {
        let state = state.withLock { $0 }
        return state.entries.filter { $0.stub.times != nil && state.uses(of: $0) < $0.stub.requiredTimes }.map(\.stub)
    }

    /// The state of a scenario.
    package func state(of scenario: String) -> String { state.withLock { $0.state(of: scenario) } }

    /// Sets the state of a scenario.
    package func setState(_ state: String, of scenario: String) {
        self.state.withLock { $0.setState(state, of: scenario) }
    }

    /// Decides by the head only, if possible. This counts as a use of a streaming stub.
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

    /// Decides by the complete request; throws ``StubMiss``. This counts as a use of the stub.
    package func match(_ request: StubRequest) throws(StubMiss) -> Match {
        let state = state.withLock { $0 }
        guard let match = use(state.candidates(for: request, isBodyKnown: true), for: request) else {
            throw missed(request, isBodyKnown: true)
        }
        return match
    }

    /// Decides about a request without a body if neither matching nor responding runs user code, so that the call is
    /// always fast; otherwise returns nil. This counts as a use of the stub.
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

    /// The requests so far, oldest first, up to the limit.
    package var recorded: [StubRequest] { record.withLock { $0.items } }
    /// The number of requests dropped because of the limit.
    package var forgotten: Int { record.withLock { $0.forgotten } }

    /// The recorded requests and the number of dropped ones, as one consistent snapshot.
    package var journal: RequestJournal {
        record.withLock { RequestJournal(requests: $0.items, forgotten: $0.forgotten) }
    }

    /// Records a request; the oldest one is dropped if the limit is exceeded.
    package func record(_ request: StubRequest) {
        record.withLock { _ = $0.append(request) }
    }
}
