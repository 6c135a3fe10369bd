/// Reports the keywords of a document that have no effect on the generated code: unknown ones, and those that aren't
/// used.
struct KeywordCheck {
    /// The maximum number of warnings about one keyword of one kind of object; the last one gives the number of the
    /// others.
    static let limit = 20

    /// The path component for the contents of an event stream.
    private static let events = "itemSchema"

    private struct Key: Hashable {
        let object: SpecificationObject
        let keyword: String
    }

    private struct Finding {
        var message: String
        var position: SourcePosition
    }

    private let resolver: ReferenceResolver
    private let filter: DocumentFilter
    private var waiting: [(node: Node, object: SpecificationObject, path: String)] = []
    private var visited: Set<SourcePosition> = []
    private var order: [Key] = []
    private var findings: [Key: [Finding]] = [:]
    private var constraints: [String: (count: Int, first: SourcePosition)] = [:]
    private var constraintOrder: [String] = []

    private init(_ resolver: ReferenceResolver, _ filter: DocumentFilter) {
        self.resolver = resolver
        self.filter = filter
    }

    /// Reports on everything that the filter admits, in document order for each keyword.
    static func run(_ root: Node, _ resolver: ReferenceResolver, filter: DocumentFilter, log: DiagnosticLog) {
        var check = KeywordCheck(resolver, filter)
        check.walk(root)
        check.report(to: log)
    }

    private mutating func walk(_ root: Node) {
        waiting = [(root, .openAPI, "")]
        var next = 0
        while next < waiting.count {
            let part = waiting[next]
            next += 1
            visit(part.node, part.object, path: part.path)
        }
    }

    private mutating func visit(_ node: Node, _ object: SpecificationObject, path: String) {
        guard node.isObject, visited.insert(node.position).inserted else { return }
        let isReference = node.reference != nil
        if isReference, let target = try? resolver.target(of: node) { waiting.append((target.node, object, path)) }
        for member in node.members where !member.key.hasPrefix("x-") {
            if isReference, object.allowsReference {
                if !["$ref", "summary", "description"].contains(member.key) {
                    find(member, object, "'\(member.key)' beside '$ref' is ignored")
                }
                continue
            }
            visit(member, of: object, path: path)
        }
    }

    private mutating func visit(_ member: Node.Member, of object: SpecificationObject, path: String) {
        guard let use = object.use(of: member.key) else {
            find(member, object, "'\(member.key)' isn't a keyword of \(object.words); it is ignored")
            return
        }
        if object == .schema, path != Self.events, holdsOtherContent(member) {
            find(member, object, "'\(member.key)' is not used; the content of the text isn't decoded")
        }
        switch use {
        case .used, .documentation: break
        case .constraint:
            if constraints[member.key] == nil { constraintOrder.append(member.key) }
            constraints[member.key, default: (0, member.keyPosition)].count += 1
        case .unused(let reason): find(member, object, "'\(member.key)' is not used; \(reason)")
        case .object(let inner):
            guard inner != .operation || admits(member.value, method: member.key, path: path) else { return }
            let isEvents = member.key == "itemSchema"
            waiting.append((member.value, inner, object == .paths ? member.key : isEvents ? Self.events : path))
        case .list(let inner):
            for element in member.value.elements { waiting.append((element, inner, path)) }
        case .map(let inner):
            for entry in member.value.members where !entry.key.hasPrefix("x-") || inner == .schema {
                if object == .components, !admits(component: entry.key, inner) { continue }
                guard inner != .operation || admits(entry.value, method: entry.key, path: path) else { continue }
                waiting.append((entry.value, inner, path))
            }
        }
    }

    /// Returns true for keywords about JSON inside text, which is decoded only in the data of events.
    private func holdsOtherContent(_ member: Node.Member) -> Bool {
        switch member.key {
        case "contentSchema": true
        case "contentMediaType": member.value.text.map { ContentType($0).isJSON } ?? false
        default: false
        }
    }

    private func admits(_ operation: Node, method: String, path: String) -> Bool {
        let tags = (operation["tags"]?.elements ?? []).compactMap(\.text)
        return filter.admits(
            identifier: operation["operationId"]?.text, method: method.uppercased(), path: path, tags: tags)
    }

    /// Returns true if a component counts: if there is a filter, only those that operations lead to.
    private func admits(component name: String, _ object: SpecificationObject) -> Bool {
        filter.isEverything || (object == .schema && filter.admits(schema: name))
    }

    private mutating func find(_ member: Node.Member, _ object: SpecificationObject, _ message: String) {
        let key = Key(object: object, keyword: member.key)
        if findings[key] == nil { order.append(key) }
        findings[key, default: []].append(Finding(message: message, position: member.keyPosition))
    }

    private func report(to log: DiagnosticLog) {
        for key in order {
            let all = findings[key] ?? []
            for (place, finding) in all.prefix(Self.limit).enumerated() {
                let rest = place == Self.limit - 1 && all.count > Self.limit ? all.count - Self.limit : 0
                let more = rest > 0 ? " (and in \(rest) more place\(rest == 1 ? "" : "s"))" : ""
                log.add(Diagnostic(.warning, finding.message + more, at: finding.position))
            }
        }
        for keyword in constraintOrder {
            guard let constraint = constraints[keyword] else { continue }
            let rest = constraint.count - 1
            let places = rest == 0 ? "" : ", here and in \(rest) more place\(rest == 1 ? "" : "s")"
            log.add(
                Diagnostic(
                    .note, "'\(keyword)' is not checked by generated code\(places); NetTestOpenAPI checks it",
                    at: constraint.first))
        }
    }
}
