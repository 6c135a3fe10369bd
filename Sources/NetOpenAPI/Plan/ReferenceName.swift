/// The name of a schema that a reference points to.
enum ReferenceName {
    /// The segments of a pointer that describe a schema's location, not its meaning.
    private static let structural: Set<String> = [
        "components", "schemas", "definitions", "$defs", "properties", "items", "schema", "content", "paths",
        "responses", "parameters", "requestBodies", "requestBody", "headers", "allOf", "oneOf", "anyOf",
        "additionalProperties",
    ]

    static func of(_ target: ResolvedReference) -> String {
        let segments = JSONPointer(text: target.pointer)?.segments ?? []
        if segments.count == 3, segments[0] == "components", let last = segments.last { return last }
        if segments.count == 2, structural.contains(segments[0]), let last = segments.last { return last }
        let words = segments.filter { !structural.contains($0) && !$0.contains("/") && Int($0) == nil }
        if !words.isEmpty { return words.joined(separator: " ") }
        return fileName(target.file)
    }

    private static func fileName(_ path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        guard let dot = file.lastIndex(of: "."), dot > file.startIndex else { return file }
        return String(file[..<dot])
    }
}
