public import NetCore

extension BodyMatcher {
    /// JSON that contains at least this value: objects may have more members; arrays must have the same number of
    /// elements, each containing at least the given element. `1` and `1.0` are equal.
    public static func json(subset expected: JSONValue) -> BodyMatcher {
        BodyMatcher("JSON that holds the given members") { request in
            withJSON(request) { $0.differences(from: expected, at: "$", name: "") }
        }
    }

    /// JSON in which the path selects at least one value.
    public static func json(at path: JSONPath) -> BodyMatcher {
        json(at: path, .present)
    }

    /// JSON in which the path selects at least one value equal to this one. `1` and `1.0` are equal.
    public static func json(at path: JSONPath, equals expected: JSONValue) -> BodyMatcher {
        json(at: path, asked: Shown.json(expected, name: path.name)) { found in
            found.contains { $0.value.isSame(as: expected) }
        }
    }

    /// JSON in which the path selects values that the matcher accepts: strings as they are, other values as JSON text.
    public static func json(at path: JSONPath, _ matcher: ValueMatcher) -> BodyMatcher {
        json(at: path, asked: Shown.matcher(matcher, name: path.name)) { found in
            matcher.matches(found.map { $0.value.stringValue ?? Shown.text($0.value) })
        }
    }

    private static func json(
        at path: JSONPath, asked: String, accepts: @escaping @Sendable ([JSONPath.Selected]) -> Bool
    ) -> BodyMatcher {
        BodyMatcher("JSON with \(path) \(asked)") { request in
            if let problem = path.problem { return ["the stub's JSON path \(path) cannot be read: \(problem)"] }
            return withJSON(request) { value in
                let found = path.select(in: value)
                if accepts(found) { return [] }
                let shown = found.prefix(5).map { Shown.json($0.value, name: $0.name) }.joined(separator: ", ")
                return [
                    "\(path) in the body selects \(found.isEmpty ? "nothing" : shown); it should be \(asked)"
                ]
            }
        }
    }

    private static func withJSON(_ request: StubRequest, _ body: (JSONValue) -> [String]) -> [String] {
        guard !request.body.isEmpty else { return ["the body is empty, not JSON"] }
        guard let value = try? request.decode(JSONValue.self) else { return ["the body isn't JSON"] }
        return body(value)
    }
}

extension JSONValue {
    /// Indicates whether both values are equal, regardless of how numbers are written.
    func isSame(as other: JSONValue) -> Bool {
        switch (self, other) {
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
        case (.object(let left), .object(let right)):
            left.count == right.count
                && left.allSatisfy { name, value in right[name].map { value.isSame(as: $0) } ?? false }
        case (.number, _), (_, .number):
            doubleValue.map { $0 == other.doubleValue } ?? false
        default:
            self == other
        }
    }

    /// The differences from the expected value, place by place; additional members don't count.
    func differences(from expected: JSONValue, at place: String, name: String) -> [String] {
        switch (self, expected) {
        case (.object(let members), .object(let asked)):
            return asked.sorted { $0.key < $1.key }.flatMap { key, value -> [String] in
                let place = "\(place).\(key)"
                guard let member = members[key] else { return ["\(place) is missing in the body"] }
                return member.differences(from: value, at: place, name: Shown.inherited(name, key))
            }
        case (.array(let elements), .array(let asked)):
            guard elements.count == asked.count else {
                return ["\(place) in the body has \(elements.count) elements, not \(asked.count)"]
            }
            return zip(elements, asked).enumerated().flatMap { index, pair in
                pair.0.differences(from: pair.1, at: "\(place)[\(index)]", name: name)
            }
        default:
            if isSame(as: expected) { return [] }
            return ["\(place) in the body is \(Shown.json(self, name: name)), not \(Shown.json(expected, name: name))"]
        }
    }
}
