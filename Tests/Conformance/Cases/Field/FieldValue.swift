import NetCore

/// The requirements common to the three kinds of field.
protocol FieldValue: Equatable {
    init(parsing text: some StringProtocol) throws(StructuredFieldError)
    func serialized() throws(StructuredFieldError) -> String
    /// The value with integers in place of integral decimals: a JSON parser reads 1.0 as 1. The written text
    /// distinguishes them.
    var simplified: Self { get }
}

extension StructuredField.BareItem {
    var simplified: Self {
        guard case .decimal(let value) = self, let whole = Int64(exactly: value) else { return self }
        return .integer(whole)
    }
}

extension StructuredField.Parameters {
    var simplified: Self {
        reduce(into: Self()) { $0[$1.key] = $1.value.simplified }
    }
}

extension StructuredField.Item: FieldValue {
    var simplified: Self { Self(value.simplified, parameters: parameters.simplified) }
}

extension StructuredField.Member {
    var simplified: Self {
        switch self {
        case .item(let item): .item(item.simplified)
        case .innerList(let list):
            .innerList(.init(list.items.map(\.simplified), parameters: list.parameters.simplified))
        }
    }
}

extension StructuredField.List: FieldValue {
    var simplified: Self { Self(members.map(\.simplified)) }
}

extension StructuredField.Dictionary: FieldValue {
    var simplified: Self {
        reduce(into: Self()) { $0[$1.key] = $1.value.simplified }
    }
}
