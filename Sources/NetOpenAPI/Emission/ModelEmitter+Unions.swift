extension ModelEmitter {
    func emitUnion(_ model: UnionModel, _ id: TypeID, _ writer: inout SourceWriter) {
        let cases = names[id].names.map(SwiftIdentifier.quoted)
        let unknown = model.isOpen(in: context.model) ? SwiftIdentifier.quoted(names[id].extra) : nil
        let indirect = model.isIndirect ? "indirect " : ""
        writer.block("\(context.typeAccess)\(indirect)enum \(names.local(id)): Codable, Hashable, Sendable") { writer in
            for (name, variant) in zip(cases, model.variants) {
                writer.line("case \(name)(\(context.text(variant.type)))")
            }
            if let unknown {
                writer.documentation(["A value that is none of the others, as it came."])
                writer.line("case \(unknown)(JSONValue)")
            }
            writer.line()
            writer.block("\(access)init(from decoder: any Decoder) throws") { writer in
                if model.isDiscriminated {
                    emitDiscriminated(model, cases, unknown, &writer)
                } else {
                    emitBestMatch(model.variants, cases, unknown, &writer)
                }
            }
            emitUnionEncoding(model, cases, unknown, &writer)
            emitChildren(of: .type(id), &writer)
        }
    }

    private func emitDiscriminated(
        _ model: UnionModel, _ cases: [String], _ unknown: String?, _ writer: inout SourceWriter
    ) {
        let name = SwiftLiteral.string(model.discriminator ?? "")
        let rest = zip(model.variants, cases).filter { $0.0.discriminatorValue == nil }
        writer.line("switch decoder.discriminator(\(name)) {")
        for (variant, name) in zip(model.variants, cases) {
            guard let value = variant.discriminatorValue else { continue }
            writer.line(
                "case \(SwiftLiteral.string(value)): self = try .\(name)(\(context.text(variant.type))(from: decoder))")
        }
        if rest.isEmpty {
            let isNeeded = model.needsDiscriminator(in: context.model)
            let value = isNeeded ? "decoder.unlisted(discriminator: \(name))" : "JSONValue(from: decoder)"
            writer.line("default: self = try .\(unknown ?? "unknown")(\(value))")
        } else {
            writer.line("default:")
            emitBestMatch(rest.map(\.0), rest.map(\.1), unknown, &writer)
        }
        writer.line("}")
    }

    private func emitBestMatch(
        _ variants: [UnionModel.Variant], _ cases: [String], _ unknown: String?, _ writer: inout SourceWriter
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
                if object.additional != nil { arguments.append("isOpen: true") }
            } else if let union = union(variant.type), let keys = keys(of: union) {
                arguments.append("keys: \(SwiftLiteral.strings(keys))")
            }
            writer.list("union.consider", arguments, tail: " { .\(name)($0) }")
        }
        writer.line("self = try union.\(unknown.map { "best() ?? .\($0)(JSONValue(from: decoder))" } ?? "match()")")
    }

    private func object(_ type: TypeReference) -> ObjectModel? {
        guard case .named(let id) = context.model.unaliased(type), case .object(let object) = context.model[id].kind
        else {
            return nil
        }
        return object
    }

    private func union(_ type: TypeReference) -> UnionModel? {
        guard case .named(let id) = context.model.unaliased(type), case .union(let union) = context.model[id].kind
        else {
            return nil
        }
        return union
    }

    /// Returns the member names that any variant of a union has, which identify a union inside another one; nil if a
    /// variant has no fixed list of names.
    private func keys(of union: UnionModel, depth: Int = 0) -> [String]? {
        guard depth < 8 else { return nil }
        var keys = union.discriminator.map { [$0] } ?? []
        for variant in union.variants {
            if let object = object(variant.type), object.additional == nil {
                keys += object.properties.map(\.name)
            } else if let inner = self.union(variant.type), let inner = self.keys(of: inner, depth: depth + 1) {
                keys += inner
            } else {
                return nil
            }
        }
        var seen: Set<String> = []
        return keys.filter { seen.insert($0).inserted }
    }

    private func emitUnionEncoding(
        _ model: UnionModel, _ cases: [String], _ unknown: String?, _ writer: inout SourceWriter
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
            if let unknown { writer.line("case .\(unknown)(let value): try encoder.encode(value)") }
            writer.line("}")
        }
    }
}

extension UnionModel {
    /// True if a discriminator distinguishes the variants.
    var isDiscriminated: Bool {
        discriminator != nil && variants.contains { $0.discriminatorValue != nil }
    }

    /// Returns true if values that match no variant are possible: if variants are objects, a later version of the API
    /// may add one.
    func isOpen(in model: APIModel) -> Bool {
        isDiscriminated
            || variants.contains { variant in
                guard case .named(let id) = model.unaliased(variant.type) else { return false }
                switch model[id].kind {
                case .object, .union: return true
                default: return false
                }
            }
    }

    /// Returns true if every variant is an object with the discriminator as a required member.
    func needsDiscriminator(in model: APIModel) -> Bool {
        variants.allSatisfy { variant in
            guard case .named(let id) = model.unaliased(variant.type), case .object(let object) = model[id].kind else {
                return false
            }
            return object.properties.contains { $0.name == discriminator && $0.isRequired }
        }
    }
}
