#if Server
public import NetCore
public import NetOpenAPI
public import NetTesting

extension Contract.BodyRule {
    /// JSON that a schema accepts, with the JSON Schema keywords (draft 2020-12) that OpenAPI 3.1 supports. References
    /// may point within the schema: `#/$defs/Line`.
    ///
    /// The rule exists only in code; a contract file can't hold it. Throws a `Diagnostic` for a reference that can't be
    /// resolved.
    ///
    ///     var order = Contract.Expectation("order", .post, "/orders", .json(["id": 1]))
    ///     order.body = try .schema(["type": "object", "required": ["sku"], "properties": ["sku": ["type": "string"]]])
    public static func schema(_ schema: JSONValue) throws(Diagnostic) -> Contract.BodyRule {
        var text = schema.sortedBytes
        if case .object(var members) = schema {
            // The document is the schema itself, so that its references can be resolved.
            members["openapi"] = "3.1.0"
            text = JSONValue.object(members).sortedBytes
        }
        let document = try DocumentLoader().load(bytes: Array(text), name: "the schema")
        return try rule(document.root, at: SchemaPlace(file: "", pointer: ""), in: document)
    }

    /// JSON that a schema of a document accepts, by the schema's name in `components/schemas`.
    ///
    /// Throws a `Diagnostic` if the document has no such schema, or if one of the schema's references can't be
    /// resolved.
    public static func schema(_ name: String, in document: Document) throws(Diagnostic) -> Contract.BodyRule {
        guard let node = document.root["components"]?["schemas"]?[name] else {
            throw Diagnostic(
                .error, "there is no schema \"\(name)\" in components/schemas", at: document.root.position)
        }
        let place = SchemaPlace(file: "", pointer: "/components/schemas").appending(name)
        return try rule(node, at: place, in: document)
    }

    private static func rule(
        _ node: Node, at place: SchemaPlace, in document: Document
    ) throws(Diagnostic) -> Contract.BodyRule {
        let compiler = SchemaCompiler(document)
        let schema = compiler.schema(node, at: place)
        if let problem = compiler.problems.first { throw problem }
        var set = compiler.set
        set.findTypes()
        return .code(
            BodyMatcher("JSON that the schema accepts", showsDifferences: true) { [set] request in
                guard let value = try? JSONCoding.standard.decode(JSONValue.self, from: request.body) else {
                    return ["the body isn't JSON"]
                }
                return SchemaCheck.findings(value, schema, in: set, .request).map { finding in
                    "\(finding.instance.isEmpty ? "the body" : finding.instance): \(finding.message) (\(finding.schema))"
                }
            })
    }
}
#endif
