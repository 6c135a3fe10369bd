#if Server
public import HTTPTypes
public import NetCore
public import NetOpenAPI
public import NetTesting

/// Says where requests and responses are not what an OpenAPI document says.
///
///     let validator = try OpenAPIValidator(DocumentLoader().load(path: "openapi.yaml"))
///     for request in server.journal.requests {
///         for finding in validator.findings(in: request) { print(finding) }
///     }
///
/// JSON, forms, multipart forms, text, server-sent events and sequences of JSON are compared with their schemas; of other
/// bodies only the media type is. A body with a `Content-Encoding` is not looked into. What a document does not name, an
/// extra query item for example, is no fault. Security is not checked.
///
/// Schemas are those of JSON Schema 2020-12 with the keywords of OpenAPI 3.0; `format` is checked for dates, times, UUIDs,
/// addresses, `byte` and whole numbers from `int8` to `uint64`. A pattern is matched in time that grows with its length and
/// the text's; one with lookbehind or references back is not checked, nor is a reference that leads nowhere
/// (``problems``). A union with a discriminator is checked as the kind that the discriminator names. Work is bounded; a
/// value that is too large to be checked whole is a finding.
public struct OpenAPIValidator: Sendable {
    /// How many findings of one value are kept.
    static let maximumFindings = 100
    /// How many comparisons of a part with a schema one value may take.
    static let maximumSteps = 2_000_000
    /// How many steps a pattern may have when its repetitions are written out.
    static let maximumPatternSteps = Pattern.maximumSteps

    let description: APIDescription

    /// Reads the operations and schemas of a document.
    ///
    /// - Throws: The document's first error, where it has one.
    public init(_ document: Document) throws(Diagnostic) {
        description = try APIDescription(document)
    }

    /// References that lead nowhere: what they stand for is not checked.
    public var problems: [Diagnostic] { description.problems }

    /// The operations, `GET /pets/{id}`, those with the most literal paths first.
    public var operations: [String] { description.operations.map(\.name) }

    /// The path of the first server's URL, without a slash at its end: what stands before the paths.
    public var basePath: String { description.basePath }

    /// The operation that a request is meant for, `GET /pets/{id}`; nil where there is none.
    public func operation(for request: StubRequest) -> String? {
        checked(request).operation.map { description.operations[$0].name }
    }

    /// What is wrong with a request; empty where it is what the document says.
    public func findings(in request: StubRequest) -> [OpenAPIFinding] {
        checked(request).findings
    }

    /// What is wrong with a response to a request; empty where it is what the document says, and where no operation has
    /// the request's path and method.
    public func findings(
        in status: HTTPResponse.Status, headers: HTTPFields, body: Bytes, to request: StubRequest
    ) -> [OpenAPIFinding] {
        guard let operation = checked(request).operation else { return [] }
        let check = ResponseValidation(description: description, operation: description.operations[operation])
        return check.findings(status.code, headers, body, isHead: request.method == .head)
    }

    /// What is wrong with a value that should be what a component's schema says, by its name.
    ///
    /// - Parameter isRequest: Whether the value is sent; what is `readOnly` need not be sent, what is `writeOnly` need not
    ///   be received.
    /// - Returns: nil where the document has no such schema.
    public func findings(in value: JSONValue, component name: String, isRequest: Bool = false) -> [OpenAPIFinding]? {
        let place = SchemaPlace(file: "", pointer: "/components/schemas").appending(name).text
        guard let schema = description.components[place] else { return nil }
        let found = SchemaCheck.findings(value, schema, in: description.set, isRequest ? .request : .response)
        return found.map { finding in
            OpenAPIFinding(
                isRequest ? .requestBody : .responseBody, part: name, instance: finding.instance,
                schema: finding.schema, message: finding.message)
        }
    }

    /// A value that a component's schema accepts, by its name: the document's example where that is right, else a made one.
    /// Equal seeds make equal values.
    ///
    /// - Parameters:
    ///   - name: The component's name.
    ///   - seed: What a made value follows from. Default 0.
    ///   - isRequest: Whether the value is to be sent, without what is `readOnly`; else it is without what is `writeOnly`.
    /// - Returns: nil where the document has no such schema, and where no value was found that it accepts.
    public func sample(ofComponent name: String, seed: UInt64 = 0, isRequest: Bool = false) -> JSONValue? {
        let place = SchemaPlace(file: "", pointer: "/components/schemas").appending(name).text
        guard let schema = description.components[place] else { return nil }
        let direction: BodyDirection = isRequest ? .request : .response
        let sampler = ValueSampler(
            set: description.set, random: SampleRandom(seed: seed, name: place), direction: direction)
        guard let value = sampler.value(schema), SchemaCheck.accepts(value, schema, in: description.set, direction)
        else { return nil }
        return value
    }

    /// The operation a request is meant for, and what is wrong with it. Of several that are equally near, the one with
    /// the fewest faults is meant.
    func checked(_ request: StubRequest) -> (operation: Int?, findings: [OpenAPIFinding]) {
        switch description.route(request) {
        case .unknown:
            let shown = request.path.prefix(100)
            return (nil, [OpenAPIFinding(.path, part: "path", message: "no operation has the path \(shown)")])
        case .otherMethods(let methods):
            let message =
                "\(request.path.prefix(100)) has no \(request.method.rawValue), only \(methods.joined(separator: ", "))"
            return (nil, [OpenAPIFinding(.method, part: "method", message: message)])
        case .found(let matches):
            var best: (operation: Int?, findings: [OpenAPIFinding]) = (nil, [])
            for match in matches {
                let check = RequestValidation(
                    description: description, operation: description.operations[match.operation], request: request,
                    path: match.parameters)
                let findings = check.findings()
                if best.operation == nil || findings.count < best.findings.count { best = (match.operation, findings) }
                if findings.isEmpty { break }
            }
            return best
        }
    }
}
#endif
