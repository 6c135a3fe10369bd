/// The tree of a filter. The functions below keep it normalized: no group is directly within a group of the same kind
/// or has a single member, and there are no double negations.
enum FilterNode: Sendable, Hashable {
    case term(FilterTerm)
    indirect case not(FilterNode)
    /// Matches if all of these match; an empty list matches everything.
    case both([FilterNode])
    /// Matches if at least one of these matches; an empty list matches nothing.
    case either([FilterNode])

    /// Matches everything.
    static let every = FilterNode.both([])
    /// Matches nothing.
    static let nothing = FilterNode.either([])

    static func all(_ nodes: [FilterNode]) -> FilterNode {
        let members = nodes.flatMap { node in if case .both(let inner) = node { inner } else { [node] } }
        if members.contains(.nothing) { return .nothing }
        return members.count == 1 ? members[0] : .both(members)
    }

    static func any(_ nodes: [FilterNode]) -> FilterNode {
        let members = nodes.flatMap { node in if case .either(let inner) = node { inner } else { [node] } }
        if members.contains(.every) { return .every }
        return members.count == 1 ? members[0] : .either(members)
    }

    var negated: FilterNode {
        switch self {
        case .not(let inner): inner
        case .every: .nothing
        case .nothing: .every
        default: .not(self)
        }
    }

    /// Returns true if any term in the tree meets the condition.
    func contains(_ condition: (FilterTerm) -> Bool) -> Bool {
        switch self {
        case .term(let term): condition(term)
        case .not(let inner): inner.contains(condition)
        case .both(let members), .either(let members): members.contains { $0.contains(condition) }
        }
    }
}
