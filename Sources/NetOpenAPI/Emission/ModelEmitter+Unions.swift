extension ModelEmitter {
    func emitUnion(_ model: UnionModel, _ id: TypeID, _ writer: inout SourceWriter) {
        let cases = names[id].names.map(SwiftIdentifier.quoted)
        let unknown = SwiftIdentifier.quoted(names[id].extra)
        let indirect = model.isIndirect ? "indirect " : ""
        writer.block("\(access)\(indirect)enum \(names.local(id)): Codable, Hashable, Sendable") { writer in
            for (name, variant) in zip(cases, model.variants) {
                writer.line("case \(name)(\(context.text(variant.type)))")
            }
            writer.documentation(["A value that is none of the others, as it came."])
            writer.line("case \(unknown)(JSONValue)")
            writer.line()
            if model.discriminator != nil, model.variants.contains(where: { $0.discriminatorValue != nil }) {
                emitDiscriminated(model, cases, unknown, &writer)
            } else {
                writer.block("\(access)init(from decoder: any Decoder) throws") { writer in
                    emitBestMatch(model.variants, cases, unknown, &writer)
                }
            }
            writer.line()
            emitUnionEncoding(model, cases, unknown, &writer)
            emitChildren(of: .type(id), &writer)
        }
    }

    private func emitDiscriminated(
        _ model: UnionModel, _ cases: [String], _ unknown: String, _ writer: inout SourceWriter
    ) {
        let name = SwiftLiteral.string(model.discriminator ?? "")
        let rest = zip(model.variants, cases).filter { $0.0.discriminatorValue == nil }
        writer.block("\(access)init(from decoder: any Decoder) throws") { writer in
            writer.line("switch decoder.discriminator(\(name)) {")
            for (variant, name) in zip(model.variants, cases) {
                guard let value = variant.discriminatorValue else { continue }
                let type = context.text(variant.type)
                writer.line("case \(SwiftLiteral.string(value)): self = .\(name)(try \(type)(from: decoder))")
            }
            if rest.isEmpty {
                writer.line("default: self = .\(unknown)(try JSONValue(from: decoder))")
                writer.line("}")
            } else {
                writer.line("default:")
                emitBestMatch(rest.map(\.0), rest.map(\.1), unknown, &writer)
                writer.line("}")
            }
        }
    }

    private func emitBestMatch(
        _ variants: [UnionModel.Variant], _ cases: [String], _ unknown: String, _ writer: inout SourceWriter
    ) {
        writer.line("var union = UnionDecoder<Self>(decoder)")
        for (variant, name) in zip(variants, cases) {
            var arguments = ["\(context.text(variant.type)).self"]
            if let object = object(variant.type) {
                arguments.append("keys: \(SwiftLiteral.strings(object.properties.map(\.name)))")
                let fixed = object.properties.filter { !$0.fixedValues.isEmpty && $0.fixedValues.count <= 64 }
                if !fixed.isEmpty {
                    let pairs = fixed.map { "\(SwiftLiteral.string($0.name)): \(SwiftLiteral.strings($0.fixedValues))" }
                    arguments.append("fixed: [\(pairs.joined(separator: ", "))]")
                }
            }
            writer.list("union.consider", arguments, tail: " { .\(name)($0) }")
        }
        writer.line("self = try union.best() ?? .\(unknown)(JSONValue(from: decoder))")
    }

    private func object(_ type: TypeReference) -> ObjectModel? {
        guard case .named(let id) = context.model.unaliased(type), case .object(let object) = context.model[id].kind
        else {
            return nil
        }
        return object
    }

    private func emitUnionEncoding(
        _ model: UnionModel, _ cases: [String], _ unknown: String, _ writer: inout SourceWriter
    ) {
        writer.block("\(access)func encode(to encoder: any Encoder) throws") { writer in
            writer.line("switch self {")
            for (variant, name) in zip(model.variants, cases) {
                if let discriminator = model.discriminator, let value = variant.discriminatorValue {
                    let arguments =
                        "discriminator: \(SwiftLiteral.string(discriminator)), \(SwiftLiteral.string(value))"
                    writer.line("case .\(name)(let value): try encoder.encode(value, \(arguments))")
                } else {
                    writer.line("case .\(name)(let value): try encoder.encode(value)")
                }
            }
            writer.line("case .\(unknown)(let value): try encoder.encode(value)")
            writer.line("}")
        }
    }
}
