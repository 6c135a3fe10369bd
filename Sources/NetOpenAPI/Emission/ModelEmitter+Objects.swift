extension ModelEmitter {
    /// A property with all decisions made.
    fileprivate struct Property {
        let model: PropertyModel
        let name: String
        let storage: PropertyStorage
        /// True if it is coded as a string although it is a number.
        let isText: Bool

        var quoted: String { SwiftIdentifier.quoted(name) }
        var literal: String { SwiftLiteral.string(model.name) }
        /// The stored property.
        var stored: String { model.isBoxed ? "_\(name)" : name }

        /// Returns an expression for a value in its stored form.
        func storing(_ value: String) -> String { model.isBoxed ? "Boxed(wrappedValue: \(value))" : value }
    }

    /// The dictionary of the members that have no property.
    fileprivate struct Extra {
        let name: String
        let type: String
    }

    /// The maximum number of members per call. Longer lists are split into several calls, because a long expression is
    /// slow to type-check.
    private static let membersPerCall = 24

    func emitObject(_ model: ObjectModel, _ id: TypeID, _ writer: inout SourceWriter) {
        let properties = zip(model.properties, names[id].names).map {
            Property(
                model: $0, name: $1, storage: context.storage($0, in: id), isText: context.model.isDecimalText($0.type))
        }
        let extra = model.additional.map { Extra(name: names[id].extra, type: "[String: \(context.text($0))]") }
        // Beside `additionalProperties`, only a `null` has to be kept, which neither a required member nor a `Nullable`
        // needs.
        let hasNulls = properties.contains { !$0.model.isRequired && !$0.storage.isThreeState }
        let rest = extra == nil || hasNulls ? names[id].undeclared : nil
        writer.block("\(context.typeAccess)struct \(names.local(id)): SchemaObject") { writer in
            for property in properties { emitProperty(property, &writer) }
            if let extra {
                writer.documentation(["The members that have no property of their own."])
                writer.line("\(access)var \(extra.name): \(extra.type)")
            }
            if let rest { writer.line("private var \(rest) = UndeclaredMembers()") }
            writer.line()
            emitInit(properties, extra, &writer)
            emitReading(properties, extra, rest, &writer)
            emitVisit(properties, extra, rest, &writer)
            emitChildren(of: .type(id), &writer)
        }
    }

    private func emitProperty(_ property: Property, _ writer: inout SourceWriter) {
        var extra: [String] = []
        if let value = property.model.defaultValue?.text { extra.append("Default: `\(DocComment.sentence(value))`.") }
        if property.model.isReadOnly { extra.append("Only the server sets it.") }
        if property.model.isWriteOnly { extra.append("It is sent and never received.") }
        document(property.model.documentation, extra: extra, &writer)
        let head = "\(access)var \(property.quoted): \(property.storage.type)"
        guard property.model.isBoxed else { return writer.line(head) }
        // Doesn't use the wrapper as an attribute: if the target's default isolation is the main actor, the compiler
        // takes the property as isolated to it, even in a nonisolated type.
        writer.block(head) { writer in
            writer.line("get { \(property.stored).wrappedValue }")
            writer.line("set { \(property.stored).wrappedValue = newValue }")
        }
        writer.line("private var \(property.stored): Boxed<\(property.storage.type)>")
    }

    private func emitInit(_ properties: [Property], _ extra: Extra?, _ writer: inout SourceWriter) {
        var parameters = ordered(properties).map { property -> String in
            let head = "\(property.quoted): \(property.storage.type)"
            guard property.model.isRequired else { return head + " = nil" }
            let value = context.literal(property.model.defaultValue, for: property.model.type)
            return value.map { "\(head) = \($0)" } ?? head
        }
        if let extra { parameters.append("\(extra.name): \(extra.type) = [:]") }
        guard !parameters.isEmpty else { return writer.line("\(access)init() {}") }
        writer.function("\(access)init", parameters) { writer in
            for property in properties { writer.line("self.\(property.stored) = \(property.storing(property.quoted))") }
            if let extra { writer.line("self.\(extra.name) = \(extra.name)") }
        }
    }

    /// Returns the properties in the order of the initializer: required ones first.
    private func ordered(_ properties: [Property]) -> [Property] {
        properties.filter { $0.model.isRequired } + properties.filter { !$0.model.isRequired }
    }

    private func emitReading(
        _ properties: [Property], _ extra: Extra?, _ rest: String?, _ writer: inout SourceWriter
    ) {
        writer.block("\(access)init(reading members: inout ObjectMembers) throws") { writer in
            if properties.count > Self.membersPerCall {
                for property in properties {
                    let effect = property.model.isRequired ? "try " : ""
                    writer.line("self.\(property.stored) = \(effect)\(property.storing(reading(property)))")
                }
                if let extra { writer.line("self.\(extra.name) = members.others()") }
            } else {
                var arguments = ordered(properties).map { "\(SwiftIdentifier.label($0.name)): \(reading($0))" }
                if let extra { arguments.append("\(extra.name): members.others()") }
                let effect = properties.contains { $0.model.isRequired } ? "try " : ""
                writer.list("\(effect)self.init", arguments)
            }
            if let rest { writer.line("self.\(rest) = members.undeclared()") }
        }
    }

    private func reading(_ property: Property) -> String {
        let call = property.model.isRequired ? "required" : property.storage.isThreeState ? "nullable" : "optional"
        return "members.\(call)\(property.isText ? "Text" : "")(\(property.literal))"
    }

    private func emitVisit(
        _ properties: [Property], _ extra: Extra?, _ rest: String?, _ writer: inout SourceWriter
    ) {
        writer.block("\(access)func visit(_ visitor: inout MemberVisitor)") { writer in
            if let extra {
                let own = extra.name == "visitor" ? "self." : ""
                writer.line("visitor.others(\(own)\(extra.name), besides: \(known(properties)))")
            }
            var members = properties.map { property -> String in
                let value =
                    (property.name == "visitor" ? "self.visitor" : property.quoted) + (property.isText ? ".coded" : "")
                return "(\(property.literal), \(property.storage.writesNull ? "Nullable(\(value))" : value))"
            }[...]
            if let rest {
                writer.list(
                    "visitor.members", ["undeclared: \(rest)"] + members.prefix(Self.membersPerCall))
                members = members.dropFirst(Self.membersPerCall)
            }
            while !members.isEmpty {
                writer.list("visitor.members", Array(members.prefix(Self.membersPerCall)))
                members = members.dropFirst(Self.membersPerCall)
            }
        }
    }

    private func known(_ properties: [Property]) -> String {
        SwiftLiteral.strings(properties.map(\.model.name))
    }
}
