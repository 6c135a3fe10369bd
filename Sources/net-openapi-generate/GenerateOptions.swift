import NetOpenAPI

/// The options of a generation.
enum GenerateOptions {
    static let all: [CommandOption] = [
        .one(
            "output", "FOLDER",
            "The folder for the generated files; it is made when it is missing. - writes to standard output.",
            letter: "o"),
        .one("config", "FILE", "A file with these options, JSON or YAML; what the command line says counts more."),
        .one("access", "public|package|internal", "The access level of what is generated; public unless set."),
        .one("prefix", "NAME", "What the names of the files start with; the document's name unless set."),
        .one("type-prefix", "NAME", "What the names of all generated types start with."),
        .one(
            "files", "N",
            "Spread the operations over N files of fixed names, and the models too; a file for each tag unless set."),
        .one(
            "reference-folder", "FOLDER",
            "The folder that $ref may read files in; the one above the document's own unless set."),
        .many("operation", "NAME", "Generate only operations of this operationId, or METHOD /path; * is any text."),
        .many("path", "PATH", "Generate only operations of this path."),
        .many("tag", "NAME", "Generate only operations with this tag."),
        .many("schema", "NAME", "Generate this component schema, whether an operation needs it or not."),
        .many("exclude-operation", "NAME", "Leave out operations of this operationId, or METHOD /path."),
        .many("exclude-path", "PATH", "Leave out operations of this path."),
        .many("exclude-tag", "NAME", "Leave out operations with this tag."),
        .flag("strict", "Stop at a warning as at an error."),
        .one("report", "FILE", "A file for what was found and made, as JSON."),
        .flag("check", "Write nothing; compare with the files on disk and fail when one differs."),
        .flag("list-outputs", "Print the names of the files that would be written, and do nothing else."),
    ]

    static func configuration(_ arguments: CommandArguments) throws(UsageError) -> GeneratorConfiguration {
        let access = arguments.text("access") ?? "public"
        guard let level = GeneratorConfiguration.AccessLevel(rawValue: access) else {
            throw UsageError(message: "--access is public, package or internal; found \(access)")
        }
        return GeneratorConfiguration(
            accessLevel: level, filePrefix: arguments.text("prefix"), typePrefix: arguments.text("type-prefix"),
            chunkCount: try arguments.number("files", in: 1...256), filter: filter(arguments))
    }

    static func filter(_ arguments: CommandArguments) -> DocumentFilter {
        DocumentFilter(
            operations: arguments.texts("operation"), paths: arguments.texts("path"), tags: arguments.texts("tag"),
            schemas: arguments.texts("schema"), excludedOperations: arguments.texts("exclude-operation"),
            excludedPaths: arguments.texts("exclude-path"), excludedTags: arguments.texts("exclude-tag"))
    }
}
