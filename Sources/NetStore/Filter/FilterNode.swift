/// The tree of a filter. The functions below keep it in one form: no group directly within a group of the same kind or with a
/// single member, no double negation.
enum FilterNode: Sendable, Hashable {
    case term(FilterTerm)
    indirect case not(FilterNode)
    /// All of these; everything if empty.
    case both([FilterNode])
    /// At least one of these; nothing if empty.
    case either([FilterNode])

    /// Everything.
    static let every = FilterNode.both([])
    /// Nothing.
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

    /// Returns true if a term meets the condition.
    func contains(_ condition: (FilterTerm) -> Bool) -> Bool {
        switch self {
        case .term(let term): condition(term)
        case .not(let inner): inner.contains(condition)
        case .both(let members), .either(let members): members.contains { $0.contains(condition) }
        }
    }
}
