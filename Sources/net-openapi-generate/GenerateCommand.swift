import NetOpenAPI

/// `net-openapi-generate`: generates Swift files from an OpenAPI document.
@main
enum GenerateCommand {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do throws(UsageError) {
            Console.exit(try arguments.first == "diff" ? DiffCommand.run(Array(arguments.dropFirst())) : run(arguments))
        } catch {
            Console.printError("error: \(error.message)\nsee net-openapi-generate --help")
            Console.exit(64)
        }
    }

    /// Runs the command and returns its exit code.
    private static func run(_ words: [String]) throws(UsageError) -> Int32 {
        let ownWords = words.prefix { $0 != "--" }
        if ownWords.contains("--help") || ownWords.contains("-h") {
            Console.print(Usage.generate())
            return 0
        }
        if ownWords.contains("--version") {
            Console.print(Usage.version)
            return 0
        }
        var arguments = try CommandArguments(words, options: GenerateOptions.all)
        do throws(Diagnostic) {
            if let path = arguments.path("config") { arguments.complete(with: try ConfigurationFile.read(path)) }
        } catch {
            Console.printError(error.description)
            return 1
        }
        guard arguments.positional.count < 2 else {
            throw UsageError(
                message: "only one document can be given; '\(arguments.positional[1])' is an extra argument")
        }
        guard let document = (arguments.positional.first ?? arguments.text("document")).map(HomePath.expanded) else {
            throw UsageError(message: "the document is missing; name an OpenAPI document, JSON or YAML")
        }
        guard !document.isEmpty else { throw UsageError(message: "the path of the document is empty") }
        return try generate(document, arguments) ? 0 : 1
    }

    private static func generate(_ document: String, _ arguments: CommandArguments) throws(UsageError) -> Bool {
        let configuration = try GenerateOptions.configuration(arguments)
        let isList = arguments.flag("list-outputs")
        let output = arguments.path("output") ?? ""
        guard isList || !output.isEmpty else {
            throw UsageError(message: "--output is missing; name the folder for the generated files")
        }
        let generation = Generation(
            document: document, folder: OutputFolder(path: output), configuration: configuration,
            referenceFolder: arguments.path("reference-folder"), isStrict: arguments.flag("strict"),
            report: arguments.path("report"))
        if isList { return generation.listOutputs() }
        return generation.run(isCheck: arguments.flag("check"))
    }
}
