/// Turns a document into an ``APIModel``: the first stage.
enum APIModelPlanner {
    static func plan(_ document: Document, resolver: ReferenceResolver, log: DiagnosticLog) -> APIModel {
        let schemas = SchemaPlanner(resolver: resolver, log: log)
        declareComponents(document.root, schemas)
        schemas.readWaiting()
        let operations = OperationPlanner(schemas: schemas, root: document.root)
        operations.readAll()
        schemas.readWaiting()
        var types = schemas.types
        for index in types.indices {
            if case .pending = types[index].kind { types[index].kind = .alias(.json) }
        }
        RecursionPass.run(&types, log: log)
        UnionOrder.sort(&types)
        relaxDirections(&types, operations.operations)
        let info = document.root["info"]
        return APIModel(
            title: info?["title"]?.text, version: info?["version"]?.text,
            servers: servers(document.root, schemas.read), operations: operations.operations, types: types)
    }

    /// Declares every component schema, in the document's order.
    private static func declareComponents(_ root: Node, _ schemas: SchemaPlanner) {
        guard let components = root["components"] else { return }
        for member in schemas.read.members(components, "schemas") {
            let pointer = JSONPointer(["components", "schemas", member.key]).text
            let text = "#" + pointer
            let field = Node.Member(
                key: "$ref", keyPosition: member.keyPosition,
                value: Node(.scalar(text, isQuoted: true), at: member.keyPosition))
            // Through the resolver, so that references to it find the same declaration; a key that no pointer can say
            // in a URL fragment is declared directly.
            if let target = try? schemas.resolver.target(of: Node(.object([field]), at: member.keyPosition)),
                target.pointer == pointer
            {
                schemas.declare(target)
            } else {
                schemas.declare(
                    ResolvedReference(
                        node: member.value, file: member.value.position.file, pointer: pointer, name: member.key))
            }
        }
    }

    /// What only a server sets need not be sent, and what only a client sets is not received.
    private static func relaxDirections(_ types: inout [TypeDeclaration], _ operations: [OperationModel]) {
        let reach = TypeReach(operations: operations, types: types)
        for index in types.indices {
            guard case .object(var object) = types[index].kind else { continue }
            let id = TypeID(index: index)
            for place in object.properties.indices {
                let property = object.properties[place]
                if (property.isReadOnly && reach.sent.contains(id))
                    || (property.isWriteOnly && reach.received.contains(id))
                {
                    object.properties[place].isRequired = false
                }
            }
            types[index].kind = .object(object)
        }
    }

    private static func servers(_ root: Node, _ read: KeywordReader) -> [ServerModel] {
        (read.list(root, "servers") ?? []).compactMap { server in
            guard var url = read.text(server, "url") else { return nil }
            for variable in read.members(server, "variables") {
                guard let value = variable.value["default"]?.text else { continue }
                url = url.split(separator: "{\(variable.key)}", omittingEmptySubsequences: false).joined(
                    separator: value)
            }
            return ServerModel(url: url, name: read.text(server, "name"), description: read.text(server, "description"))
        }
    }
}
