#if Server
public import HTTPTypes
public import NetCore
public import NetOpenAPI
public import NetTesting

/// Reports where requests and responses don't conform to an OpenAPI document.
///
///     let validator = try OpenAPIValidator(DocumentLoader().load(path: "openapi.yaml"))
///     for request in server.journal.requests {
///         for finding in validator.findings(in: request) { print(finding) }
///     }
///
/// JSON, forms, multipart forms, text, server-sent events and sequences of JSON are checked against their schemas. For
/// other bodies, only the media type is checked. A body with a `Content-Encoding` isn't inspected. Anything that the
/// document doesn't name, such as an extra query item, is allowed. Security isn't checked.
///
/// Schemas support JSON Schema 2020-12 and the keywords of OpenAPI 3.0. `format` is checked for dates, times, UUIDs,
/// addresses, `byte` and whole numbers from `int8` to `uint64`. The time to match a pattern grows with the lengths of
/// the pattern and the text; patterns with lookbehind or back-references aren't checked. References that can't be
/// resolved (``problems``) aren't checked either. A union with a discriminator is checked as the kind that the
/// discriminator names. The work is bounded; a value that is too large to be checked completely is reported as a
/// finding.
public struct OpenAPIValidator: Sendable {
    /// The maximum number of findings that are kept for one value.
    static let maximumFindings = 100
    /// The maximum number of comparisons of a part with a schema for one value.
    static let maximumSteps = 2_000_000
    /// The maximum number of steps of a pattern, with its repetitions expanded.
    static let maximumPatternSteps = Pattern.maximumSteps

    let description: APIDescription

    /// Reads the operations and schemas of a document.
    ///
    /// - Throws: The document's first error, if it has one.
    public init(_ document: Document) throws(Diagnostic) {
        description = try APIDescription(document)
    }

    /// References that can't be resolved; they aren't checked.
    public var problems: [Diagnostic] { description.problems }

    /// The operations, `GET /pets/{id}`, the most literal paths first.
    public var operations: [String] { description.operations.map(\.name) }

    /// The path of the first server's URL, without a trailing slash: the prefix of the document's paths.
    public var basePath: String { description.basePath }

    /// The operation that a request matches, `GET /pets/{id}`; nil if there is none.
    public func operation(for request: StubRequest) -> String? {
        checked(request).operation.map { description.operations[$0].name }
    }

    /// Returns the errors in a request; empty if it conforms to the document.
    public func findings(in request: StubRequest) -> [OpenAPIFinding] {
        checked(request).findings
    }

    /// Returns the errors in a response to a request; empty if the response conforms to the document, or if no
    /// operation has the request's path and method.
    public func findings(
        in status: HTTPResponse.Status, headers: HTTPFields, body: Bytes, to request: StubRequest
    ) -> [OpenAPIFinding] {
        guard let operation = checked(request).operation else { return [] }
        let check = ResponseValidation(description: description, operation: description.operations[operation])
        return check.findings(status.code, headers, body, isHead: request.method == .head)
    }

    /// Checks a value against the schema of a component, given by its name, and returns the errors.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The name of the component's schema.
    ///   - isRequest: True if the value is sent, in which case `readOnly` members need not be present. Otherwise
    ///     `writeOnly` members need not be present.
    /// - Returns: nil if the document has no such schema.
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

    /// Returns a value that a component's schema accepts, given the component's name: the document's example if it is
    /// valid, otherwise a generated value. Equal seeds generate equal values.
    ///
    /// - Parameters:
    ///   - name: The component's name.
    ///   - seed: The seed of generated values. Default 0.
    ///   - isRequest: True for a value to be sent, without `readOnly` members; otherwise the value has no `writeOnly`
    ///     members.
    /// - Returns: nil if the document has no such schema, or if no valid value was found.
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

    /// The operation that a request matches, and the errors in the request. If several operations match equally well,
    /// the one with the fewest errors is chosen.
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
