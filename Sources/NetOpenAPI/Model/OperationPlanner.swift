/// Reads the operations of a document.
final class OperationPlanner {
    private static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]

    let schemas: SchemaPlanner
    let root: Node
    var operations: [OperationModel] = []
    private var identifiers: Set<String> = []

    var resolver: ReferenceResolver { schemas.resolver }
    var log: DiagnosticLog { schemas.log }
    var read: KeywordReader { schemas.read }

    init(schemas: SchemaPlanner, root: Node) {
        self.schemas = schemas
        self.root = root
    }

    /// Reads every operation below `paths`, in the document's order of paths.
    func readAll() {
        for path in read.members(root, "paths") where !path.key.hasPrefix("x-") {
            guard let item = resolved(path.value) else { continue }
            guard item.isObject else {
                log.warn("the path '\(path.key)' should be an object; it has no operations", at: path.value)
                continue
            }
            for method in Self.methods {
                guard let operation = item[method], let node = resolved(operation) else { continue }
                add(node, method: method.uppercased(), path: path.key, item: item)
            }
            for operation in read.members(item, "additionalOperations") {
                guard let node = resolved(operation.value) else { continue }
                add(node, method: operation.key, path: path.key, item: item)
            }
        }
        noteIgnored()
    }

    private func noteIgnored() {
        let webhooks = read.members(root, "webhooks").count
        if webhooks > 0 {
            log.note("\(webhooks) webhooks are calls to you; no request types are made for them", at: root["webhooks"])
        }
    }

    private func add(_ node: Node, method: String, path: String, item: Node) {
        guard node.isObject else {
            log.warn("the operation \(method) \(path) should be an object; it is left out", at: node)
            return
        }
        guard HTTPToken.isValid(method) else {
            log.warn("'\(method)' is no HTTP method; the operation is left out", at: node)
            return
        }
        let index = operations.count
        var documentation = read.documentation(node, summaryKey: "summary")
        documentation.summary = documentation.summary ?? read.text(item, "summary")
        let template = PathTemplate(path)
        var operation = OperationModel(
            identifier: identifier(node, method, path), operationID: read.text(node, "operationId"), method: method,
            path: path, pathParts: [], fixedQuery: template.query, parameters: [], body: nil, successes: [],
            failures: [],
            tags: read.texts(node, "tags"), security: security(node), documentation: documentation,
            position: node.position)
        if template.hasFragment { log.warn("a path has no fragment; what follows '#' is not sent", at: node) }
        operation.parameters = parameters(of: node, item: item, operation: index)
        operation.pathParts = pathParts(template, &operation.parameters, node)
        operation.body = body(of: node, operation: index)
        let responses = responses(of: node, operation: index)
        operation.successes = responses.successes
        operation.failures = responses.failures
        if node["callbacks"]?.members.isEmpty == false {
            log.note("callbacks are calls to you; no request types are made for them", at: node["callbacks"])
        }
        operations.append(operation)
    }

    /// The operation's own identifier; made of the method and path where it is missing.
    private func identifier(_ node: Node, _ method: String, _ path: String) -> String {
        let given = read.text(node, "operationId").flatMap { $0.isEmpty ? nil : $0 }
        var identifier = given ?? PathTemplate(path).identifier(method: method)
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

    private func security(_ node: Node) -> [[OperationModel.SecurityRequirement]] {
        let requirements = read.list(node, "security") ?? read.list(root, "security") ?? []
        return requirements.map { requirement in
            requirement.members.map { member in
                OperationModel.SecurityRequirement(scheme: member.key, scopes: member.value.elements.compactMap(\.text))
            }
        }
    }

    /// A node with its references followed; nil, with a warning, where one leads nowhere.
    func resolved(_ node: Node) -> Node? {
        do throws(Diagnostic) {
            return try resolver.resolve(node)
        } catch {
            log.add(Diagnostic(.warning, "\(error.message); it is left out", at: error.position))
            return nil
        }
    }
}

/// Names that HTTP allows for methods and fields (RFC 9110 section 5.6.2).
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
