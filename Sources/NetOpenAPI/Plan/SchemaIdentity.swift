/// The identity of an inline schema: two are the same if their positions and keywords are equal.
///
/// The planner creates schemas from parts of others; those have the position of the schema they are made from, but
/// different keywords.
struct SchemaIdentity: Hashable {
    private let position: SourcePosition
    private let parts: [Part]

    private struct Part: Hashable {
        let key: String
        let scalar: String?
        let count: Int
        let position: SourcePosition
    }

    /// Creates the identity of an inline schema; nil for a reference, and for anything but an object with keywords.
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
