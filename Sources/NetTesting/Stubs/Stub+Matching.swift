internal import HTTPTypes
internal import NetCore

extension Stub {
    /// Matches the request by its head only; returns the path's parameters, or nil.
    func matchHead(_ request: StubRequest) -> [String: String]? {
        if let method, method != request.method { return nil }
        guard let parameters = path.match(request.path) else { return nil }
        if let exactQuery, Self.sortedQuery(exactQuery) != Self.sortedQuery(request.query ?? "") { return nil }
        if !query.isEmpty || isQueryStrict {
            let items = request.queryItems
            if isQueryStrict, items.contains(where: { query[$0.name] == nil }) { return nil }
            for (name, matcher) in query {
                guard matcher.matches(items.filter { $0.name == name }.map { $0.value ?? "" }) else { return nil }
            }
        }
        for (name, matcher) in headers {
            guard matcher.matches(request.headers[values: name]) else { return nil }
        }
        return parameters
    }

    /// The reasons why a request doesn't match, for people.
    func mismatches(_ request: StubRequest, isUsedUp: Bool, isBodyKnown: Bool) -> [String] {
        var found: [String] = []
        if let method, method != request.method {
            found.append("the method is \(request.method.rawValue), not \(method.rawValue)")
        }
        if path.match(request.path) == nil { found.append("the path is \(request.path), not \(path)") }
        found += queryMismatches(request)
        for (name, matcher) in headers.sorted(by: { $0.key.canonicalName < $1.key.canonicalName }) {
            let values = request.headers[values: name]
            if !matcher.matches(values) {
                found.append(Self.mismatch("field \(name.rawName)", name.rawName, values, matcher))
            }
        }
        // If a body differs everywhere, a few differences are enough.
        let wrong = isBodyKnown ? body?.differences(request) ?? [] : []
        found += wrong.prefix(Self.shownDifferences)
        if wrong.count > Self.shownDifferences { found.append("\(wrong.count - Self.shownDifferences) more differ") }
        if isUsedUp {
            let told =
                minimumTimes.map { $0 == times } ?? true ? "which is its limit" : "its limit is \(shownTimes)"
            found.append("it has responded \(times ?? 0) times, \(told)")
        }
        return found
    }

    private func queryMismatches(_ request: StubRequest) -> [String] {
        var found: [String] = []
        if let exactQuery, Self.sortedQuery(exactQuery) != Self.sortedQuery(request.query ?? "") {
            let (sent, asked) = (Shown.target("?\(request.query ?? "")"), Shown.target("?\(exactQuery)"))
            found.append("the query is \(sent), it should be \(asked) in any order")
        }
        let items = request.queryItems
        for (name, matcher) in query.sorted(by: { $0.key < $1.key }) {
            let values = items.filter { $0.name == name }.map { $0.value ?? "" }
            if !matcher.matches(values) { found.append(Self.mismatch("query item \(name)", name, values, matcher)) }
        }
        if isQueryStrict {
            let names = Set(items.map(\.name)).subtracting(query.keys).sorted()
            found += names.map { "query item \($0) is not expected" }
        }
        return found
    }

    /// The encoded items, sorted.
    private static func sortedQuery(_ query: String) -> [Substring] { query.split(separator: "&").sorted() }

    private static let shownDifferences = 8

    private static func mismatch(
        _ what: String, _ name: String, _ values: [String], _ matcher: ValueMatcher
    ) -> String {
        "\(what) is \(Shown.values(values, name: name)), it should be \(Shown.matcher(matcher, name: name))"
    }

    /// The similarity of the stub to the request: larger is nearer.
    func likeness(to request: StubRequest) -> Double {
        let methodBonus = method == nil || method == request.method ? 0.5 : 0
        return path.likeness(to: request.path) * 2 + methodBonus
    }
}
