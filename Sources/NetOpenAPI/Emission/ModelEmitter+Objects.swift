extension ModelEmitter {
    /// One property with everything decided.
    fileprivate struct Property {
        let model: PropertyModel
        let name: String
        let storage: PropertyStorage

        var quoted: String { SwiftIdentifier.quoted(name) }
    }

    func emitObject(_ model: ObjectModel, _ id: TypeID, _ writer: inout SourceWriter) {
        let properties = zip(model.properties, names[id].names).map {
            Property(model: $0, name: $1, storage: context.storage($0, in: id))
        }
        let extra = model.additional.map { (name: names[id].extra, type: "[String: \(context.text($0))]") }
        writer.block("\(access)struct \(names.local(id)): Codable, Hashable, Sendable") { writer in
            for property in properties { emitProperty(property, &writer) }
            if let extra {
                writer.documentation(["The members that have no property of their own."])
                writer.line("\(access)var \(extra.name): \(extra.type)")
            }
            if !properties.isEmpty || extra != nil { writer.line() }
            emitInit(properties, extra, &writer)
            if !properties.isEmpty { emitKeys(properties, extra?.name, &writer) }
            if let extra {
                emitDecoding(properties, extra.name, model, &writer)
                emitEncoding(properties, extra.name, &writer)
            } else if properties.contains(where: \.storage.writesNull) {
                emitEncoding(properties, nil, &writer)
            }
            emitChildren(of: .type(id), &writer)
        }
    }

    private func emitProperty(_ property: Property, _ writer: inout SourceWriter) {
        var extra: [String] = []
        if let value = property.model.defaultValue?.text { extra.append("Default: `\(DocComment.sentence(value))`.") }
        if property.model.isReadOnly { extra.append("Only the server sets it.") }
        if property.model.isWriteOnly { extra.append("It is sent and never received.") }
        document(property.model.documentation, fallback: "The member `\(property.model.name)`.", extra: extra, &writer)
        let wrapper = property.model.isBoxed ? "@Boxed " : ""
        writer.line("\(wrapper)\(access)var \(property.quoted): \(property.storage.type)")
    }

    private func emitInit(
        _ properties: [Property], _ extra: (name: String, type: String)?, _ writer: inout SourceWriter
    ) {
        let ordered = properties.filter { $0.model.isRequired } + properties.filter { !$0.model.isRequired }
        var parameters = ordered.map { property -> String in
            let head = "\(property.quoted): \(property.storage.type)"
            guard property.model.isRequired else { return head + " = nil" }
            let value = context.literal(property.model.defaultValue, for: property.model.type)
            return value.map { "\(head) = \($0)" } ?? head
        }
        if let extra { parameters.append("\(extra.name): \(extra.type) = [:]") }
        writer.documentation(["Takes the members; what may be left out is nil."])
        guard !parameters.isEmpty else { return writer.line("\(access)init() {}") }
        writer.function("\(access)init", parameters) { writer in
            for property in properties { writer.line("self.\(property.name) = \(property.quoted)") }
            if let extra { writer.line("self.\(extra.name) = \(extra.name)") }
        }
    }

    private func emitKeys(_ properties: [Property], _ extra: String?, _ writer: inout SourceWriter) {
        let isCustom = extra != nil || properties.contains(where: \.storage.writesNull)
        guard isCustom || properties.contains(where: { $0.name != $0.model.name }) else { return }
        writer.line()
        writer.block("private enum CodingKeys: String, CodingKey\(extra == nil ? "" : ", CaseIterable")") { writer in
            for property in properties {
                let raw = property.name == property.model.name ? "" : " = \(SwiftLiteral.string(property.model.name))"
                writer.line("case \(property.quoted)\(raw)")
            }
        }
    }

    private func emitDecoding(
        _ properties: [Property], _ extra: String, _ model: ObjectModel, _ writer: inout SourceWriter
    ) {
        writer.line()
        writer.block("\(access)init(from decoder: any Decoder) throws") { writer in
            if !properties.isEmpty {
                writer.line("let container = try decoder.container(keyedBy: CodingKeys.self)")
            }
            for property in properties {
                let isOptional = property.storage.type.hasSuffix("?")
                let type = isOptional ? String(property.storage.type.dropLast()) : property.storage.type
                let call = isOptional ? "decodeIfPresent" : "decode"
                writer.line("\(property.assigned) = try container.\(call)(\(type).self, forKey: .\(property.name))")
            }
            writer.line(
                "\(extra == "container" ? "self." : "")\(extra) = try decoder.additionalProperties(excluding: \(known(properties)))"
            )
        }
    }

    private func emitEncoding(_ properties: [Property], _ extra: String?, _ writer: inout SourceWriter) {
        writer.line()
        writer.block("\(access)func encode(to encoder: any Encoder) throws") { writer in
            if let extra {
                writer.line(
                    "try encoder.encode(additionalProperties: \(extra == "encoder" ? "self." : "")\(extra), excluding: \(known(properties)))"
                )
            }
            guard !properties.isEmpty else { return }
            writer.line("var container = encoder.container(keyedBy: CodingKeys.self)")
            for property in properties {
                let isOptional = property.storage.type.hasSuffix("?") && !property.storage.writesNull
                let call = isOptional ? "encodeIfPresent" : "encode"
                writer.line("try container.\(call)(self.\(property.name), forKey: .\(property.name))")
            }
        }
    }

    private func known(_ properties: [Property]) -> String {
        properties.isEmpty ? "[]" : "Set(CodingKeys.allCases.map(\\.rawValue))"
    }
}

extension ModelEmitter.Property {
    fileprivate var assigned: String { "self.\(name)" }
}
