internal import HTTPTypes
internal import NetCore

/// What calls the user's predicates, and so runs on a copy, under no lock: a predicate may use the very table.
extension StubTableState {
    /// The stubs that a request matches, best first, down to the first that can answer whatever happens meanwhile.
    func candidates(for request: StubRequest, isBodyKnown: Bool) -> [Candidate] {
        var found: [Candidate] = []
        for entry in entries where !isUsedUp(entry) {
            guard let parameters = entry.stub.matchHead(request) else { continue }
            if isBodyKnown, let body = entry.stub.body, !body.differences(request).isEmpty { continue }
            found.append(Candidate(entry: entry, parameters: parameters))
            if entry.isUnconditional { break }
        }
        return found
    }

    /// The same for a request without a body, and without a call of the user's code; nil where that would be needed, or
    /// the answer is no plain value.
    func plainCandidates(for request: StubRequest) -> [Candidate]? {
        var found: [Candidate] = []
        for entry in entries where !isUsedUp(entry) {
            if let method = entry.stub.method, method != request.method { continue }
            guard let parameters = entry.stub.path.match(request.path) else { continue }
            guard entry.stub.isPlain else { return nil }
            found.append(Candidate(entry: entry, parameters: parameters))
            if entry.isUnconditional { break }
        }
        return found
    }

    /// Why nobody answers.
    func miss(_ request: StubRequest, isBodyKnown: Bool) -> StubMiss {
        // Path and method choose; among those alike, the stub that lacks least is the one that was meant.
        let nearest = entries.enumerated()
            .map { (offset: $0.offset, likeness: $0.element.stub.likeness(to: request), entry: $0.element) }
            .sorted { ($1.likeness, $0.offset) < ($0.likeness, $1.offset) }
            .prefix(Self.comparedStubs)
            .map { (likeness: $0.likeness, offset: $0.offset, candidate: explain($0.entry, request, isBodyKnown)) }
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

    private func explain(_ entry: Entry, _ request: StubRequest, _ isBodyKnown: Bool) -> StubMiss.Candidate {
        let stub = entry.stub
        var mismatches = stub.mismatches(request, isUsedUp: isUsedUp(entry), isBodyKnown: isBodyKnown)
        if let scenario = stub.scenario, !isInState(entry) {
            mismatches.append(scenario.mismatch(state(of: scenario.name)))
        }
        return StubMiss.Candidate(stub: entry.label, source: stub.source, mismatches: mismatches)
    }
}

extension StubTableState.Entry {
    /// Whether it answers whatever other requests do meanwhile.
    fileprivate var isUnconditional: Bool { stub.times == nil && stub.scenario?.requires == nil }
}

extension Stub {
    /// Whether method and path alone decide, and the answer is a value that goes out at once.
    fileprivate var isPlain: Bool {
        guard case .fixed(let response) = answer else { return false }
        return query.isEmpty && !isQueryStrict && exactQuery == nil && headers.isEmpty && body == nil
            && response.isPlain
    }
}
