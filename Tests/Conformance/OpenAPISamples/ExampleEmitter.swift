#if DEBUG
@testable import NetOpenAPI

extension SampleEmitter {
    /// One example of a JSON body.
    private struct Example {
        let key: String
        let type: String
        let value: Node
    }

    /// A program part that reads and writes one JSON value as any type the document has an example of, and as any of its
    /// components: `roundTrips` has a function for each. The program declares `look(_:)`, which sees every value.
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
        // A component may be called what Foundation calls a type of its own, `SortOrder`: a name of this file comes first.
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

    /// One JSON object a line, one line an example: where it stands, the place of its type in `roundTrips`, the value.
    func exampleTable() -> String {
        let types = roundTripPlaces()
        return examples().map { example in
            "{\"key\":\(SampleValues.json(example.key)),\"type\":\(types[example.type] ?? 0),"
                + "\"value\":\(example.value.json)}\n"
        }.joined()
    }

    /// One JSON object a line, one line a schema in `components`: its name, the place of its type in `roundTrips`.
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

    /// The schemas of the document itself that have a type of their own.
    private func components() -> [(name: String, type: String)] {
        let types = context.model.types
        let declared = types.indices.filter { types[$0].isComponent && types[$0].isEmitted }
        let names = Dictionary(
            schemas.map { ($0.value.position, $0.key) }, uniquingKeysWith: { first, _ in first })
        return declared.compactMap { index in
            // Alone, a schema that allows `null` may be just that.
            let type = context.names.qualified(TypeID(index: index)) + (types[index].isNullable ? "?" : "")
            return names[types[index].position].map { ($0, type) }
        }
    }

    private func examples() -> [Example] {
        context.model.operations.flatMap { operation -> [Example] in
            let place = "\(operation.method) \(operation.path)"
            var found: [Example] = []
            if case .json(let type)? = operation.body?.kind {
                let text = context.text(type)
                for example in operation.body?.examples ?? [] {
                    found.append(
                        Example(key: "\(place) request \(example.name ?? "")", type: text, value: example.value))
                }
            }
            for response in operation.successes + operation.failures {
                guard case .json(let type) = response.content else { continue }
                for example in response.examples {
                    let key = "\(place) \(response.status.key) \(example.name ?? "")"
                    found.append(Example(key: key, type: context.text(type), value: example.value))
                }
            }
            return found.filter { $0.value.isObject || $0.value.isArray }
        }
    }
}

extension ResponseModel.Status {
    /// The status as a document has it.
    fileprivate var key: String {
        switch self {
        case .code(let code): String(code)
        case .range(let digit): "\(digit)XX"
        case .other: "default"
        }
    }
}

extension Node {
    /// The node as JSON text; a plain scalar is what JSON would read it as, else text.
    var json: String {
        switch value {
        case .array(let elements): return "[\(elements.map(\.json).joined(separator: ","))]"
        case .object(let members):
            var last: [String: Int] = [:]
            for (place, member) in members.enumerated() { last[member.key] = place }
            let kept = members.enumerated().filter { last[$0.element.key] == $0.offset }.map(\.element)
            return "{\(kept.map { "\(SampleValues.json($0.key)):\($0.value.json)" }.joined(separator: ","))}"
        case .scalar(let text, let isQuoted):
            if isQuoted { return SampleValues.json(text) }
            if isNull { return "null" }
            if let flag = bool { return flag ? "true" : "false" }
            return Self.isJSONNumber(text) ? text : SampleValues.json(text)
        }
    }

    private static func isJSONNumber(_ text: String) -> Bool {
        guard let value = Double(text), value.isFinite, text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) })
        else { return false }
        let digits = text.drop { $0 == "-" }
        guard let first = digits.first, first.isNumber, let last = text.last, last.isNumber else { return false }
        return !(digits.hasPrefix("0") && digits.count > 1 && digits.dropFirst().first?.isNumber == true)
    }
}
#endif
