#if Server
internal import NetCore
internal import NetOpenAPI

/// Reads the operations of a document. Skips the parts that can't be read, with a note.
struct DescriptionReader {
    private static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]

    let compiler: SchemaCompiler
    let servers: ServerPaths
    private(set) var operations: [OperationDescription] = []

    init(_ compiler: SchemaCompiler) {
        self.compiler = compiler
        servers = ServerPaths(compiler.document.root)
    }

    private var root: Node { compiler.document.root }

    mutating func readAll() {
        let paths = SchemaPlace(file: "", pointer: "/paths")
        for entry in root["paths"]?.members ?? [] where !entry.key.hasPrefix("x-") {
            guard let item = compiler.resolved(entry.value, at: paths.appending(entry.key)) else { continue }
            let own = item.node["additionalOperations"]?.members ?? []
            for member in item.node.members where Self.methods.contains(member.key) {
                read(
                    member.value, member.key.uppercased(), entry.key, item.node, item.place.appending(member.key),
                    item.place)
            }
            for member in own {
                let place = item.place.appending("additionalOperations", member.key)
                read(member.value, member.key, entry.key, item.node, place, item.place)
            }
        }
        // The most literal path wins.
        operations = operations.enumerated().sorted {
            ($1.element.route.weight, $0.offset) < ($0.element.route.weight, $1.offset)
        }.map(\.element)
    }

    private mutating func read(
        _ entry: Node, _ method: String, _ path: String, _ item: Node, _ place: SchemaPlace, _ itemPlace: SchemaPlace
    ) {
        guard let (node, place) = compiler.resolved(entry, at: place), node.isObject else { return }
        let bare = path.prefix { $0 != "#" }
        let template = bare.prefix { $0 != "?" }
        let query = bare.dropFirst(template.count + 1).split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (name: String(parts[0]), value: parts.count > 1 ? String(parts[1]) : nil)
        }
        let route = RouteTemplate(template.hasPrefix("/") ? String(template) : "/" + template)
        operations.append(
            OperationDescription(
                method: method, path: path, identifier: node["operationId"]?.text,
                prefixes: servers.prefixes(item, node), route: route,
                fixedQuery: query.filter { $0.value?.contains("{") != true },
                parameters: parameters(node, place, item, itemPlace, route), body: body(node, place),
                responses: responses(node, place), place: place))
    }

    /// The operation's parameters, and the path item's parameters that the operation doesn't override.
    private func parameters(
        _ node: Node, _ place: SchemaPlace, _ item: Node, _ itemPlace: SchemaPlace, _ route: RouteTemplate
    ) -> [ParameterDescription] {
        var found: [ParameterDescription] = []
        for (holder, there) in [(item, itemPlace), (node, place)] {
            for (index, entry) in (holder["parameters"]?.elements ?? []).enumerated() {
                let there = there.appending("parameters", "\(index)")
                guard let (node, place) = compiler.resolved(entry, at: there),
                    let parameter = PartsReader(compiler: compiler).parameter(node, place)
                else { continue }
                found.removeAll { $0.name == parameter.name && $0.location == parameter.location }
                found.append(parameter)
            }
        }
        return found.filter { $0.location != .path || route.names.contains($0.name) }
    }

    private func body(_ node: Node, _ place: SchemaPlace) -> BodyDescription? {
        guard let entry = node["requestBody"],
            let (body, there) = compiler.resolved(entry, at: place.appending("requestBody"))
        else { return nil }
        return BodyDescription(
            isRequired: body["required"]?.bool ?? false,
            content: PartsReader(compiler: compiler).content(body, there), place: there)
    }

    private func responses(_ node: Node, _ place: SchemaPlace) -> [ResponseDescription] {
        (node["responses"]?.members ?? []).compactMap { member in
            guard let status = Self.status(member.key),
                let (response, there) = compiler.resolved(
                    member.value, at: place.appending("responses", member.key))
            else { return nil }
            let reader = PartsReader(compiler: compiler)
            let headers = (response["headers"]?.members ?? []).compactMap { header -> ParameterDescription? in
                let place = there.appending("headers", header.key)
                guard header.key.lowercased() != "content-type",
                    let (node, headerPlace) = compiler.resolved(header.value, at: place)
                else { return nil }
                return reader.parameter(node, headerPlace, header: header.key)
            }
            return ResponseDescription(
                status: status, headers: headers, content: reader.content(response, there), place: there)
        }
    }

    private static func status(_ text: String) -> ResponseDescription.Status? {
        if text == "default" { return .other }
        if let code = Int(text), (100...599).contains(code) { return .code(code) }
        let upper = text.uppercased()
        guard upper.utf8.count == 3, upper.hasSuffix("XX"), let digit = Int(upper.prefix(1)), (1...5).contains(digit)
        else { return nil }
        return .range(digit)
    }
}
#endif
