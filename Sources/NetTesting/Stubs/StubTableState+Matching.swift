internal import HTTPTypes
internal import NetCore

/// Matching, which calls user predicates and therefore runs on a copy, without a lock: a predicate may use the same
/// table.
extension StubTableState {
    /// The stubs that match a request, best first, down to the first one that can respond regardless of concurrent
    /// requests.
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

    /// The candidates for a request without a body, found without calling user code; nil if user code would be needed,
    /// or if the response isn't a plain value.
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

    /// Explains why no stub matches.
    func miss(_ request: StubRequest, isBodyKnown: Bool) -> StubMiss {
        // Path and method decide first; among stubs with equal similarity, the one with the fewest mismatches is
        // nearest.
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

    /// The number of stubs that are compared with an unmatched request.
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
    /// True if the stub can respond regardless of concurrent requests.
    fileprivate var isUnconditional: Bool { stub.times == nil && stub.scenario?.requires == nil }
}

extension Stub {
    /// True if only method and path decide, and the response is a value that can be sent immediately.
    fileprivate var isPlain: Bool {
        guard case .fixed(let response) = answer else { return false }
        return query.isEmpty && !isQueryStrict && exactQuery == nil && headers.isEmpty && body == nil
            && response.isPlain
    }
}
