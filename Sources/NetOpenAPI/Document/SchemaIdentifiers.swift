/// The identifiers that the schemas of one file declare: `$anchor`, `$dynamicAnchor` (JSON Schema 2020-12, 8.2.2) and
/// `$id`.
struct SchemaIdentifiers {
    private(set) var anchors: [String: JSONPointer] = [:]
    /// Several schemas may share a name: `$dynamicRef` chooses between them.
    private(set) var dynamicAnchors: [String: [JSONPointer]] = [:]
    private(set) var identifiers: [String: JSONPointer] = [:]

    init(root: Node) {
        collect(root, at: JSONPointer())
    }

    private mutating func collect(_ node: Node, at pointer: JSONPointer) {
        for (place, element) in node.elements.enumerated() {
            collect(element, at: pointer.appending(String(place)))
        }
        for member in node.members {
            if let text = member.value.text {
                switch member.key {
                case "$anchor": anchors[text] = anchors[text] ?? pointer
                case "$dynamicAnchor":
                    anchors[text] = anchors[text] ?? pointer
                    dynamicAnchors[text, default: []].append(pointer)
                case "$id": identifiers[text] = identifiers[text] ?? pointer
                case "$self" where pointer.segments.isEmpty: identifiers[text] = pointer
                default: continue
                }
            } else if !["example", "examples", "default", "enum", "const"].contains(member.key) {
                collect(member.value, at: pointer.appending(member.key))
            }
        }
    }
}
