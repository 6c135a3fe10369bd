/// The first stage of the generator: turns a document into an ``APIModel``.
enum APIModelPlanner {
    static func plan(
        _ document: Document, configuration: GeneratorConfiguration, resolver: ReferenceResolver, log: DiagnosticLog
    ) -> APIModel {
        let filter = configuration.filter
        let schemas = SchemaPlanner(root: document.root, resolver: resolver, log: log)
        let components = declareComponents(document.root, filter, schemas)
        schemas.readWaiting()
        let operations = OperationPlanner(schemas: schemas, root: document.root, filter: filter)
        operations.readAll()
        operations.readLinks()
        operations.readWebhooks()
        schemas.readWaiting()
        var types = schemas.types
        for index in types.indices {
            if case .pending = types[index].kind { types[index].kind = .alias(.json) }
        }
        ChoicePass.run(&types, &operations.operations, configuration)
        DecimalTextPass.run(&types, &operations.operations)
        VariantValuesPass.run(&types, operations.operations)
        rehome(&types)
        RecursionPass.run(&types, log: log)
        let weights = SizePass.run(&types)
        UnionOrder.sort(&types)
        relaxDirections(&types, operations.operations)
        PaginationPass.run(&operations.operations, types, log: log)
        let info = document.root["info"]
        var statistics = schemas.statistics
        statistics.schemasSkipped = tellSkipped(components, types, log)
        statistics.operationsFound = operations.foundCount
        statistics.operationsSkipped = operations.foundCount - operations.operations.count
        return APIModel(
            title: info?["title"]?.text, version: info?["version"]?.text,
            servers: operations.servers.document, operations: operations.operations, types: types, weights: weights,
            securitySchemes: operations.securitySchemes(), statistics: statistics)
    }

    /// Declares every component schema that the filter admits, in document order.
    private static func declareComponents(
        _ root: Node, _ filter: DocumentFilter, _ schemas: SchemaPlanner
    ) -> [(id: TypeID, node: Node)] {
        guard let components = root["components"] else { return [] }
        var declared: [(id: TypeID, node: Node)] = []
        for member in schemas.read.members(components, "schemas") where filter.admits(schema: member.key) {
            schemas.statistics.schemasFound += 1
            let pointer = JSONPointer(["components", "schemas", member.key]).text
            let text = "#" + pointer
            let field = Node.Member(
                key: "$ref", keyPosition: member.keyPosition,
                value: Node(.scalar(text, isQuoted: true), at: member.keyPosition))
            // Uses the resolver, so that references to the schema find the same declaration. A key that can't be
            // written as a pointer in a URL fragment is declared directly.
            if let target = try? schemas.resolver.target(of: Node(.object([field]), at: member.keyPosition)),
                target.pointer == pointer
            {
                declared.append((schemas.declare(target), member.value))
            } else {
                let target = ResolvedReference(
                    node: member.value, file: member.value.position.file, pointer: pointer, name: member.key)
                declared.append((schemas.declare(target), member.value))
            }
        }
        return declared
    }

    /// Warns about each component schema that became free-form JSON although it isn't just annotations; returns their
    /// number.
    private static func tellSkipped(
        _ components: [(id: TypeID, node: Node)], _ types: [TypeDeclaration], _ log: DiagnosticLog
    ) -> Int {
        let skipped = components.filter { component in
            guard case .alias(.json) = types[component.id.index].kind, component.node.bool != true else { return false }
            return !component.node.isObject || !MergedObject.isAnnotation(component.node)
        }
        for component in skipped {
            log.warn("the schema '\(types[component.id.index].rawName)' is free-form JSON", at: component.node)
        }
        return skipped.count
    }

    /// Moves types out of owners whose declaration has no body.
    private static func rehome(_ types: inout [TypeDeclaration]) {
        for index in types.indices {
            for _ in 0..<64 {
                guard case .type(let owner) = types[index].owner, !types[owner.index].holdsTypes else { break }
                types[index].rawName = "\(types[owner.index].rawName) \(types[index].rawName)"
                types[index].owner = types[owner.index].owner
            }
        }
    }

    /// Makes read-only properties optional in types that are sent, and write-only properties in types that are
    /// received.
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
}
