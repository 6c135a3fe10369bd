/// Adds to each diagnostic the JSON pointer of the node that it is about, from the root of its file.
enum DiagnosticPointers {
    /// Returns the same diagnostics. Each one whose position is that of a node gets the pointer of that node.
    static func added(to diagnostics: [Diagnostic], _ files: ReferenceFiles) -> [Diagnostic] {
        var wanted: [String: Set<SourcePosition>] = [:]
        for diagnostic in diagnostics where diagnostic.pointer == nil {
            if let position = diagnostic.position { wanted[position.file, default: []].insert(position) }
        }
        var found: [SourcePosition: String] = [:]
        for (file, positions) in wanted {
            let file = files.file(named: file)
            find(positions, in: file.root, &found)
        }
        return diagnostics.map { diagnostic in
            var diagnostic = diagnostic
            if diagnostic.pointer == nil { diagnostic.pointer = diagnostic.position.flatMap { found[$0] } }
            return diagnostic
        }
    }

    /// Visits the nodes from the outside in: if two begin at the same position, the outer one is meant.
    private static func find(
        _ wanted: Set<SourcePosition>, in root: Node, _ found: inout [SourcePosition: String]
    ) {
        var waiting: [(node: Node, pointer: String)] = [(root, "")]
        var place = 0
        // Breadth first. Advances an index, because removing the first element would move all others.
        while place < waiting.count, found.count < wanted.count {
            let (node, pointer) = waiting[place]
            place += 1
            if wanted.contains(node.position), found[node.position] == nil { found[node.position] = pointer }
            for member in node.members {
                let inner = "\(pointer)/\(JSONPointer.escaped(member.key))"
                if wanted.contains(member.keyPosition), found[member.keyPosition] == nil {
                    found[member.keyPosition] = inner
                }
                waiting.append((member.value, inner))
            }
            for (index, element) in node.elements.enumerated() { waiting.append((element, "\(pointer)/\(index)")) }
        }
    }
}
