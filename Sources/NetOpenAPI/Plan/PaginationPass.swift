/// Finds the operations whose responses are pages of a list.
///
/// An extension of the operation decides: `x-pagination`, or one of those that other generators read
/// (`x-fern-pagination`, `x-speakeasy-pagination`, `x-ms-pageable`). Else a GET has pages if its responses declare the
/// header `Link`, or if a query parameter and a member of the response have names that are commonly used for it.
struct PaginationPass {
    let types: [TypeDeclaration]
    let log: DiagnosticLog

    static func run(_ operations: inout [OperationModel], _ types: [TypeDeclaration], log: DiagnosticLog) {
        let pass = PaginationPass(types: types, log: log)
        for index in operations.indices { operations[index].pagination = pass.pagination(of: operations[index]) }
    }

    private func pagination(of operation: OperationModel) -> PaginationModel? {
        let contents = Set(operation.successes.map(\.content))
        guard contents.count == 1, case .json(let page)? = contents.first else { return nil }
        if let declared = operation.paginationExtension {
            if declared.value.bool == false || declared.value["nextLinkName"]?.isNull == true { return nil }
            if let rule = rule(declared, operation, page) { return PaginationModel(rule: rule) }
            log.warn("'\(declared.key)' doesn't describe pages of this operation; it is ignored", at: declared.value)
        }
        guard operation.method == "GET" else { return nil }
        let hasLink = operation.successes.contains { $0.headers.contains { $0.name.lowercased() == "link" } }
        if hasLink { return PaginationModel(rule: .link) }
        return found(operation, page).map { PaginationModel(rule: $0) }
    }

    // MARK: Names

    private static let cursors: Set<String> = [
        "cursor", "pagecursor", "nextcursor", "startcursor", "pagetoken", "nextpagetoken", "nexttoken",
        "continuationtoken",
        "continuation", "continue", "marker", "nextmarker", "startingafter", "after", "paginationtoken",
    ]
    private static let nextCursors: [String] = [
        "nextcursor", "nextpagetoken", "nexttoken", "nextpagecursor", "nextcontinuationtoken", "continuationtoken",
        "nextmarker", "endcursor", "continue", "after", "next", "cursor", "paginationtoken",
    ]
    private static let holders: Set<String> = [
        "meta", "metadata", "pagination", "paging", "pageinfo", "page", "responsemetadata", "cursors", "links",
        "cursor",
    ]
    private static let numbers: Set<String> = ["page", "pagenumber", "pageno", "pageindex", "currentpage"]
    private static let offsets: Set<String> = ["offset", "skip", "start", "startindex", "startat"]

    private static func bare(_ name: String) -> String {
        String(name.lowercased().filter { $0.isLetter || $0.isNumber })
    }

    private func found(_ operation: OperationModel, _ page: TypeReference) -> PaginationModel.Rule? {
        let query = operation.parameters.filter { $0.location == .query && !$0.isJSON }
        if let parameter = query.first(where: { Self.cursors.contains(Self.bare($0.name)) && isText($0.type) }),
            let member = nextCursor(page)
        {
            return .cursor(parameter: parameter.name, member)
        }
        guard let list = list(page) else { return nil }
        if let parameter = query.first(where: { Self.numbers.contains(Self.bare($0.name)) && isInteger($0.type) }) {
            return .number(parameter: parameter.name, first: first(parameter, else: 1), list: list)
        }
        if let parameter = query.first(where: { Self.offsets.contains(Self.bare($0.name)) && isInteger($0.type) }) {
            return .offset(parameter: parameter.name, first: first(parameter, else: 0), list: list)
        }
        return nil
    }

    private func first(_ parameter: ParameterModel, else number: Int) -> Int {
        parameter.defaultValue?.int ?? (parameter.minimum == 0 ? 0 : number)
    }

    /// Returns the member with the cursor of the next page: in the page, or in an object in it that is about pages.
    private func nextCursor(_ page: TypeReference) -> PaginationModel.Member? {
        guard let object = object(page) else { return nil }
        func best(_ object: ObjectModel) -> PropertyModel? {
            for name in Self.nextCursors {
                if let found = object.properties.first(where: { Self.bare($0.name) == name && isText($0.type) }) {
                    return found
                }
            }
            return nil
        }
        if let own = best(object) { return [own.name] }
        for property in object.properties where Self.holders.contains(Self.bare(property.name)) {
            if let inner = self.object(property.type), let found = best(inner) { return [property.name, found.name] }
        }
        return nil
    }

    /// Returns the only list of a page: the page itself, or a member of it; nil if there are several.
    private func list(_ page: TypeReference) -> PaginationModel.Member? {
        if case .array = unaliased(page) { return [] }
        guard let object = object(page) else { return nil }
        let lists = object.properties.filter { if case .array = unaliased($0.type) { true } else { false } }
        if lists.count == 1 { return [lists[0].name] }
        let usual = lists.filter {
            ["data", "items", "results", "records", "values", "entries"].contains(Self.bare($0.name))
        }
        return usual.count == 1 ? [usual[0].name] : nil
    }

    // MARK: Extensions

    private func rule(
        _ declared: Node.Member, _ operation: OperationModel, _ page: TypeReference
    ) -> PaginationModel.Rule? {
        let node = declared.value
        switch declared.key {
        case "x-ms-pageable":
            return node["nextLinkName"]?.text.flatMap { url($0, page) }
        case "x-fern-pagination":
            let list = node["results"]?.text.flatMap { member($0, page) } ?? self.list(page)
            if let next = node["next_uri"]?.text { return url(next, page) }
            if let cursor = node["cursor"]?.text, let parameter = self.parameter(cursor, operation),
                let next = node["next_cursor"]?.text.flatMap({ member($0, page) })
            {
                return .cursor(parameter: parameter.name, next)
            }
            guard let offset = node["offset"]?.text, let parameter = self.parameter(offset, operation), let list else {
                return nil
            }
            return steps(parameter, isOffset: node["step"] != nil, list)
        case "x-speakeasy-pagination":
            let outputs = node["outputs"]
            let inputs = (node["inputs"]?.elements ?? []).filter { $0["in"]?.text != "requestBody" }
            if let next = outputs?["nextUrl"]?.text { return url(next, page) }
            func input(_ type: String) -> ParameterModel? {
                let found = inputs.first { $0["type"]?.text == type }
                guard let name = found?["name"]?.text else { return nil }
                return self.parameter(name, operation)
            }
            let cursor: PaginationModel.Member? = outputs?["nextCursor"]?.text.flatMap { member($0, page) }
            if let parameter = input("cursor"), let cursor {
                return .cursor(parameter: parameter.name, cursor)
            }
            let declared: PaginationModel.Member? = outputs?["results"]?.text.flatMap { member($0, page) }
            guard let list = declared ?? self.list(page) else { return nil }
            if let parameter = input("page") { return steps(parameter, isOffset: false, list) }
            guard let parameter = input("offset") else { return nil }
            return steps(parameter, isOffset: true, list)
        default:
            return own(node, operation, page)
        }
    }

    /// `x-pagination: {style: cursor, parameter: cursor, next: meta.next}`.
    private func own(_ node: Node, _ operation: OperationModel, _ page: TypeReference) -> PaginationModel.Rule? {
        let next = node["next"]?.text.flatMap { member($0, page) }
        let list = node["items"]?.text.flatMap { member($0, page) } ?? self.list(page)
        let parameter = node["parameter"]?.text.flatMap { self.parameter($0, operation) }
        switch node["style"]?.text {
        case "link": return .link
        case "url": return next.map { .url($0) }
        case "cursor":
            guard let parameter, let next else { return nil }
            return .cursor(parameter: parameter.name, next)
        case "page", "offset":
            guard let parameter, let list else { return nil }
            return steps(parameter, isOffset: node["style"]?.text == "offset", list)
        case nil: return ownByParameters(node, operation, page)
        default: return nil
        }
    }

    /// `x-pagination: {pageOffsetParam: start, resultsPath: data}`, without a style.
    private func ownByParameters(
        _ node: Node, _ operation: OperationModel, _ page: TypeReference
    ) -> PaginationModel.Rule? {
        if let name = node["cursorParam"]?.text, let cursor = self.parameter(name, operation),
            let path = node["cursorPath"]?.text, let next = member(path, page)
        {
            return .cursor(parameter: cursor.name, next)
        }
        let declared: PaginationModel.Member? = node["resultsPath"]?.text.flatMap { member($0, page) }
        guard let list = declared ?? self.list(page) else { return nil }
        if let name = node["pageOffsetParam"]?.text, let offset = self.parameter(name, operation) {
            return steps(offset, isOffset: true, list)
        }
        guard let name = node["pageParam"]?.text, let number = self.parameter(name, operation) else { return nil }
        return steps(number, isOffset: false, list)
    }

    private func url(_ text: String, _ page: TypeReference) -> PaginationModel.Rule? {
        guard let member = member(text, page) else { return nil }
        return .url(member)
    }

    private func steps(
        _ parameter: ParameterModel, isOffset: Bool, _ list: PaginationModel.Member
    ) -> PaginationModel.Rule? {
        guard isInteger(parameter.type) else { return nil }
        return isOffset
            ? .offset(parameter: parameter.name, first: first(parameter, else: 0), list: list)
            : .number(parameter: parameter.name, first: first(parameter, else: 1), list: list)
    }

    /// Returns a query parameter by its name, or by `$request.` and its name.
    private func parameter(_ text: String, _ operation: OperationModel) -> ParameterModel? {
        let name = text.hasPrefix("$request.") ? String(text.dropFirst("$request.".count)) : text
        return operation.parameters.first { $0.location == .query && $0.name == name }
    }

    /// Returns a member of the page from a JSON pointer, or from names with dots between them, which may begin with
    /// `$response` or `$`; nil if the page has no such member.
    private func member(_ text: String, _ page: TypeReference) -> PaginationModel.Member? {
        var names: [String]
        if text.hasPrefix("/") {
            names = JSONPointer(text: text)?.segments ?? []
        } else {
            names = text.split(separator: ".").map(String.init)
            if names.first == "$response" || names.first == "$" { names.removeFirst() }
        }
        var type = page
        for name in names {
            guard let property = object(type)?.properties.first(where: { $0.name == name }) else { return nil }
            type = property.type
        }
        return names
    }

    // MARK: Types

    private func unaliased(_ type: TypeReference) -> TypeReference {
        var type = type
        for _ in 0..<64 {
            guard case .named(let id) = type, case .alias(let target) = types[id.index].kind else { return type }
            type = target
        }
        return .json
    }

    private func object(_ type: TypeReference) -> ObjectModel? {
        guard case .named(let id) = unaliased(type), case .object(let object) = types[id.index].kind else { return nil }
        return object
    }

    private func isText(_ type: TypeReference) -> Bool {
        switch unaliased(type) {
        case .scalar(.string), .scalar(.int), .scalar(.int64), .scalar(.int32): true
        default: false
        }
    }

    private func isInteger(_ type: TypeReference) -> Bool {
        switch unaliased(type) {
        case .scalar(.int), .scalar(.int64), .scalar(.int32): true
        default: false
        }
    }
}
