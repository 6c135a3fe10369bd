import NetOpenAPI

/// The options of a generation.
enum GenerateOptions {
    static let all: [CommandOption] = [
        .one(
            "output", "FOLDER",
            "The folder for the generated files, created if missing; - writes to standard output.",
            letter: "o"),
        .one("config", "FILE", "A file with these options, JSON or YAML; the command line takes precedence."),
        .one("access", "public|package|internal", "The access level of the generated code. Default: public."),
        .one("prefix", "NAME", "The prefix of the file names. Default: the document's name."),
        .one("type-prefix", "NAME", "The prefix of all generated types."),
        .one(
            "client", "NAME",
            "The prefix of the client, its servers and security schemes. Default: the title."),
        .many(
            "type-name", "SCHEMA=NAME", "The name of a type; of a nested one by its Swift name, as Pet.Status=State."),
        .many("operation-name", "OPERATION=NAME", "The name of an operation, by its operationId or METHOD /path."),
        .many(
            "property-name", "SCHEMA.PROPERTY=NAME", "The name of a property, or as OPERATION.PARAMETER of a parameter."
        ),
        .one("enums", "open|closed|values", "Enumerations with a case for new values, without, or their values; open."),
        .one("dates", "date|text", "Dates as Date and CalendarDate, or as String. Default: date."),
        .flag("stubs", "Also generate a server: a protocol for each tag, and a router over implementations of them."),
        .flag("examples", "Also generate the document's examples, as a list for a test."),
        .many("import", "MODULE", "A module that each file imports."),
        .one("header", "TEXT", "The comment at the beginning of each file; empty for none."),
        .one(
            "files", "N",
            "Spread the operations over N files of fixed names, and the models too; without it, one file per tag."),
        .one(
            "reference-folder", "FOLDER",
            "The folder that $ref may read files from. Default: the parent of the document's folder."),
        .many("operation", "NAME", "Generate only operations with this operationId, or METHOD /path; * is any text."),
        .many("path", "PATH", "Generate only operations with this path."),
        .many("tag", "NAME", "Generate only operations with this tag."),
        .many("schema", "NAME", "Generate this component schema even if no operation needs it."),
        .many("exclude-operation", "NAME", "Skip operations with this operationId, or METHOD /path."),
        .many("exclude-path", "PATH", "Skip operations with this path."),
        .many("exclude-tag", "NAME", "Skip operations with this tag."),
        .flag("strict", "Treat warnings as errors."),
        .one("report", "FILE", "Write what was found and generated to this file, as JSON."),
        .flag("check", "Write nothing; compare with the files on disk and fail if one differs."),
        .flag("list-outputs", "Print the names of the files that would be written, and do nothing else."),
    ]

    static func configuration(_ arguments: CommandArguments) throws(UsageError) -> GeneratorConfiguration {
        let access = arguments.text("access") ?? "public"
        guard let level = GeneratorConfiguration.AccessLevel(rawValue: access) else {
            throw UsageError(message: "--access must be public, package or internal; found \(access)")
        }
        var configuration = GeneratorConfiguration(
            accessLevel: level, filePrefix: arguments.text("prefix"), typePrefix: arguments.text("type-prefix"),
            chunkCount: try arguments.number("files", in: 1...256), filter: filter(arguments))
        configuration.imports = arguments.texts("import")
        configuration.header = arguments.text("header")
        configuration.clientName = arguments.text("client")
        configuration.names = NameOverrides(
            types: try names("type-name", arguments), operations: try names("operation-name", arguments),
            properties: try names("property-name", arguments))
        configuration.stubs = arguments.flag("stubs")
        configuration.examples = arguments.flag("examples")
        configuration.enumerations = try choice("enums", arguments) ?? .open
        configuration.dates = try choice("dates", arguments) ?? .date
        return configuration
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ option: String, _ arguments: CommandArguments
    ) throws(UsageError) -> Choice? {
        guard let text = arguments.text(option) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError(message: "--\(option) must be one of \(known); found \(text)")
        }
        return choice
    }

    private static func names(_ option: String, _ arguments: CommandArguments) throws(UsageError) -> [String: String] {
        guard let names = NameOverrides.pairs(arguments.texts(option)) else {
            throw UsageError(message: "--\(option) is a name in the document, =, and the name in Swift")
        }
        for name in names.values where name.wholeMatch(of: /[\p{L}_][\p{L}\p{N}_]*/) == nil {
            throw UsageError(message: "--\(option): '\(name)' isn't a name in Swift")
        }
        return names
    }

    static func filter(_ arguments: CommandArguments) -> DocumentFilter {
        DocumentFilter(
            operations: arguments.texts("operation"), paths: arguments.texts("path"), tags: arguments.texts("tag"),
            schemas: arguments.texts("schema"), excludedOperations: arguments.texts("exclude-operation"),
            excludedPaths: arguments.texts("exclude-path"), excludedTags: arguments.texts("exclude-tag"))
    }
}
