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
                writer.documentation(DocComment.lines(documentation, extra: [], width: writer.width))
                let base = server.name.map(SwiftIdentifier.lowerCamel) ?? "server\(place + 1)"
                let property = SwiftIdentifier.quoted(scope.claim(base))
                writer.line("\(context.access)static let \(property): BaseURL = \(SwiftLiteral.string(server.url))")
                if !server.variables.isEmpty { emitTemplate(server, property, &writer) }
            }
        }
    }

    /// The server with values for its variables.
    private func emitTemplate(_ server: ServerModel, _ property: String, _ writer: inout SourceWriter) {
        var scope = NameScope()
        let names = server.variables.map { SwiftIdentifier.quoted(scope.claim(SwiftIdentifier.lowerCamel($0.name))) }
        var url = String(SwiftLiteral.string(server.template).dropFirst().dropLast())
        for (variable, name) in zip(server.variables, names) {
            let written = String(SwiftLiteral.string("{\(variable.name)}").dropFirst().dropLast())
            url = url.split(separator: written, omittingEmptySubsequences: false).joined(separator: "\\(\(name))")
        }
        let parameters = zip(server.variables, names).map { "\($1): String = \(SwiftLiteral.string($0.value))" }
        writer.documentation([
            "The same with values of yours for its variables; throws `.invalidRequest` for what makes no URL."
        ])
        writer.function("\(context.access)static func \(property)", parameters, effects: "throws(NetError) -> BaseURL")
        {
            $0.line("try BaseURL(\"\(url)\")")
        }
    }
}
