#if Server
internal import NetCore
internal import NetOpenAPI

/// Reads the schemas of a document into a ``SchemaSet``, each once, with references resolved. It doesn't recurse, so no
/// document can exhaust the stack.
final class SchemaCompiler {
    let document: Document
    let resolver: ReferenceResolver
    private(set) var set = SchemaSet()
    /// References that can't be resolved; such a reference accepts anything.
    private(set) var problems: [Diagnostic] = []
    private var known: [SchemaPlace: SchemaID] = [:]
    private var waiting: [(node: Node, id: SchemaID)] = []

    init(_ document: Document) {
        self.document = document
        resolver = ReferenceResolver(document: document)
    }

    /// Returns the schema at a place.
    func schema(_ node: Node, at place: SchemaPlace) -> SchemaID {
        let id = reserve(node, place)
        while let next = waiting.popLast() { set.schemas[next.id.index] = read(next.node, set[next.id].place) }
        return id
    }

    /// Follows a chain of references to the first node that isn't one; records a problem and returns nil if it can't be
    /// resolved.
    func resolved(_ node: Node, at place: SchemaPlace) -> (node: Node, place: SchemaPlace)? {
        var (current, there) = (node, place)
        for _ in 0..<64 where current.reference != nil {
            do throws(Diagnostic) {
                let target = try resolver.target(of: current)
                (current, there) = (target.node, self.place(of: target))
            } catch {
                problems.append(error)
                return nil
            }
        }
        return current.reference == nil ? (current, there) : nil
    }

    func place(of target: ResolvedReference) -> SchemaPlace {
        SchemaPlace(file: target.file == document.name ? "" : target.file, pointer: target.pointer)
    }

    /// Reserves the schema's identifier; its keywords are read later.
    func reserve(_ node: Node, _ place: SchemaPlace) -> SchemaID {
        if let id = known[place] { return id }
        let id = SchemaID(index: set.schemas.count)
        known[place] = id
        set.schemas.append(Schema(place: place))
        waiting.append((node, id))
        return id
    }

    private func read(_ node: Node, _ place: SchemaPlace) -> Schema {
        var schema = Schema(place: place)
        if let flag = node.bool {
            schema.isNever = !flag
            return schema
        }
        guard node.isObject else { return schema }
        if let reference = node.reference {
            schema.reference = follow(reference, node)
            schema.isNullable = node["nullable"]?.bool ?? false
            schema.isReadOnly = node["readOnly"]?.bool ?? false
            schema.isWriteOnly = node["writeOnly"]?.bool ?? false
            // Before 3.1, all other keywords beside a reference are ignored.
            if (document.version ?? .openAPI30) < .openAPI31 { return schema }
        } else if let dynamic = node["$dynamicRef"]?.text {
            schema.reference = follow(dynamic, node)
        }
        SchemaKeywords(compiler: self, node: node, place: place).read(into: &schema)
        return schema
    }

    private func follow(_ text: String, _ node: Node) -> SchemaID? {
        let field = node["$ref"] ?? node["$dynamicRef"]
        let position = field?.position ?? node.position
        let member = Node.Member(
            key: "$ref", keyPosition: position, value: Node(.scalar(text, isQuoted: true), at: position))
        do throws(Diagnostic) {
            let target = try resolver.target(of: Node(.object([member]), at: position))
            return reserve(target.node, self.place(of: target))
        } catch {
            problems.append(error)
            return nil
        }
    }
}
#endif
