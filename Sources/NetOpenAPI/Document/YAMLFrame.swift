/// A finished node and the cost of an alias to it, or an anchor whose node isn't finished yet.
struct YAMLAnchor {
    var node: Node
    /// The number of nodes; aliased nodes count each time.
    var weight = 1
    /// The number of nested levels of sequences and mappings.
    var height = 0
    var isOpen = false

    init(node: Node, weight: Int = 1, height: Int = 0) {
        self.node = node
        self.weight = weight
        self.height = height
    }

    init(openAt position: SourcePosition) {
        self.node = Node(.array([]), at: position)
        self.isOpen = true
    }
}

/// The effect of the tags of the YAML schemas on a scalar.
enum YAMLTag {
    private static let prefix = "tag:yaml.org,2002:"

    /// Returns true if a tag makes its scalar text, false if it makes it a bare value; nil if the quotes decide.
    static func isText(_ tag: String?) -> Bool? {
        switch tag {
        case "!", prefix + "str", prefix + "binary": true
        case prefix + "int", prefix + "float", prefix + "bool", prefix + "null": false
        default: nil
        }
    }

    static func isMerge(_ tag: String?) -> Bool { tag == prefix + "merge" }
}

/// A sequence or mapping that isn't closed yet.
struct YAMLFrame {
    /// A `<<` key: the place of its members, and its value.
    private struct Merge {
        let place: Int
        let key: Node
        let source: Node
    }

    let isMapping: Bool
    let position: SourcePosition
    let anchor: String?
    private var elements: [Node] = []
    private var members = MemberList()
    private var merges: [Merge] = []
    private var key: Node?
    private var keyIsMerge = false
    private var weight = 1
    private var height = 0

    init(isMapping: Bool, position: SourcePosition, anchor: String?) {
        self.isMapping = isMapping
        self.position = position
        self.anchor = anchor
    }

    /// Adds the next key, value or element.
    ///
    /// - Throws: An error for a key that isn't a scalar.
    mutating func add(_ child: YAMLAnchor, tag: String?, warnings: inout [Diagnostic]) throws(Diagnostic) {
        weight += child.weight
        height = max(height, child.height)
        guard isMapping else { return elements.append(child.node) }
        guard let key else {
            guard case .scalar(let text, let isQuoted) = child.node.value else {
                throw Diagnostic(
                    .error, "a key is a sequence or a mapping; only a scalar can be a key here",
                    at: child.node.position)
            }
            keyIsMerge = YAMLTag.isMerge(tag) || (text == "<<" && !isQuoted)
            self.key = child.node
            return
        }
        self.key = nil
        if keyIsMerge, isMergeable(child.node) {
            merges.append(Merge(place: members.members.count, key: key, source: child.node))
            return
        }
        if keyIsMerge {
            warnings.append(
                Diagnostic(
                    .warning, "the merge key '<<' needs a mapping or a list of mappings; it is read as a plain key",
                    at: key.position))
        }
        let member = Node.Member(key: key.text ?? "", keyPosition: key.position, value: child.node)
        if let replaced = members.set(member) { warnings.append(.duplicateKey(member, replacing: replaced)) }
    }

    private func isMergeable(_ node: Node) -> Bool {
        node.isObject || (node.isArray && node.elements.allSatisfy(\.isObject))
    }

    /// Returns the node with its merge keys resolved.
    func finished(warnings: inout [Diagnostic]) -> YAMLAnchor {
        let value: Node.Value =
            if !isMapping { .array(elements) } else {
                .object(merges.isEmpty ? members.members : mergedMembers(warnings: &warnings))
            }
        return YAMLAnchor(node: Node(value, at: position), weight: weight, height: height + 1)
    }

    /// Returns the members with YAML 1.1's merge type applied: a mapping's own keys take precedence, then the earlier
    /// mapping of a list.
    private func mergedMembers(warnings: inout [Diagnostic]) -> [Node.Member] {
        if merges.count > 1 {
            warnings.append(
                Diagnostic(
                    .warning, "the mapping has more than one merge key '<<'; write one with a list of mappings",
                    at: merges[1].key.position))
        }
        var result: [Node.Member] = []
        var taken = MemberList()
        var next = 0
        for merge in merges {
            result += members.members[next..<merge.place]
            next = merge.place
            for source in merge.source.isArray ? merge.source.elements : [merge.source] {
                for member in source.members where !members.contains(member.key) && !taken.contains(member.key) {
                    _ = taken.set(member)
                    result.append(member)
                }
            }
        }
        return result + members.members[next...]
    }
}
