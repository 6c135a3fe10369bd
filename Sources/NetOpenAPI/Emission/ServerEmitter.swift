/// Writes the server side of a document: a protocol for each tag, and the router for their implementations.
struct ServerEmitter {
    let context: SwiftContext
    /// The name of the type with the router.
    let name: String

    private struct Handler {
        let tag: String?
        let type: String
        let parameter: String
        let operations: [Int]
    }

    /// Returns the names of the protocols, which no other type may have.
    static func names(_ operations: [OperationModel], whole: String) -> Set<String> {
        Set(handlers(operations, whole).map(\.type))
    }

    private static func handlers(_ operations: [OperationModel], _ whole: String) -> [Handler] {
        let tags = TagGroups(operations)
        var types = NameScope(ReservedNames.types)
        var parameters = NameScope(["basePath", "self"])
        var handlers = tags.groups.map { group in
            Handler(
                tag: group.tag, type: types.claim(SwiftIdentifier.upperCamel(group.tag) + "Handler"),
                parameter: parameters.claim(SwiftIdentifier.lowerCamel(group.tag)), operations: group.operations)
        }
        if !tags.rest.isEmpty {
            handlers.append(
                Handler(
                    tag: nil, type: types.claim(whole + "Handler"), parameter: parameters.claim("other", "untagged"),
                    operations: tags.rest))
        }
        return handlers
    }

    func emit(_ writer: inout SourceWriter) {
        let handlers = Self.handlers(context.model.operations, name)
        guard !handlers.isEmpty else { return }
        var calls: [String] = []
        for handler in handlers {
            let words = handler.tag.map { "with the tag `\(DocComment.sentence($0))`" } ?? "without a tag"
            writer.documentation(["The operations \(words), as a server implements them."])
            writer.block("\(context.typeAccess)protocol \(handler.type): Sendable") { writer in
                var scope = NameScope(["self", "init"])
                for index in handler.operations {
                    let operation = context.model.operations[index]
                    let type = context.names.operations[index].type
                    let method = SwiftIdentifier.quoted(scope.claim(SwiftIdentifier.lowerCamel(operation.identifier)))
                    let place = "`\(operation.method) \(DocComment.sentence(operation.path))`"
                    let documentation = Documentation(summary: operation.documentation.summary)
                    writer.documentation(DocComment.lines(documentation, extra: [place], width: writer.width))
                    writer.line("func \(method)(_ request: \(type)) async throws -> ServerReply<\(type)>")
                    calls.append("ServerOperation(\(SwiftIdentifier.quoted(handler.parameter)).\(method))")
                }
            }
        }
        writer.documentation(["The document as a server: whatever reads requests passes them to the router."])
        writer.block("\(context.typeAccess)enum \(name)") { writer in
            let parameters = handlers.map { "\(SwiftIdentifier.quoted($0.parameter)): some \($0.type)" }
            let path = "basePath: String = \(SwiftLiteral.string(basePath))"
            writer.documentation(["The router over implementations of all operations."])
            writer.function("\(context.access)static func router", parameters + [path], effects: "-> OperationRouter") {
                writer in
                writer.line("OperationRouter(")
                writer.line("    [")
                for call in calls { writer.line("        \(call),") }
                writer.line("    ], basePath: basePath)")
            }
        }
    }

    /// The path of the document's first server.
    private var basePath: String {
        guard let url = context.model.servers.first?.url else { return "" }
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...].drop { $0 != "/" } } ?? url[...]
        let path = rest.prefix { $0 != "?" && $0 != "#" }
        return path == "/" ? "" : String(path)
    }
}
