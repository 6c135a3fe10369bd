/// Writes the servers that the document declares for all operations or for one.
struct ServersEmitter {
    let context: SwiftContext
    /// The name of the enumeration that contains them.
    let name: String
    /// The type of each server: `BaseURL` or `OperationServer`.
    let type: String

    /// Returns the names of the servers, in document order.
    static func names(_ servers: [ServerModel]) -> [String] {
        var scope = NameScope(["self", "init", "Type", "Protocol"])
        return servers.enumerated().map { place, server in
            scope.claim(server.name.map(SwiftIdentifier.lowerCamel) ?? "server\(place + 1)")
        }
    }

    /// Writes the enumeration; nothing if there are no servers.
    func emit(_ servers: [ServerModel], _ summary: String, _ writer: inout SourceWriter) {
        guard !servers.isEmpty else { return }
        writer.documentation([summary])
        writer.block("\(context.typeAccess)enum \(name)") { writer in
            var types = ServerVariableTypes()
            for (server, name) in zip(servers, Self.names(servers)) {
                let documentation = Documentation(description: server.description)
                writer.documentation(DocComment.lines(documentation, extra: [], width: writer.width))
                let property = SwiftIdentifier.quoted(name)
                writer.line("\(context.access)static let \(property): \(type) = \(SwiftLiteral.string(server.url))")
                if !server.variables.isEmpty { emitTemplate(server, name, &types, &writer) }
            }
            for declared in types.declared { emitType(declared, &writer) }
        }
    }

    /// Writes a function that returns the server with values for its variables.
    private func emitTemplate(
        _ server: ServerModel, _ name: String, _ types: inout ServerVariableTypes, _ writer: inout SourceWriter
    ) {
        var scope = NameScope()
        var url = String(SwiftLiteral.string(server.template).dropFirst().dropLast())
        var parameters: [String] = []
        var documentation = Documentation(description: "The same with values of yours for its variables.")
        if type == "BaseURL" { documentation.description? += " Throws `.invalidRequest` for what makes no URL." }
        var lines = DocComment.lines(documentation, width: writer.width)
        for variable in server.variables {
            let parameter = SwiftIdentifier.quoted(scope.claim(SwiftIdentifier.lowerCamel(variable.name)))
            let written = String(SwiftLiteral.string("{\(variable.name)}").dropFirst().dropLast())
            let value: String
            if let declared = types.type(of: variable, server: name) {
                parameters.append("\(parameter): \(declared.name) = .\(declared.caseName(of: variable.value))")
                value = "\(parameter).rawValue"
            } else {
                parameters.append("\(parameter): String = \(SwiftLiteral.string(variable.value))")
                value = parameter
            }
            url = url.split(separator: written, omittingEmptySubsequences: false).joined(separator: "\\(\(value))")
            if let text = variable.description {
                lines.append("- Parameter \(parameter): \(DocComment.sentence(text))")
            }
        }
        writer.documentation(lines)
        let throwing = type == "BaseURL" ? "throws(NetError) " : ""
        writer.function(
            "\(context.access)static func \(SwiftIdentifier.quoted(name))", parameters,
            effects: "\(throwing)-> \(type)"
        ) { $0.line("\(throwing.isEmpty ? "" : "try ")\(type)(\"\(url)\")") }
    }

    private func emitType(_ declared: ServerVariableTypes.Declared, _ writer: inout SourceWriter) {
        writer.line()
        writer.documentation(["The values of the variable `\(DocComment.sentence(declared.variable))`."])
        writer.block("\(context.typeAccess)enum \(declared.name): String, CaseIterable, Sendable") { writer in
            for (value, name) in zip(declared.values, declared.cases) {
                writer.line("case \(SwiftIdentifier.quoted(name)) = \(SwiftLiteral.string(value))")
            }
        }
    }
}

/// The enumerations for variables with a fixed list of values: one for all servers with the same list.
struct ServerVariableTypes {
    struct Declared {
        /// The Swift name.
        let name: String
        /// The name in the document.
        let variable: String
        let values: [String]
        let cases: [String]

        func caseName(of value: String) -> String {
            values.firstIndex(of: value).map { cases[$0] } ?? cases[0]
        }
    }

    private(set) var declared: [Declared] = []
    private var scope = NameScope(ReservedNames.types)

    /// Returns the type of a variable; nil if it can be any text.
    mutating func type(of variable: ServerModel.Variable, server: String) -> Declared? {
        var seen: Set<String> = []
        let values = variable.values.filter { seen.insert($0).inserted }
        guard values.contains(variable.value) else { return nil }
        if let known = declared.first(where: { $0.variable == variable.name && $0.values == values }) { return known }
        let base = SwiftIdentifier.upperCamel(variable.name)
        var names = NameScope(["self", "init", "Type", "Protocol", "allCases", "rawValue", "RawValue", "hashValue"])
        let cases = values.map { value in
            let name = SwiftIdentifier.caseName(value)
            return names.claim(name, name + "Value")
        }
        let made = Declared(
            name: scope.claim(base, SwiftIdentifier.upperCamel(server) + base), variable: variable.name, values: values,
            cases: cases)
        declared.append(made)
        return made
    }
}
