#if Server
internal import HTTPTypes
internal import NetCore
internal import NetTesting

/// Compares one request with one operation.
struct RequestValidation {
    let description: APIDescription
    let operation: OperationDescription
    let request: StubRequest
    /// The path parameters' values, still percent-encoded.
    let path: [String: String]

    private var text: TextReader { TextReader(set: description.set, direction: .request) }

    func findings() -> [OpenAPIFinding] {
        let names = Set(operation.parameters.filter { $0.location == .query }.map(\.name))
        let reader = ParameterReader(text: text, request: request, path: path, queryNames: names)
        return operation.parameters.flatMap { parameter($0, reader.read($0)) } + bodyFindings()
    }

    private func parameter(_ parameter: ParameterDescription, _ found: ParameterReader.Found) -> [OpenAPIFinding] {
        let part = "\(parameter.location.rawValue) \(parameter.name)"
        switch found {
        case .absent:
            guard parameter.isRequired else { return [] }
            return [finding(.parameter, part, parameter.place, "the parameter is required and missing")]
        case .malformed(let message): return [finding(.parameter, part, parameter.place, message)]
        case .value(let value):
            guard let schema = parameter.schema ?? parameter.content?.schema else { return [] }
            return SchemaCheck.findings(
                value, schema, in: description.set, .request, name: parameter.name
            ).map { found in
                OpenAPIFinding(
                    .parameter, operation: operation.name, part: part, instance: found.instance, schema: found.schema,
                    message: found.message)
            }
        }
    }

    private func bodyFindings() -> [OpenAPIFinding] {
        guard let body = operation.body, !body.content.isEmpty else { return [] }
        let type = request.headers[.contentType]
        guard !request.body.isEmpty || type != nil else {
            guard body.isRequired else { return [] }
            return [finding(.requestBody, "body", body.place, "the body is required and missing")]
        }
        let declared = body.content.map(\.text).joined(separator: ", ")
        guard let type else {
            return [finding(.requestType, "body", body.place, "Content-Type is missing; declared: \(declared)")]
        }
        let essence = MediaDescription.essence(of: type)
        let best = body.content.map { ($0, $0.fit(essence)) }.filter { $0.1 > 0 }.max { $0.1 < $1.1 }
        guard let (media, _) = best else {
            return [finding(.requestType, "body", body.place, "\(essence) is not declared, only \(declared)")]
        }
        let coding = request.headers[.contentEncoding]?.lowercased() ?? "identity"
        guard coding == "identity" else { return [] }
        let parts = partFindings(type, media)
        switch BodyReader(text: text).read(request.body, type, media) {
        case .unchecked: return parts
        case .malformed(let message): return [finding(.requestBody, "body", media.place, message)]
        case .values(let values, let schema):
            return parts
                + values.flatMap { SchemaCheck.findings($0, schema, in: description.set, .request) }.map { found in
                    OpenAPIFinding(
                        .requestBody, operation: operation.name, part: "body", instance: found.instance,
                        schema: found.schema, message: found.message)
                }
        }
    }

    /// Checks the media types of a form's parts against their encodings (OpenAPI, Encoding Object).
    private func partFindings(_ type: String, _ media: MediaDescription) -> [OpenAPIFinding] {
        guard media.encoding.values.contains(where: { $0.contentType != nil }),
            let boundary = MultipartPart.boundary(of: type),
            let parts = MultipartPart.parts(of: request.body, boundary: boundary)
        else { return [] }
        return parts.compactMap { part in
            guard let name = part.name, let declared = media.encoding[name]?.contentType else { return nil }
            let essence = MediaDescription.essence(of: part.headers[.contentType] ?? "text/plain")
            let isDeclared = declared.split(separator: ",").contains { text in
                MediaDescription(text: "", essence: MediaDescription.essence(of: String(text)), place: media.place)
                    .fit(essence) > 0
            }
            if isDeclared { return nil }
            return finding(
                .requestType, "body", media.place, "the part '\(name)' is \(essence); its encoding declares \(declared)"
            )
        }
    }

    private func finding(
        _ kind: OpenAPIFinding.Kind, _ part: String, _ place: SchemaPlace, _ message: String
    ) -> OpenAPIFinding {
        OpenAPIFinding(kind, operation: operation.name, part: part, schema: place.text, message: message)
    }
}
#endif
