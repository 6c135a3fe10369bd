#if DEBUG
@testable import NetOpenAPI

extension SampleEmitter {
    /// Returns source code that decodes and encodes one JSON value as any type that the document has an example of, and
    /// as any of its components: `roundTrips` has a function for each. The program declares `look(_:)`, which is called
    /// with every value.
    func exampleSource(module: String) -> String {
        var writer = SourceWriter()
        for line in [
            "#if canImport(FoundationEssentials)", "import FoundationEssentials", "#else", "import Foundation",
            "#endif",
            "import NetOpenAPIRuntime", "import \(module)",
        ] {
            writer.line(line)
        }
        writer.line()
        // A component can have the name of a Foundation type, such as `SortOrder`: a name declared in this file takes
        // precedence.
        for type in Set(components().map { $0.type.prefix { $0 != "?" } }).sorted() where !type.contains(".") {
            writer.line("private typealias \(type) = \(module).\(type)")
        }
        writer.line()
        writer.block(
            "nonisolated func roundTrip<Value: Codable & Sendable>(_ type: Value.Type) -> @Sendable (Bytes) throws -> Bytes"
        ) {
            writer in
            writer.line("{")
            writer.line("    let value = try JSONCoding.standard.decode(type, from: $0)")
            writer.line("    look(value)")
            writer.line("    return try JSONCoding.standard.encode(value)")
            writer.line("}")
        }
        writer.line()
        writer.line("nonisolated let roundTrips: [@Sendable (Bytes) throws -> Bytes] = [")
        for type in roundTripTypes() { writer.line("    roundTrip(\(isPlainName(type) ? type : "(\(type))").self),") }
        writer.line("]")
        return writer.text
    }

    private func isPlainName(_ type: String) -> Bool { !type.hasSuffix("?") }

    /// Returns one line of JSON per example: its key, the index of its type in `roundTrips`, and the value.
    func exampleTable() -> String {
        let types = roundTripPlaces()
        return examples().map { example in
            "{\"key\":\(SampleValues.json(example.key)),\"type\":\(types[example.type] ?? 0),"
                + "\"value\":\(example.value.jsonText)}\n"
        }.joined()
    }

    /// Returns one line of JSON per schema in `components`: its name, and the index of its type in `roundTrips`.
    func componentTable() -> String {
        let types = roundTripPlaces()
        return components().map { component in
            "{\"component\":\(SampleValues.json(component.name)),\"type\":\(types[component.type] ?? 0)}\n"
        }.joined()
    }

    private func roundTripTypes() -> [String] {
        var seen: Set<String> = []
        return (examples().map(\.type) + components().map(\.type)).filter { seen.insert($0).inserted }
    }

    private func roundTripPlaces() -> [String: Int] {
        Dictionary(uniqueKeysWithValues: roundTripTypes().enumerated().map { ($0.element, $0.offset) })
    }

    /// Returns the document's own schemas that have their own type.
    private func components() -> [(name: String, type: String)] {
        let types = context.model.types
        let declared = types.indices.filter { types[$0].isComponent && types[$0].isEmitted }
        let names = Dictionary(
            schemas.map { ($0.value.position, $0.key) }, uniquingKeysWith: { first, _ in first })
        return declared.compactMap { index in
            // By itself, a schema that allows `null` can be `null`.
            let type = context.names.qualified(TypeID(index: index)) + (types[index].isNullable ? "?" : "")
            return names[types[index].position].map { ($0, type) }
        }
    }

    private func examples() -> [ExamplesEmitter.Example] { ExamplesEmitter.examples(context) }
}
#endif
