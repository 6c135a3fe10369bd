/// Writes the client: one method per operation, grouped by tag, so that code completion shows what is available.
struct ClientEmitter {
    let context: SwiftContext
    /// The name of the type.
    let name: String

    func emit(_ writer: inout SourceWriter) {
        guard !context.model.operations.isEmpty else { return }
        let tags = TagGroups(context.model.operations)
        let (groups, rest) = (tags.groups, tags.rest)
        var scope = NameScope(["client", "self", "init", "Type", "Protocol", "APIClient", "Call", "DefaultCall"])
        let properties = groups.map { scope.claim(SwiftIdentifier.lowerCamel($0.tag)) }
        let types = groups.map {
            scope.claim(SwiftIdentifier.upperCamel($0.tag), SwiftIdentifier.upperCamel($0.tag) + "Calls")
        }
        let title = context.model.title.map { DocComment.sentence($0) } ?? "the document"
        writer.documentation(["The operations of \(title), by tag."])
        writer.block("\(context.typeAccess)struct \(name): Sendable") { writer in
            emitClient(&writer)
            for (place, group) in groups.enumerated() {
                let property = SwiftIdentifier.quoted(properties[place])
                writer.documentation(["Operations with the tag `\(DocComment.sentence(group.tag))`."])
                writer.line("\(context.access)var \(property): \(types[place]) { \(types[place])(client) }")
            }
            emitMethods(rest, &scope, &writer)
            for (place, group) in groups.enumerated() {
                writer.line()
                writer.block("\(context.typeAccess)struct \(types[place]): Sendable") { writer in
                    emitClient(&writer)
                    var scope = NameScope(["client", "self", "init"])
                    emitMethods(group.operations, &scope, &writer)
                }
            }
        }
    }

    private func emitClient(_ writer: inout SourceWriter) {
        writer.line("\(context.access)let client: any APIClient")
        writer.line("\(context.access)init(_ client: any APIClient) { self.client = client }")
    }

    private func emitMethods(_ operations: [Int], _ scope: inout NameScope, _ writer: inout SourceWriter) {
        for index in operations {
            let operation = context.model.operations[index]
            let type = context.names.operations[index].type
            let method = SwiftIdentifier.quoted(scope.claim(SwiftIdentifier.lowerCamel(operation.identifier)))
            let availability = operation.documentation.isDeprecated ? "@available(*, deprecated) " : ""
            let (call, rest) = needsNothing(operation) ? ("DefaultCall", ", .init()") : ("Call", "")
            writer.line(
                "\(availability)\(context.access)var \(method): \(call)<\(type)> { .init(client\(rest)) }")
        }
    }

    /// Returns true if a request can be created without arguments.
    private func needsNothing(_ operation: OperationModel) -> Bool {
        let isFree = operation.parameters.allSatisfy { parameter in
            !parameter.isRequired
                || (parameter.location != .path && context.literal(parameter.defaultValue, for: parameter.type) != nil)
        }
        guard isFree, let body = operation.body else { return isFree }
        if case .multipart(let parts) = body.kind { return !parts.contains(where: \.isRequired) }
        return !body.isRequired
    }
}
