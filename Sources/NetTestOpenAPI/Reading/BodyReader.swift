#if Server
internal import HTTPTypes
internal import NetCore
internal import NetRecord
internal import NetTesting

/// Reads a body according to its media type and schema.
struct BodyReader {
    /// A body as values to check.
    enum Content {
        /// Values with their schema; several for a sequence.
        case values([JSONValue], SchemaID)
        /// There is no schema to check the body against.
        case unchecked
        case malformed(String)
    }

    let text: TextReader

    func read(_ body: Bytes, _ contentType: String, _ media: MediaDescription) -> Content {
        let essence = MediaDescription.essence(of: contentType)
        if essence == "text/event-stream" { return events(body, media) }
        if Self.lines.contains(essence) || essence.hasSuffix("json-seq") { return sequence(body, media) }
        if essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json") {
            return json(body, media.schema)
        }
        guard let schema = media.schema else { return .unchecked }
        if essence == "application/x-www-form-urlencoded" {
            return .values([form(body, media.encoding, schema)], schema)
        }
        if essence.hasPrefix("multipart/") { return multipart(body, contentType, schema) }
        if essence.hasPrefix("text/"), !essence.hasSuffix("xml") { return plain(body, schema) }
        return .unchecked
    }

    /// Media types with one JSON value per line.
    static let lines: Set<String> = [
        "application/jsonl", "application/x-ndjson", "application/ndjson", "application/x-jsonl",
        "application/jsonlines", "application/x-jsonlines", "application/x-json-stream", "application/stream+json",
        "application/json-lines",
    ]

    private func json(_ body: Bytes, _ schema: SchemaID?) -> Content {
        do {
            let value = try JSONCoding.standard.decode(JSONValue.self, from: body)
            return schema.map { .values([value], $0) } ?? .unchecked
        } catch {
            return .malformed("the body isn't JSON")
        }
    }

    private func plain(_ body: Bytes, _ schema: SchemaID) -> Content {
        let types = text.set.types(of: schema)
        guard !types.isDisjoint(with: [.string, .number, .integer, .boolean]) else { return .unchecked }
        return .values([text.value(.text(String(decoding: body, as: UTF8.self)), schema)], schema)
    }

    private func form(
        _ body: Bytes, _ encodings: [String: MediaDescription.Encoding], _ schema: SchemaID
    ) -> JSONValue {
        let request = StubRequest(method: .get, target: "/?" + String(decoding: body, as: UTF8.self))
        let items = request.queryItems.flatMap { item -> [(path: [String], text: String)] in
            let path = FormValue.path(item.name)
            let text = item.value ?? ""
            let encoding = encodings[path[0]]
            let separators: [String: Character] = ["form": ",", "spaceDelimited": " ", "pipeDelimited": "|"]
            guard path.count == 1, let style = encoding?.style, let separator = separators[style],
                encoding?.explode ?? (style == "form") == false
            else { return [(path, text)] }
            return text.split(separator: separator).map { (path + [""], String($0)) }
        }
        return items.isEmpty ? .object([:]) : text.value(.nested(items), schema)
    }

    private func multipart(_ body: Bytes, _ contentType: String, _ schema: SchemaID) -> Content {
        guard let boundary = MultipartPart.boundary(of: contentType),
            let parts = MultipartPart.parts(of: body, boundary: boundary)
        else { return .malformed("the body has no parts with the boundary of its Content-Type") }
        guard text.set.types(of: schema).contains(.object) else { return .unchecked }
        var members: [String: [JSONValue]] = [:]
        for (place, part) in parts.enumerated() {
            guard let name = part.name else {
                // Only a form names its parts (RFC 7578 section 4.2); in other multipart types, nothing relates a part
                // to a property.
                guard MediaDescription.essence(of: contentType) == "multipart/form-data" else { return .unchecked }
                return .malformed("part \(place + 1) of the form has no name")
            }
            let rule = text.set.property(name, of: schema)
            let isList = rule.map { text.set.types(of: $0) == .array } ?? false
            let inner = isList ? rule.flatMap { text.set.element(0, of: $0) } : rule
            members[name, default: []].append(value(of: part, inner))
        }
        let pairs = members.map { name, values -> (String, JSONValue) in
            let types = text.set.property(name, of: schema).map { text.set.types(of: $0) } ?? []
            if types == .array {
                if values.count == 1, case .array = values[0] { return (name, values[0]) }
                return (name, .array(values))
            }
            return (name, values.count == 1 ? values[0] : .array(values))
        }
        return .values([.object(Dictionary(uniqueKeysWithValues: pairs))], schema)
    }

    private func value(of part: MultipartPart, _ schema: SchemaID?) -> JSONValue {
        let essence = MediaDescription.essence(of: part.headers[.contentType] ?? "text/plain")
        let string = String(decoding: part.body, as: UTF8.self)
        if essence.hasSuffix("json"), let value = try? JSONCoding.standard.decode(JSONValue.self, from: part.body) {
            return value
        }
        if essence == "application/x-www-form-urlencoded", let schema, text.set.types(of: schema).contains(.object) {
            return form(part.body, [:], schema)
        }
        guard part.filename == nil, essence == "text/plain" else { return .string(string) }
        return text.value(.text(string), schema)
    }

    private func sequence(_ body: Bytes, _ media: MediaDescription) -> Content {
        let list = media.schema.map { text.set.types(of: $0) == .array ? text.set.element(0, of: $0) : $0 } ?? nil
        guard let schema = media.itemSchema ?? list else { return .unchecked }
        var values: [JSONValue] = []
        for line in body.split(whereSeparator: { $0 == 10 || $0 == 0x1E }) {
            let line = line.filter { $0 != 13 }
            if line.allSatisfy({ $0 == 32 }) { continue }
            guard let value = try? JSONCoding.standard.decode(JSONValue.self, from: Bytes(line)) else {
                return .malformed("line \(values.count + 1) isn't JSON")
            }
            values.append(value)
        }
        return .values(values, schema)
    }

    private func events(_ body: Bytes, _ media: MediaDescription) -> Content {
        guard let schema = media.itemSchema ?? media.schema else { return .unchecked }
        let hasData = text.set.propertyNames(of: schema).contains("data")
        let element = text.set.types(of: schema) == .array ? text.set.element(0, of: schema) ?? schema : schema
        let isText = text.set.types(of: element).contains(.string)
        guard hasData || !isText else { return .unchecked }
        var (parser, input, values) = (ServerSentEventParser(), body, [JSONValue]())
        while let event = try? parser.next(from: &input) {
            if hasData, media.itemSchema != nil {
                var members: [String: JSONValue] = ["data": .string(event.data)]
                if event.event != "message" { members["event"] = .string(event.event) }
                if !event.lastEventID.isEmpty { members["id"] = .string(event.lastEventID) }
                values.append(.object(members))
            } else if event.data != "[DONE]" {
                guard let value = try? JSONCoding.standard.decode(JSONValue.self, from: Bytes(event.data.utf8)) else {
                    return .malformed("the data of event \(values.count + 1) isn't JSON")
                }
                values.append(value)
            }
        }
        return .values(values, element)
    }
}
#endif
