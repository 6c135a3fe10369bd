#if Server
internal import HTTPTypes
internal import NetCore
internal import NetOpenAPI

/// Reads parameters, headers and the media types of bodies.
struct PartsReader {
    /// Header fields that other parts of a description define (OpenAPI, Parameter Object).
    private static let ignoredFields: Set<String> = ["accept", "content-type", "authorization"]

    let compiler: SchemaCompiler

    /// Returns a parameter or, with `header`, a response header; nil if it is invalid or must be ignored.
    func parameter(_ node: Node, _ place: SchemaPlace, header: String? = nil) -> ParameterDescription? {
        guard let name = header ?? node["name"]?.text,
            let location = header == nil
                ? node["in"]?.text.flatMap({ ParameterDescription.Location(rawValue: $0) }) : .header
        else { return nil }
        if location == .header {
            guard HTTPField.Name(name) != nil else { return nil }
            if header == nil, Self.ignoredFields.contains(name.lowercased()) { return nil }
        }
        let content = content(node, place).first
        let known = Self.styles(location)
        let style = node["style"]?.text.flatMap { known.contains($0) ? $0 : nil } ?? known[0]
        return ParameterDescription(
            name: name, location: location, isRequired: location == .path || (node["required"]?.bool ?? false),
            style: style, explode: node["explode"]?.bool ?? ["form", "deepObject", "cookie"].contains(style),
            schema: node["schema"].map { compiler.reserve($0, place.appending("schema")) },
            content: node["schema"] == nil ? content : nil, samples: samples(node), place: place)
    }

    private static func styles(_ location: ParameterDescription.Location) -> [String] {
        switch location {
        case .path: ["simple", "label", "matrix"]
        case .query, .querystring: ["form", "spaceDelimited", "pipeDelimited", "deepObject"]
        case .header: ["simple"]
        case .cookie: ["form", "cookie"]
        }
    }

    /// The media types of a body, or of a parameter.
    func content(_ node: Node, _ place: SchemaPlace) -> [MediaDescription] {
        (node["content"]?.members ?? []).compactMap { member in
            guard let (media, there) = compiler.resolved(member.value, at: place.appending("content", member.key))
            else { return nil }
            var description = MediaDescription(
                text: member.key, essence: MediaDescription.essence(of: member.key), place: there)
            description.schema = media["schema"].map { compiler.reserve($0, there.appending("schema")) }
            description.itemSchema = media["itemSchema"].map { compiler.reserve($0, there.appending("itemSchema")) }
            description.samples = samples(media)
            for field in media["encoding"]?.members ?? [] {
                description.encoding[field.key] = MediaDescription.Encoding(
                    contentType: field.value["contentType"]?.text, style: field.value["style"]?.text,
                    explode: field.value["explode"]?.bool)
            }
            return description
        }
    }

    /// The examples of a parameter or a body.
    private func samples(_ node: Node) -> [JSONValue] {
        var values = node["example"].map { [JSONValue($0)] } ?? []
        for member in node["examples"]?.members ?? [] {
            guard let (example, _) = compiler.resolved(member.value, at: SchemaPlace(file: "", pointer: "")),
                let value = example["value"] ?? example["dataValue"]
            else { continue }
            values.append(JSONValue(value))
        }
        return values
    }
}
#endif
