/// Writes the servers that the document names.
struct ServersEmitter {
    let context: SwiftContext
    /// The document's name in camel case.
    let name: String

    func emit(_ writer: inout SourceWriter) {
        let servers = context.model.servers.filter { $0.url.hasPrefix("http://") || $0.url.hasPrefix("https://") }
        guard !servers.isEmpty else { return }
        var scope = NameScope(["self", "init", "Type", "Protocol"])
        writer.documentation(["The servers that the document names; variables have their defaults."])
        writer.block("\(context.access)enum \(name)") { writer in
            for (place, server) in servers.enumerated() {
                let documentation = Documentation(description: server.description)
                let fallback = "`\(DocComment.sentence(server.url))`"
                writer.documentation(
                    DocComment.lines(
                        documentation, fallback: fallback, extra: server.description == nil ? [] : [fallback],
                        width: writer.width))
                let base = server.name.map(SwiftIdentifier.lowerCamel) ?? "server\(place + 1)"
                let property = SwiftIdentifier.quoted(scope.claim(base))
                writer.line("\(context.access)static let \(property): BaseURL = \(SwiftLiteral.string(server.url))")
            }
        }
    }
}
