extension OperationEmitter {
    /// Writes the type that reads the headers of the operation's responses, or an alias if several operations share it.
    func emitHeaders(_ index: Int, _ writer: inout SourceWriter) {
        guard let place = context.names.headers.groupOf[index] else { return }
        let group = context.names.headers.groups[place]
        guard group.name.isEmpty else { return writer.line("\(access)typealias Headers = \(group.name)") }
        emitHeaders(group, name: "Headers", &writer)
    }

    /// Writes a struct that reads the headers of a response.
    func emitHeaders(_ group: SharedHeaders.Group, name: String, _ writer: inout SourceWriter) {
        writer.documentation(["The fields of the responses; nil where one is missing or is not of its type."])
        writer.block("\(context.typeAccess)struct \(name): Sendable") { writer in
            writer.line("\(access)let head: ResponseHead")
            writer.line("\(access)init(_ head: ResponseHead) { self.head = head }")
            var scope = NameScope(["head", "init", "self", "Type", "Protocol"])
            for header in group.headers {
                models.document(header.documentation, &writer)
                let property = SwiftIdentifier.quoted(scope.claim(SwiftIdentifier.lowerCamel(header.name)))
                let type = context.text(header.type)
                writer.line(
                    "\(access)var \(property): \(type)? { head.value(\(SwiftLiteral.string(header.name))) }")
            }
        }
    }
}
