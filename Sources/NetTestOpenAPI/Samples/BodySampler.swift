#if Server
internal import HTTPTypes
internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Generates a body of one media type.
struct BodySampler {
    let values: ValueSampler
    let media: MediaDescription

    /// The value of `Content-Type`; for a range, one media type of that range.
    var contentType: String {
        switch media.essence {
        case "*/*", "*", "application/*":
            let types = media.schema.map { values.set.types(of: $0) } ?? []
            return types.isDisjoint(with: [.object, .array]) || isBinary
                ? "application/octet-stream" : "application/json"
        case "text/*": return "text/plain"
        case "image/*": return "image/png"
        case "multipart/form-data": return "multipart/form-data; boundary=\(Self.boundary)"
        default:
            let parts = media.essence.split(separator: "/")
            if parts.count == 2, parts[1] == "*" { return "\(parts[0])/octet-stream" }
            return media.text.utf8.allSatisfy { $0 >= 32 && $0 < 127 } ? media.text : "application/octet-stream"
        }
    }

    func bytes() -> Bytes {
        let essence = MediaDescription.essence(of: contentType)
        if essence == "text/event-stream" { return Bytes(events().utf8) }
        if essence.hasSuffix("json-seq") { return sequence(before: "\u{1E}") }
        if BodyReader.lines.contains(essence) { return sequence(before: "") }
        if essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json") {
            return value().map { Bytes(Self.json($0)) } ?? Bytes("{}".utf8)
        }
        if let text = media.samples.first?.stringValue { return Bytes(text.utf8) }
        if essence.hasSuffix("xml") { return Bytes("<sample/>".utf8) }
        if essence == "application/x-www-form-urlencoded" { return form() }
        if essence == "multipart/form-data" { return multipart() }
        guard essence.hasPrefix("text/"), let value = value() else { return Bytes("sample".utf8) }
        return Bytes((value.stringValue ?? String(decoding: Self.json(value), as: UTF8.self)).utf8)
    }

    /// JSON with sorted keys, so that equal values have equal bytes.
    static func json(_ value: JSONValue) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)) ?? Data("null".utf8)
    }

    private var isBinary: Bool {
        media.schema.map { values.set.resolved($0).format == "binary" } ?? false
    }

    /// The document's example if the schema accepts it, otherwise a generated value.
    private func value() -> JSONValue? {
        guard let schema = media.schema else { return media.samples.first }
        let offered = media.samples.first { SchemaCheck.accepts($0, schema, in: values.set, .response) }
        return offered ?? values.value(schema)
    }

    /// Two values, one per line.
    private func sequence(before mark: String) -> Bytes {
        let list =
            media.schema.map { schema in
                values.set.types(of: schema) == .array ? values.set.element(0, of: schema) : schema
            } ?? nil
        let lines = (0..<2).map { _ -> String in
            let value = (media.itemSchema ?? list).flatMap { values.value($0) } ?? .object([:])
            return mark + String(decoding: Self.json(value), as: UTF8.self) + "\n"
        }
        return Bytes(lines.joined().utf8)
    }

    /// Two server-sent events.
    private func events() -> String {
        guard let schema = media.itemSchema ?? media.schema else { return "data: text\n\ndata: text\n\n" }
        let element = values.set.types(of: schema) == .array ? values.set.element(0, of: schema) ?? schema : schema
        return (0..<2).map { _ in event(element) }.joined()
    }

    private func event(_ schema: SchemaID) -> String {
        if media.itemSchema != nil, let data = values.set.property("data", of: schema),
            values.set.propertyNames(of: schema).contains("data")
        {
            var text = ""
            let made = values.value(schema)
            if let name = made?["event"]?.stringValue { text += "event: \(name)\n" }
            let content = values.set.resolved(data).contentSchema.flatMap { values.value($0) }
            let lines = content.map { String(decoding: Self.json($0), as: UTF8.self) }
            let data = lines ?? made?["data"]?.stringValue ?? "text"
            return text + data.split(separator: "\n").map { "data: \($0)\n" }.joined() + "\n"
        }
        guard let value = values.value(schema), !values.set.types(of: schema).contains(.string) else {
            return "data: text\n\n"
        }
        return "data: \(String(decoding: Self.json(value), as: UTF8.self))\n\n"
    }

    private static let boundary = "sample-boundary"

    /// One part per member, with objects as JSON and each element of a list in a separate part.
    private func multipart() -> Bytes {
        guard case .object(let members)? = value() else { return Bytes("--\(Self.boundary)--\r\n".utf8) }
        var text = ""
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            for element in value.arrayValue ?? [value] {
                let isText = element.stringValue != nil
                text += "--\(Self.boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n"
                if case .object = element { text += "Content-Type: application/json\r\n" }
                let json = String(decoding: Self.json(element), as: UTF8.self)
                text += "\r\n\(isText ? element.stringValue ?? "" : json)\r\n"
            }
        }
        return Bytes("\(text)--\(Self.boundary)--\r\n".utf8)
    }

    private func form() -> Bytes {
        guard case .object(let members)? = value() else { return Bytes("key=value".utf8) }
        let pairs = members.sorted { $0.key < $1.key }.map { name, value in
            let text = value.stringValue ?? String(decoding: Self.json(value), as: UTF8.self)
            return "\(PercentEncoding.formEncode(name))=\(PercentEncoding.formEncode(text))"
        }
        return Bytes(pairs.joined(separator: "&").utf8)
    }
}
#endif
