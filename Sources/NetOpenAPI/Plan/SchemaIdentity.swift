/// Tells whether two schemas in place are the same one: they stand at one place and have the same keywords.
///
/// The planner makes schemas of its own from parts of others; those have the place of the schema they are made from, and
/// other keywords.
struct SchemaIdentity: Hashable {
    private let position: SourcePosition
    private let parts: [Part]

    private struct Part: Hashable {
        let key: String
        let scalar: String?
        let count: Int
        let position: SourcePosition
    }

    /// Nil for what is no schema in place: a reference, or anything but an object with keywords.
    init?(_ node: Node) {
        guard case .object(let members) = node.value, !members.isEmpty, node.reference == nil else { return nil }
        position = node.position
        parts = members.map { member in
            switch member.value.value {
            case .scalar(let text, _): Part(key: member.key, scalar: text, count: 0, position: member.value.position)
            case .array(let elements):
                Part(key: member.key, scalar: nil, count: elements.count, position: member.value.position)
            case .object(let members):
                Part(key: member.key, scalar: nil, count: members.count, position: member.value.position)
            }
        }
    }
}
