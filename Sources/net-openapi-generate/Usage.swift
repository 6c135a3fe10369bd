/// The text of `--help`.
enum Usage {
    static let version = "0.1.0"

    static func generate() -> String {
        """
        OVERVIEW: Generates a typed Swift client from an OpenAPI 3.0, 3.1 or 3.2 document.

        Warnings and errors go to standard error, one a line, as file:line:column. After an error nothing is
        written and the exit code is not 0. Unchanged files are not rewritten.

        USAGE: net-openapi-generate DOCUMENT --output FOLDER [options]
               net-openapi-generate --config FILE
               net-openapi-generate diff OLD NEW [options]

        DOCUMENT is JSON or YAML; - reads standard input.

        OPTIONS:
        \(table(GenerateOptions.all + [helpOption, versionOption]))
        """
    }

    static func diff() -> String {
        """
        OVERVIEW: Lists the differences between two versions of a document that affect callers of the API.

        USAGE: net-openapi-generate diff OLD NEW [options]

        The exit code is 0 when nothing breaks, 2 when something does, 1 when a document cannot be read.

        OPTIONS:
        \(table(DiffCommand.options + [helpOption]))
        """
    }

    private static let helpOption = CommandOption(name: "help", letter: "h", help: "Show this text.")
    private static let versionOption = CommandOption.flag("version", "Show the version.")

    private static func table(_ options: [CommandOption]) -> String {
        options.map { option in
            let letter = option.letter.map { "-\($0), " } ?? ""
            let head = "  \(letter)--\(option.name)\(option.value.map { " " + $0 } ?? "")"
            return "\(head)\n          \(option.help)"
        }.joined(separator: "\n")
    }
}
