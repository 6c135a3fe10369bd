#if DEBUG
@testable import NetOpenAPI

extension SampleEmitter {
    /// Returns one line of JSON per operation: how to recognize the call, its required parts, and the response.
    func table() -> String {
        context.model.operations.indices.map { row(operations.item($0)) }.joined(separator: "\n") + "\n"
    }

    private func row(_ item: OperationEmitter.Item) -> String {
        let operation = item.model
        let parts = operation.pathParts.map { part in
            switch part {
            case .literal(let text): "[\"literal\",\(SampleValues.json(text))]"
            case .parameter(let place): "[\"parameter\",\(SampleValues.json(operation.parameters[place].name))]"
            }
        }
        let members = [
            ("operation", SampleValues.json(operation.identifier)), ("method", SampleValues.json(operation.method)),
            ("path", "[\(parts.joined(separator: ","))]"), ("query", query(operation)),
            ("headers", names(operation, .header)), ("cookies", names(operation, .cookie)),
            ("body", body(operation)), ("answer", answer(item)),
        ]
        return "{\(members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ","))}"
    }

    private func names(_ operation: OperationModel, _ location: ParameterModel.Location) -> String {
        let shown = operation.parameters.filter {
            $0.location == location && (location == .header || !$0.explode || isPlain($0.type))
        }
        let names = shown.map { SampleValues.json($0.name) }
        return "[\(names.joined(separator: ","))]"
    }

    /// Returns the query parameters that are sent under their own names; members of an exploded object aren't.
    private func query(_ operation: OperationModel) -> String {
        let names = operation.parameters.filter { parameter in
            guard parameter.location == .query, !parameter.name.isEmpty else { return false }
            return parameter.isJSON || isPlain(parameter.type)
        }
        return "[\(names.map { SampleValues.json($0.name) }.joined(separator: ","))]"
    }

    private func isPlain(_ type: TypeReference) -> Bool {
        switch context.model.unaliased(type) {
        case .scalar(.json), .dictionary: return false
        case .scalar: return true
        case .array(let element): return isPlain(element)
        case .optional(let inner): return isPlain(inner)
        case .named(let id):
            if case .enumeration = context.model[id].kind { return true }
            return false
        }
    }

    private func body(_ operation: OperationModel) -> String {
        guard let body = operation.body else { return "null" }
        let kind: String
        var parts: [String] = []
        var value = "null"
        switch body.kind {
        case .json(let type):
            kind = "json"
            value = values.value(type).json
        case .form: kind = "form"
        case .multipart(let declared):
            kind = "multipart"
            parts = declared.map(\.name)
        case .text: kind = "text"
        case .raw: kind = "raw"
        }
        let type = body.contentType.map(SampleValues.json) ?? "null"
        let names = parts.map(SampleValues.json).joined(separator: ",")
        return "{\"kind\":\"\(kind)\",\"contentType\":\(type),\"parts\":[\(names)],\"value\":\(value)}"
    }

    private func answer(_ item: OperationEmitter.Item) -> String {
        guard let response = item.model.successes.first else {
            return "{\"status\":204,\"contentType\":null,\"body\":\"\"}"
        }
        let hasBody = item.model.method != "HEAD"
        let type = response.contentType.map { $0.contains("*") ? "application/octet-stream" : $0 }
        let body = hasBody ? sample(response.content).json : ""
        return """
            {"status":\(response.status.sampleCode),"contentType":\(type.map(SampleValues.json) ?? "null"),\
            "body":\(SampleValues.json(body))}
            """
    }
}
#endif
