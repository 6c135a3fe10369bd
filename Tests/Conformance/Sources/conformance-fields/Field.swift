import NetCore

/// What the three kinds of field share.
protocol Field: Equatable {
    init(parsing text: some StringProtocol) throws(StructuredFieldError)
    func serialized() throws(StructuredFieldError) -> String
    /// With integers for decimals of their value: a reader of JSON takes 1.0 for 1. The text that is written tells them
    /// apart.
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

extension StructuredField.Item: Field {
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

extension StructuredField.List: Field {
    var simplified: Self { Self(members.map(\.simplified)) }
}

extension StructuredField.Dictionary: Field {
    var simplified: Self {
        reduce(into: Self()) { $0[$1.key] = $1.value.simplified }
    }
}
