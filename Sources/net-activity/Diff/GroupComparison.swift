#if Tools
internal import NetCore
internal import NetStore

/// The differences between two groups of calls, by endpoint, that are larger than chance explains.
///
///     var comparison = GroupComparison()
///     for item in before { comparison.add(item, isAfter: false) }
///     for item in after { comparison.add(item, isAfter: true) }
///     for difference in comparison.differences() { print(difference.change, difference.endpoint.name) }
struct GroupComparison {
    /// The probability that two groups of the same kind show any difference at all.
    static let level = 0.01
    /// The fewest calls of each group of which times and sizes are compared.
    static let leastCalls = 8
    /// The fewest for 95th percentiles.
    static let leastForTail = 20

    /// Whether endpoints of different hosts are the same if all else is.
    var isOfAnyHost = false
    private var before: [Endpoint: EndpointSample] = [:]
    private var after: [Endpoint: EndpointSample] = [:]
    private(set) var counts = (before: 0, after: 0)

    /// Adds an entry; others than calls are skipped.
    mutating func add(_ item: StoredItem, isAfter: Bool) {
        guard item.kind == .call, item.host != nil else { return }
        let endpoint = Endpoint(item)
        add(item, of: isOfAnyHost ? endpoint.ofAnyHost : endpoint, isAfter: isAfter)
    }

    /// Adds a call of an endpoint.
    mutating func add(_ item: StoredItem, of endpoint: Endpoint, isAfter: Bool) {
        if isAfter {
            counts.after += 1
            after[endpoint, default: EndpointSample()].add(item)
        } else {
            counts.before += 1
            before[endpoint, default: EndpointSample()].add(item)
        }
    }

    var endpoints: Int { Set(before.keys).union(after.keys).count }

    /// Returns the differences, the worst first.
    func differences() -> [EndpointDifference] {
        var found: [EndpointDifference] = []
        var tested: [TestedDifference] = []
        let test = ShareTest(maximum: counts.before + counts.after)
        for endpoint in Set(before.keys).union(after.keys) {
            switch (before[endpoint], after[endpoint]) {
            case (let before?, let after?):
                tested += EndpointTests(endpoint: endpoint, before: before, after: after, test: test).all
            case (let before?, nil): found.append(alone(.gone, endpoint, before))
            case (nil, let after?): found.append(alone(.new, endpoint, after))
            case (nil, nil): break
            }
        }
        found += Self.significant(tested)
        let order = EndpointDifference.Change.allCases
        return found.sorted { left, right in
            let places = (order.firstIndex(of: left.change) ?? 0, order.firstIndex(of: right.change) ?? 0)
            if places.0 != places.1 { return places.0 < places.1 }
            return left.size != right.size ? left.size > right.size : left.endpoint.name < right.endpoint.name
        }
    }

    private func alone(
        _ change: EndpointDifference.Change, _ endpoint: Endpoint, _ sample: EndpointSample
    ) -> EndpointDifference {
        let figure = sample.durations.isEmpty ? "-" : EndpointTests.median(sample.durations)
        let isNew = change == .new
        return EndpointDifference(
            change: change, endpoint: endpoint, before: isNew ? nil : figure, after: isNew ? figure : nil,
            calls: (isNew ? 0 : sample.calls, isNew ? sample.calls : 0), size: Double(sample.calls))
    }

    /// Those that are left if all tests together may be wrong with the probability ``level`` only (Holm's method).
    private static func significant(_ tested: [TestedDifference]) -> [EndpointDifference] {
        let sorted = tested.sorted { $0.probability < $1.probability }
        let passed = sorted.enumerated().prefix { $1.probability < level / Double(sorted.count - $0) }
        var found = passed.compactMap { $0.element.difference }
        // The median says it already.
        for (tail, whole) in [(EndpointDifference.Change.slowerTail, .slower), (.fasterTail, .faster)]
            as [(EndpointDifference.Change, EndpointDifference.Change)]
        {
            let said = Set(found.filter { $0.change == whole }.map(\.endpoint))
            found.removeAll { $0.change == tail && said.contains($0.endpoint) }
        }
        return found
    }
}

/// The result of a test, whether it is a difference that matters or not.
struct TestedDifference {
    let probability: Double
    /// Nil for a change that is too small to matter, whatever is left of chance.
    let difference: EndpointDifference?
}
#endif
