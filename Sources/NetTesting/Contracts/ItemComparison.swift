internal import NetCore

/// Compares the items of a query or form with the rules for their names.
struct ItemComparison {
    /// The prefix of a difference's field.
    let prefix: String
    let wildcard: String
    /// True if names without a rule are differences.
    let isStrict: Bool
    let text: ContractText

    func differences(
        _ items: [(name: String, value: String)], _ rules: [String: Contract.ValueRule]
    ) -> [ContractDifference] {
        var found = rules.sorted { $0.key < $1.key }.compactMap { name, rule in
            difference(name, items.filter { $0.name == name }.map(\.value), rule)
        }
        if isStrict {
            for name in Set(items.map(\.name)).subtracting(rules.keys).sorted() {
                let values = items.filter { $0.name == name }.map(\.value)
                found.append(
                    ContractDifference(
                        "\(prefix).\(name)", expected: "absent", actual: text.values(values, name: name)))
            }
        }
        return found
    }

    /// The difference in the values of one name; nil if the rule accepts them.
    func difference(_ name: String, _ values: [String], _ rule: Contract.ValueRule) -> ContractDifference? {
        let matcher = rule.matcher(wildcard: wildcard)
        guard !matcher.matches(values) else { return nil }
        return ContractDifference(
            "\(prefix).\(name)", expected: text.matcher(matcher, name: name), actual: text.values(values, name: name))
    }
}
