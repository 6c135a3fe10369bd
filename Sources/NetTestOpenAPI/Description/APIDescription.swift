#if Server
internal import HTTPTypes
internal import NetCore
internal import NetOpenAPI
internal import NetTesting

/// A document prepared for matching: its operations, the most literal path first, and their schemas.
struct APIDescription: Sendable {
    /// An operation that matches a request, with the values of its path parameters, still percent-encoded.
    struct Match: Sendable {
        var operation: Int
        var parameters: [String: String]
    }

    /// The result of matching a request.
    enum Route: Sendable {
        case found([Match])
        /// The path is known, with these methods.
        case otherMethods([String])
        case unknown
    }

    let operations: [OperationDescription]
    let set: SchemaSet
    /// The schemas of the components by their places.
    let components: [String: SchemaID]
    /// The base path of the first server.
    let basePath: String
    /// References that can't be resolved.
    let problems: [Diagnostic]

    init(_ document: Document) throws(Diagnostic) {
        if let error = document.diagnostics.first(where: { $0.severity == .error }) { throw error }
        let compiler = SchemaCompiler(document)
        var reader = DescriptionReader(compiler)
        reader.readAll()
        var components: [String: SchemaID] = [:]
        let place = SchemaPlace(file: "", pointer: "/components/schemas")
        for member in document.root["components"]?["schemas"]?.members ?? [] {
            let place = place.appending(member.key)
            components[place.text] = compiler.schema(member.value, at: place)
        }
        // Reads the schemas that only operations reference.
        _ = compiler.schema(Node(.object([]), at: document.root.position), at: SchemaPlace(file: "", pointer: "-"))
        operations = reader.operations
        var set = compiler.set
        set.findTypes()
        self.set = set
        self.components = components
        basePath = reader.servers.document.first ?? ""
        problems = compiler.problems
    }

    /// The operations that match a request; more than one only if their templates are equally literal.
    func route(_ request: StubRequest) -> Route {
        let path = RequestPath(request.path)
        var found: [Match] = []
        var methods: [String] = []
        var best = -1
        let query = request.queryItems
        for (index, operation) in operations.enumerated() {
            guard let parameters = Self.match(operation, path) else { continue }
            guard operation.method == request.method.rawValue else {
                methods.append(operation.method)
                continue
            }
            let isAsked = operation.fixedQuery.allSatisfy { item in
                query.contains { $0.name == item.name && (item.value == nil || $0.value == item.value) }
            }
            let weight = operation.route.weight + operation.fixedQuery.count * 1000
            guard isAsked, weight >= best else { continue }
            if weight > best { found = [] }
            best = weight
            found.append(Match(operation: index, parameters: parameters))
        }
        if !found.isEmpty { return .found(found) }
        return methods.isEmpty ? .unknown : .otherMethods(Array(Set(methods)).sorted())
    }

    private static func match(_ operation: OperationDescription, _ path: RequestPath) -> [String: String]? {
        for prefix in operation.prefixes {
            let bytes = Array(prefix.utf8)
            guard path.hasLiteral(bytes, at: 0) else { continue }
            if let parameters = operation.route.match(path, from: bytes.count) { return parameters }
        }
        return nil
    }
}
#endif
