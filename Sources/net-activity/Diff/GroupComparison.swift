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
    /// The probability of reporting any difference between two groups that are in fact equal.
    static let level = 0.01
    /// The minimum number of calls in each group for comparing times and sizes.
    static let leastCalls = 8
    /// The minimum number of calls in each group for comparing 95th percentiles.
    static let leastForTail = 20

    /// True if endpoints that differ only in their hosts count as one.
    var isOfAnyHost = false
    private var before: [Endpoint: EndpointSample] = [:]
    private var after: [Endpoint: EndpointSample] = [:]
    private(set) var counts = (before: 0, after: 0)

    /// Adds a call; skips other entries.
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

    /// Returns the differences, worst first.
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

    /// Returns the significant differences: the probability that any of them is due to chance is at most ``level``
    /// (Holm's method).
    private static func significant(_ tested: [TestedDifference]) -> [EndpointDifference] {
        let sorted = tested.sorted { $0.probability < $1.probability }
        let passed = sorted.enumerated().prefix { $1.probability < level / Double(sorted.count - $0) }
        var found = passed.compactMap { $0.element.difference }
        // Redundant if the median has changed too.
        for (tail, whole) in [(EndpointDifference.Change.slowerTail, .slower), (.fasterTail, .faster)]
            as [(EndpointDifference.Change, EndpointDifference.Change)]
        {
            let said = Set(found.filter { $0.change == whole }.map(\.endpoint))
            found.removeAll { $0.change == tail && said.contains($0.endpoint) }
        }
        return found
    }
}

/// The result of a test, whether or not its difference is relevant.
struct TestedDifference {
    let probability: Double
    /// Nil for a change that is too small to matter, even if it's statistically significant.
    let difference: EndpointDifference?
}
#endif
