extension OperationEmitter {
    /// Writes the pagination rule of an operation whose responses are pages.
    func emitPagination(_ item: Item, _ writer: inout SourceWriter) {
        guard let pagination = item.model.pagination, let rule = rule(pagination.rule, item) else { return }
        writer.line("\(access)var paging: Paging<Response> { \(rule) }")
    }

    /// Returns true if the operation's pagination rule can be written.
    func isPaged(_ item: Item) -> Bool {
        item.model.pagination.flatMap { rule($0.rule, item) } != nil
    }

    private func rule(_ rule: PaginationModel.Rule, _ item: Item) -> String? {
        switch rule {
        case .link: return ".link()"
        case .url(let member): return text(of: member, item).map { ".url { \($0) }" }
        case .cursor(let parameter, let member):
            return text(of: member, item).map { ".cursor(in: \(SwiftLiteral.string(parameter))) { \($0) }" }
        case .number(let parameter, let first, let member):
            guard let list = access(to: member, item) else { return nil }
            let isEmpty = list.isOptional ? "\(list.text)?.isEmpty ?? true" : "\(list.text).isEmpty"
            let begin = start(parameter, first, item)
            return ".number(in: \(SwiftLiteral.string(parameter)), first: \(begin)) { \(isEmpty) }"
        case .offset(let parameter, let first, let member):
            guard let list = access(to: member, item) else { return nil }
            let count = list.isOptional ? "\(list.text)?.count ?? 0" : "\(list.text).count"
            let begin = first == 0 ? "" : ", first: \(first)"
            return ".offset(in: \(SwiftLiteral.string(parameter))\(begin)) { \(count) }"
        }
    }

    /// Returns the number of the page that the request asks for.
    private func start(_ parameter: String, _ first: Int, _ item: Item) -> String {
        guard let place = item.model.parameters.firstIndex(where: { $0.location == .query && $0.name == parameter }),
            !item.model.parameters[place].allowsEmpty
        else { return String(first) }
        let name = "self.\(item.names.parameters[place])"
        return item.model.parameters[place].isRequired ? "Int(\(name))" : "\(name).map { Int($0) } ?? \(first)"
    }

    private struct MemberAccess {
        var text: String
        var isOptional: Bool
        var type: TypeReference
    }

    /// Returns the expression for a member of a page; nil if it isn't a member of an object.
    private func access(to member: PaginationModel.Member, _ item: Item) -> MemberAccess? {
        guard case .single(.json(let page)) = success(item.model) else { return nil }
        var result = MemberAccess(text: "$0", isOptional: false, type: page)
        for name in member {
            guard case .named(let id) = context.model.unaliased(result.type),
                case .object(let object) = context.model[id].kind,
                let place = object.properties.firstIndex(where: { $0.name == name })
            else { return nil }
            let property = object.properties[place]
            let storage = context.storage(property, in: id)
            result.text += (result.isOptional ? "?." : ".") + SwiftIdentifier.quoted(context.names[id].names[place])
            if storage.type.hasSuffix("?") { result.isOptional = true }
            if storage.isThreeState { result.text += "?.value" }
            result.type = property.type
        }
        return result
    }

    /// Returns the expression for a member as an optional text.
    private func text(of member: PaginationModel.Member, _ item: Item) -> String? {
        guard let access = access(to: member, item) else { return nil }
        switch context.model.unaliased(access.type) {
        case .scalar(.string): return access.text
        case .scalar(.url):
            return access.isOptional ? "\(access.text)?.absoluteString" : "\(access.text).absoluteString"
        case .scalar(.int), .scalar(.int32), .scalar(.int64):
            return access.isOptional ? "\(access.text).map { String($0) }" : "String(\(access.text))"
        default: return nil
        }
    }
}
