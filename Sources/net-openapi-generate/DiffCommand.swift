import NetOpenAPI

/// `net-openapi-generate diff OLD NEW`: lists the differences, and which of them are breaking.
enum DiffCommand {
    static let options: [CommandOption] = [
        .flag("breaking", "Print only what breaks callers."),
        .one("report", "FILE", "Write the differences to this file, as JSON."),
        .one("reference-folder", "FOLDER", "The folder that $ref may read files from."),
    ]

    /// Runs the command and returns its exit code.
    static func run(_ arguments: [String]) throws(UsageError) -> Int32 {
        if arguments.contains("--help") || arguments.contains("-h") {
            Console.print(Usage.diff())
            return 0
        }
        let arguments = try CommandArguments(arguments, options: options)
        guard arguments.positional.count == 2 else {
            throw UsageError(message: "diff needs two documents: the older and the newer")
        }
        do throws(Diagnostic) {
            let folder = arguments.path("reference-folder")
            let documents = arguments.positional.map(HomePath.expanded)
            let changes = try APIChanges(
                from: Generation.load(documents[0], folder),
                to: Generation.load(documents[1], folder))
            if let report = arguments.path("report") { try OutputFolder.write(json(changes.changes), to: report) }
            let shown = changes.changes.filter { $0.isBreaking || !arguments.flag("breaking") }
            for change in shown { Console.print(change.description) }
            let count = changes.changes.count(where: \.isBreaking)
            let noun = changes.changes.count == 1 ? "difference" : "differences"
            Console.print("\(changes.changes.count) \(noun), \(count) of them breaking")
            return changes.isBreaking ? 2 : 0
        } catch {
            Console.printError(error.description)
            return 1
        }
    }

    private static func json(_ changes: [APIChange]) -> String {
        let rows = changes.map { change in
            "  {\"breaking\": \(change.isBreaking), \"place\": \(QuotedJSON.quoted(change.place)), "
                + "\"message\": \(QuotedJSON.quoted(change.message))}"
        }
        return "[\n\(rows.joined(separator: ",\n"))\n]\n"
    }
}
