internal import NetCore

/// Compares JSON with a contract's value, place by place.
struct JSONComparison {
    let wildcard: String
    /// True if members that the contract doesn't name are differences.
    let isStrict: Bool
    let text: ContractText

    func differences(_ actual: JSONValue, from expected: JSONValue) -> [ContractDifference] {
        compare(actual, expected, at: "$", name: "")
    }

    private func compare(
        _ actual: JSONValue, _ expected: JSONValue, at place: String, name: String
    ) -> [ContractDifference] {
        if expected == .string(wildcard) { return [] }
        switch (actual, expected) {
        case (.object(let members), .object(let asked)):
            return members.keys.filter { isStrict && asked[$0] == nil }.sorted().map { key in
                difference(at: place + Self.step(key), nil, members[key], name: text.inherited(name, key))
            }
                + asked.sorted { $0.key < $1.key }.flatMap { key, value -> [ContractDifference] in
                    let (inner, name) = (place + Self.step(key), text.inherited(name, key))
                    guard let member = members[key] else { return [difference(at: inner, value, nil, name: name)] }
                    return compare(member, value, at: inner, name: name)
                }
        case (.array(let elements), .array(let asked)) where elements.count == asked.count:
            return zip(elements, asked).enumerated().flatMap { index, pair in
                compare(pair.0, pair.1, at: "\(place)[\(index)]", name: name)
            }
        default:
            return actual.isSame(as: expected) ? [] : [difference(at: place, expected, actual, name: name)]
        }
    }

    private func difference(
        at place: String, _ expected: JSONValue?, _ actual: JSONValue?, name: String
    ) -> ContractDifference {
        ContractDifference(
            "body.\(place)", expected: expected.map { text.json($0, name: name) } ?? "absent",
            actual: actual.map { text.json($0, name: name) } ?? "absent")
    }

    /// A member's name in the syntax of ``JSONPath``.
    private static func step(_ name: String) -> String {
        let isPlain = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
        if isPlain, let first = name.first, !first.isNumber { return ".\(name)" }
        let escaped = name.flatMap { $0 == "'" || $0 == "\\" ? ["\\", $0] : [$0] }
        return "['\(String(escaped))']"
    }
}
