/// The planner of a document's operations.
final class OperationPlanner {
    static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]

    private static let paginationExtensions = [
        "x-pagination", "x-fern-pagination", "x-speakeasy-pagination", "x-ms-pageable",
    ]

    let schemas: SchemaPlanner
    let root: Node
    /// The servers of the document, and of the paths and operations that declare their own.
    let servers: ServerReader
    private let filter: DocumentFilter
    /// The number of operations the filter admits, including those that are omitted as invalid.
    private(set) var foundCount = 0
    var operations: [OperationModel] = []
    /// The links that wait until all operations are known.
    var waitingLinks: [WaitingLink] = []
    private var identifiers: Set<String> = []

    /// True if the filter excludes no operation.
    var isEverything: Bool { filter.isEverything }
    var resolver: ReferenceResolver { schemas.resolver }
    var log: DiagnosticLog { schemas.log }
    var read: KeywordReader { schemas.read }

    init(schemas: SchemaPlanner, root: Node, filter: DocumentFilter) {
        self.schemas = schemas
        self.root = root
        servers = ServerReader(root, read: schemas.read)
        self.filter = filter
    }

    /// Reads every operation under `paths`, with the paths in document order.
    func readAll() {
        for path in read.members(root, "paths") where !path.key.hasPrefix("x-") {
            guard let item = resolved(path.value) else { continue }
            guard item.isObject else {
                log.warn("the path '\(path.key)' should be an object; it has no operations", at: path.value)
                continue
            }
            for method in Self.methods {
                guard let operation = item[method] else { continue }
                add(operation, method: method.uppercased(), path: path.key, item: item)
            }
            for operation in read.members(item, "additionalOperations") {
                add(operation.value, method: operation.key, path: path.key, item: item)
            }
        }
    }

    private func add(_ entry: Node, method: String, path: String, item: Node) {
        let tags = (entry["tags"]?.elements ?? []).compactMap(\.text)
        guard filter.admits(identifier: entry["operationId"]?.text, method: method, path: path, tags: tags) else {
            return
        }
        foundCount += 1
        guard let node = resolved(entry) else { return }
        guard node.isObject else {
            log.warn("the operation \(method) \(path) should be an object; it is omitted", at: node)
            return
        }
        guard HTTPToken.isValid(method) else {
            log.warn("'\(method)' isn't an HTTP method; the operation is omitted", at: node)
            return
        }
        let index = operations.count
        var documentation = read.documentation(node, summaryKey: "summary")
        documentation.summary = documentation.summary ?? read.text(item, "summary")
        let template = PathPattern(path)
        var operation = OperationModel(
            identifier: identifier(node, method, path), operationID: read.text(node, "operationId"), method: method,
            path: path, pathParts: [], fixedQuery: template.query, parameters: [], body: nil, successes: [],
            failures: [], tags: read.texts(node, "tags"), servers: servers.servers(of: node, item: item),
            security: security(node), documentation: documentation, position: node.position)
        operation.paginationExtension = node.members.first { Self.paginationExtensions.contains($0.key) }
        if template.hasFragment { log.warn("a path has no fragment; what follows '#' is not sent", at: node) }
        operation.parameters = parameters(of: node, item: item, operation: index)
        operation.pathParts = pathParts(template, &operation.parameters, node)
        operation.body = body(of: node, operation: index)
        let responses = responses(of: node, operation: index)
        operation.successes = responses.successes
        operation.failures = responses.failures
        readCallbacks(of: node, identifier: operation.identifier)
        operations.append(operation)
    }

    /// Returns the `operationId`, or an identifier made from the method and path if it is missing. A duplicate gets a
    /// number.
    private func identifier(_ node: Node, _ method: String, _ path: String) -> String {
        let given = read.text(node, "operationId").flatMap { $0.isEmpty ? nil : $0 }
        var identifier = given ?? PathPattern(path).identifier(method: method)
        if given == nil { log.note("no operationId; the operation is called '\(identifier)'", at: node) }
        if !identifiers.insert(identifier).inserted {
            let first = identifier
            var number = 2
            while !identifiers.insert("\(first) \(number)").inserted { number += 1 }
            identifier = "\(first) \(number)"
            log.warn(
                "the operationId '\(first)' is taken; this operation is called '\(identifier)'",
                at: node["operationId"] ?? node)
        }
        return identifier
    }

    private func security(_ node: Node) -> [[OperationModel.SecurityRequirement]]? {
        let requirements = read.list(node, "security") ?? read.list(root, "security")
        let declared = root["components"]?["securitySchemes"]
        return requirements?.map { requirement in
            requirement.members.map { member in
                if declared?[member.key] == nil {
                    log.warn("no security scheme is called '\(member.key)'", at: member.value)
                }
                return OperationModel.SecurityRequirement(
                    scheme: member.key, scopes: member.value.elements.compactMap(\.text))
            }
        }
    }

    /// Returns the examples of a media type.
    func examples(of media: Node) -> [ExampleModel] {
        var examples = media["example"].map { [ExampleModel(name: nil, value: $0)] } ?? []
        for member in media["examples"]?.members ?? [] {
            guard let value = (try? resolver.resolve(member.value))?["value"] else { continue }
            examples.append(ExampleModel(name: member.key, value: value))
        }
        return examples
    }

    /// Returns the owner and name for types that a parameter, body or response declares inline.
    ///
    /// The owner is the operation, with an empty name; for an entry that is a reference, it is the top level, with the
    /// name of the component.
    func home(of entry: Node, _ operation: Int, suffix: String = "") -> SchemaPlanner.Hint {
        guard entry.reference != nil else { return SchemaPlanner.Hint(owner: .operation(operation), name: "") }
        let name = ReferenceName.last(entry)
        let isSaid = suffix.isEmpty || name.lowercased().hasSuffix(suffix.lowercased())
        return SchemaPlanner.Hint(owner: .topLevel, name: isSaid ? name : "\(name) \(suffix)")
    }

    /// Returns a node with its references resolved; nil, with a warning, if one of them can't be resolved.
    func resolved(_ node: Node) -> Node? {
        do throws(Diagnostic) {
            return try resolver.resolve(node)
        } catch {
            log.add(Diagnostic(.warning, "\(error.message); it is omitted", at: error.position))
            return nil
        }
    }
}

/// The tokens that HTTP allows as methods and header names (RFC 9110 section 5.6.2).
enum HTTPToken {
    private static let symbols = Set("!#$%&'*+-.^_`|~".utf8)

    static func isValid(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (byte >= 48 && byte <= 57) || (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122)
                    || symbols.contains(byte)
            }
    }
}
