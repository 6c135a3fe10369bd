#if Server
internal import HTTPTypes
internal import NetCore
internal import NetTesting

/// Compares one response with the responses that an operation declares.
struct ResponseValidation {
    let description: APIDescription
    let operation: OperationDescription

    private var text: TextReader { TextReader(set: description.set, direction: .response) }

    func findings(_ status: Int, _ headers: HTTPFields, _ body: Bytes, isHead: Bool) -> [OpenAPIFinding] {
        guard let response = operation.response(for: status) else {
            let place = operation.place.appending("responses")
            return [finding(.status, "status", place, "the status \(status) is not declared")]
        }
        let isBare = isHead || status == 204 || status == 205 || status == 304 || status < 200
        return response.headers.flatMap { header($0, headers) }
            + (isBare ? [] : bodyFindings(response, headers, body))
    }

    private func header(_ header: ParameterDescription, _ headers: HTTPFields) -> [OpenAPIFinding] {
        let part = "header \(header.name)"
        guard let name = HTTPField.Name(header.name) else { return [] }
        let values = headers[values: name]
        guard !values.isEmpty else {
            guard header.isRequired else { return [] }
            return [finding(.responseField, part, header.place, "the field is required and missing")]
        }
        // Each Set-Cookie is a separate field, and a comma in it isn't a separator.
        if name == .setCookie { return [] }
        let request = StubRequest(method: .get, target: "/")
        let reader = ParameterReader(text: text, request: request, path: [:], queryNames: [])
        switch reader.inField(header, values.joined(separator: ",")) {
        case .absent: return []
        case .malformed(let message): return [finding(.responseField, part, header.place, message)]
        case .value(let value):
            guard let schema = header.schema ?? header.content?.schema else { return [] }
            return SchemaCheck.findings(value, schema, in: description.set, .response, name: header.name).map {
                finding(.responseField, part, $0)
            }
        }
    }

    private func bodyFindings(
        _ response: ResponseDescription, _ headers: HTTPFields, _ body: Bytes
    ) -> [OpenAPIFinding] {
        guard !response.content.isEmpty else { return [] }
        let declared = response.content.map(\.text).joined(separator: ", ")
        guard let type = headers[.contentType] else {
            let message = body.isEmpty ? "the body is missing" : "Content-Type is missing; declared: \(declared)"
            return [finding(body.isEmpty ? .responseBody : .responseType, "body", response.place, message)]
        }
        let essence = MediaDescription.essence(of: type)
        let best = response.content.map { ($0, $0.fit(essence)) }.filter { $0.1 > 0 }.max { $0.1 < $1.1 }
        guard let (media, _) = best else {
            return [finding(.responseType, "body", response.place, "\(essence) is not declared, only \(declared)")]
        }
        guard (headers[.contentEncoding]?.lowercased() ?? "identity") == "identity" else { return [] }
        switch BodyReader(text: text).read(body, type, media) {
        case .unchecked: return []
        case .malformed(let message): return [finding(.responseBody, "body", media.place, message)]
        case .values(let values, let schema):
            return values.flatMap { SchemaCheck.findings($0, schema, in: description.set, .response) }.map {
                finding(.responseBody, "body", $0)
            }
        }
    }

    private func finding(_ kind: OpenAPIFinding.Kind, _ part: String, _ found: SchemaFinding) -> OpenAPIFinding {
        OpenAPIFinding(
            kind, operation: operation.name, part: part, instance: found.instance, schema: found.schema,
            message: found.message)
    }

    private func finding(
        _ kind: OpenAPIFinding.Kind, _ part: String, _ place: SchemaPlace, _ message: String
    ) -> OpenAPIFinding {
        OpenAPIFinding(kind, operation: operation.name, part: part, schema: place.text, message: message)
    }
}
#endif
