/// The planner that turns schemas into types: it follows references, merges `allOf`, and chooses between structs,
/// enumerations and unions.
///
/// A schema it can't express becomes free-form JSON, with a warning at the schema's position.
final class SchemaPlanner {
    /// The owner and name of a type, if it has to be declared.
    struct Hint {
        var owner: TypeDeclaration.Owner
        var name: String
        /// The declaration reserved for this schema; nil if there is none yet.
        var reserved: TypeID?

        /// Returns a hint with the same owner and a suffix added to the name.
        func suffixed(_ suffix: String) -> Hint {
            Hint(owner: owner, name: "\(name) \(suffix)")
        }
    }

    /// The maximum depth of schemas nested inline.
    static let maximumDepth = 48

    let resolver: ReferenceResolver
    let log: DiagnosticLog
    let read: KeywordReader
    var types: [TypeDeclaration] = []
    var statistics = GeneratorStatistics()
    private(set) var placed: [String: TypeID] = [:]
    /// The types of inline schemas; one that several types inherit, or that is in a component, is read only once.
    private var known: [SchemaIdentity: TypeUse] = [:]
    /// Referenced schemas that haven't been read yet: reading them immediately could nest without limit.
    private var waiting: [(TypeID, ResolvedReference)] = []
    /// The keys of the schemas being read; references to them are recursive.
    var inProgress: [String] = []
    var depth = 0

    /// The schemas that extend a schema with a discriminator, by the key of that schema.
    let heirs: [String: [Node]]

    init(root: Node, resolver: ReferenceResolver, log: DiagnosticLog) {
        heirs = Self.heirs(in: root, resolver)
        self.resolver = resolver
        self.log = log
        read = KeywordReader(log: log)
    }

    /// Returns the type of a schema; free-form JSON if there is none.
    func use(_ node: Node?, _ hint: Hint) -> TypeUse {
        guard let node else { return TypeUse(type: .json) }
        guard depth < Self.maximumDepth else {
            log.warn("schemas nest more than \(Self.maximumDepth) deep here; the rest is free-form JSON", at: node)
            return TypeUse(type: .json)
        }
        let identity = hint.reserved == nil ? SchemaIdentity(node) : nil
        if let identity, let use = known[identity] { return use }
        depth += 1
        defer { depth -= 1 }
        let use = shape(node, hint)
        count(node, use)
        if let identity { known[identity] = use }
        return use
    }

    private func count(_ node: Node, _ use: TypeUse) {
        statistics.schemaNodes += 1
        guard use.type.isFreeForm, !MergedObject.isAnnotation(node) else { return }
        let kind = node["type"]?.text
        let isOpen =
            ["object", "array", "any"].contains(kind)
            && node.members.allSatisfy {
                ["type", "additionalProperties", "items"].contains($0.key) && $0.value.members.isEmpty
                    || MergedObject.annotations.contains($0.key) || $0.key.hasPrefix("x-")
            }
        if !isOpen { statistics.freeFormNodes += 1 }
    }

    private func shape(_ node: Node, _ hint: Hint) -> TypeUse {
        if node.reference != nil { return referenceUse(node, hint) }
        if let text = node["$dynamicRef"]?.text { return dynamicUse(node, text, hint) }
        guard node.isObject else {
            if node.bool == false { log.warn("the schema 'false' allows nothing; free-form JSON is read", at: node) }
            if node.bool == nil { log.warn("a schema should be an object, true or false", at: node) }
            return TypeUse(type: .json)
        }
        var use = structure(node, hint)
        if isNullable(node) { use.isNullable = true }
        return use
    }

    private func structure(_ node: Node, _ hint: Hint) -> TypeUse {
        let kinds = SchemaKind.list(of: node, log: log)
        if !kinds.contains("array"), let use = enumeration(node, kinds, hint) { return use }
        if let use = inheritance(node, hint) ?? union(node, hint) { return use }
        if let members = read.list(node, "allOf"), !members.isEmpty { return composition(node, members, hint) }
        if kinds.count > 1 { return choice(of: kinds, node, hint) }
        switch kinds.first {
        case "object": return object(node, hint)
        case "array": return array(node, hint)
        case let kind?: return TypeUse(type: .scalar(SchemaKind.scalar(kind, format: node["format"]?.text, node)))
        case nil: return TypeUse(type: .json)
        }
    }
}

extension SchemaPlanner {
    /// The keywords beside a `$ref` that change the structure of the schema.
    private static let structural: Set<String> = ["properties", "allOf", "oneOf", "anyOf"]

    private func referenceUse(_ node: Node, _ hint: Hint) -> TypeUse {
        if node.members.contains(where: {
            Self.structural.contains($0.key) && !$0.value.members.isEmpty
                || $0.value.isArray && Self.structural.contains($0.key)
        }) {
            let reference = Node(.object(node.members.filter { $0.key == "$ref" }), at: node.position)
            let rest = Node(.object(node.members.filter { $0.key != "$ref" }), at: node.position)
            return composition(rest, [reference, rest], hint)
        }
        var use =
            target(node).map { TypeUse(type: .named($0), isNullable: types[$0.index].isNullable) }
            ?? TypeUse(type: .json)
        if read.flag(node, "nullable") == true { use.isNullable = true }
        return use
    }

    /// Returns the declaration a reference leads to; nil, with a warning, if the reference can't be resolved.
    func target(_ node: Node) -> TypeID? {
        do throws(Diagnostic) {
            let target = try resolver.target(of: node)
            return declare(target)
        } catch {
            log.add(Diagnostic(.warning, "\(error.message); free-form JSON is used instead", at: error.position))
            return nil
        }
    }

    static func key(_ target: ResolvedReference) -> String { "\(target.file)#\(target.pointer)" }

    /// Declares a referenced schema once, and returns its declaration.
    @discardableResult
    func declare(_ target: ResolvedReference) -> TypeID {
        let key = Self.key(target)
        if let known = placed[key] { return known }
        let id = TypeID(index: types.count)
        placed[key] = id
        var declaration = TypeDeclaration(
            owner: .topLevel, rawName: ReferenceName.of(target), position: target.node.position)
        declaration.isComponent = true
        declaration.documentation = read.documentation(target.node)
        declaration.isNullable = isNullable(target.node)
        types.append(declaration)
        waiting.append((id, target))
        return id
    }

    /// Declares a name for a schema that doesn't belong to an operation.
    func declareAlias(_ name: String, _ node: Node) {
        let id = TypeID(index: types.count)
        var declaration = TypeDeclaration(owner: .topLevel, rawName: name, position: node.position)
        declaration.documentation = read.documentation(node)
        types.append(declaration)
        let use = use(node, Hint(owner: .topLevel, name: name, reserved: id))
        if use.type != .named(id) { types[id.index].kind = .alias(use.element) }
    }

    /// Reads the referenced schemas, and the schemas those refer to in turn.
    func readWaiting() {
        while !waiting.isEmpty {
            let (id, target) = waiting.removeFirst()
            inProgress = [Self.key(target)]
            depth = 0
            let hint = Hint(owner: .topLevel, name: types[id.index].rawName, reserved: id)
            let use = use(target.node, hint)
            if use.type != .named(id) {
                types[id.index].kind = .alias(use.type)
            } else if case .pending = types[id.index].kind {
                log.warn("this schema is nothing but itself; free-form JSON is used", at: target.node)
                types[id.index].kind = .alias(.json)
            }
        }
        inProgress = []
    }

    /// Returns the declaration for a schema: the reserved one, or a new one with the hint's owner and name.
    func declaration(_ node: Node, _ hint: Hint) -> TypeID {
        if let reserved = hint.reserved { return reserved }
        var declaration = TypeDeclaration(owner: hint.owner, rawName: hint.name, position: node.position)
        declaration.documentation = read.documentation(node)
        types.append(declaration)
        return TypeID(index: types.count - 1)
    }

    /// True if `null` is allowed, determined without planning the schema.
    func isNullable(_ node: Node, hops: Int = 0) -> Bool {
        guard hops < 16, node.isObject else { return false }
        if node["nullable"]?.bool == true { return true }
        if node["type"]?.elements.contains(where: { $0.text == "null" }) == true { return true }
        if node["type"]?.text == "null" { return true }
        if node["enum"]?.elements.contains(where: \.isNull) == true, node["type"]?.text == nil { return true }
        for key in ["oneOf", "anyOf"] {
            for member in node[key]?.elements ?? [] where isNull(member) { return true }
        }
        if node.reference != nil, let target = try? resolver.target(of: node) {
            return isNullable(target.node, hops: hops + 1)
        }
        return false
    }

    /// True if a schema allows only `null`.
    func isNull(_ node: Node) -> Bool {
        if node["type"]?.text == "null" { return true }
        if let values = node["enum"]?.elements, !values.isEmpty, values.allSatisfy(\.isNull) { return true }
        if let value = node["const"], value.isNull { return true }
        return false
    }
}
