extension SchemaPlanner {
    /// Returns the type of a `$dynamicRef` at its location (JSON Schema 2020-12, 8.2.3.2).
    ///
    /// A Swift type is fixed, while the target of a `$dynamicRef` depends on the schemas that refer to the enclosing
    /// one. So this uses the anchor of that name in the enclosing component, or else the only one in the file. An
    /// anchor without structure, the placeholder of a template, becomes free-form JSON.
    func dynamicUse(_ node: Node, _ text: String, _ hint: Hint) -> TypeUse {
        guard text.hasPrefix("#"), !text.hasPrefix("#/") else { return use(plain(text, node), hint) }
        let name = String(text.dropFirst())
        let anchors = resolver.dynamicAnchors(name, inFileOf: node)
        let around = inProgress.last.flatMap { $0.split(separator: "#", maxSplits: 1).last } ?? ""
        let near = anchors.first { $0.text == around || $0.text.hasPrefix("\(around)/") && !around.isEmpty }
        guard let pointer = near ?? (anchors.count == 1 ? anchors.first : nil) else {
            let reason =
                anchors.isEmpty ? "no schema has the '$dynamicAnchor'" : "several schemas have the '$dynamicAnchor'"
            log.warn("\(reason) '\(name)'; free-form JSON is used", at: node)
            return TypeUse(type: .json)
        }
        let reference = plain("#\(pointer.text)", node)
        if let target = try? resolver.target(of: reference).node, isPlaceholder(target) {
            log.note("'\(text)' is a placeholder that others fill; free-form JSON is read", at: node)
            return TypeUse(type: .json)
        }
        if anchors.count > 1 { log.note("'\(text)' is read as '\(pointer.text)' wherever it occurs", at: node) }
        return use(reference, hint)
    }

    private func plain(_ text: String, _ node: Node) -> Node {
        let position = node["$dynamicRef"]?.position ?? node.position
        let field = Node.Member(
            key: "$ref", keyPosition: position, value: Node(.scalar(text, isQuoted: true), at: position))
        return Node(.object([field] + node.members.filter { $0.key != "$dynamicRef" }), at: node.position)
    }

    private func isPlaceholder(_ node: Node) -> Bool {
        node.members.allSatisfy {
            ["$dynamicAnchor", "not"].contains($0.key) || MergedObject.annotations.contains($0.key)
        }
    }
}
