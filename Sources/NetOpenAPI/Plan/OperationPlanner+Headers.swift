extension OperationPlanner {
    /// Returns the headers a response declares, except `Content-Type`, which is specified by `content` (OpenAPI,
    /// Response Object).
    ///
    /// - Parameter owner: The beginning of the names of types that they declare inline. Default nothing.
    func headers(of response: Node, operation: Int, owner: String = "") -> [HeaderModel] {
        read.members(response, "headers").compactMap { member in
            guard member.key.lowercased() != "content-type", let node = resolved(member.value), node.isObject else {
                return nil
            }
            guard HTTPToken.isValid(member.key) else {
                log.warn("'\(member.key)' isn't a valid header name; it is omitted", at: member.value)
                return nil
            }
            let schema = node["schema"] ?? read.members(node, "content").first?.value["schema"]
            let hint = home(of: member.value, operation)
            let name = hint.name.isEmpty ? (owner.isEmpty ? "" : owner + " ") + member.key : hint.name
            let use = schema.map { schemas.use($0, SchemaPlanner.Hint(owner: hint.owner, name: name)) }
            return HeaderModel(
                name: member.key, type: use?.type ?? .string, isRequired: read.flag(node, "required") ?? false,
                documentation: read.documentation(node))
        }
    }
}
