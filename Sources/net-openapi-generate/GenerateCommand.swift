#if Tools
import ArgumentParser
import NetOpenAPI

/// `net-openapi-generate`: an OpenAPI document in, Swift files out.
@main
struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "net-openapi-generate",
        abstract: "Generates a typed Swift client from an OpenAPI 3.0, 3.1 or 3.2 document.",
        discussion: """
            Warnings and errors go to standard error, one a line, as file:line:column. After an error nothing is \
            written and the exit code is not 0. Files whose contents are the same are left alone.
            """,
        version: "0.1.0")

    @Argument(help: "The document, JSON or YAML; - reads standard input.")
    var document: String

    @Option(
        name: .shortAndLong,
        help: "The folder for the generated files; it is made when it is missing. - writes to standard output.")
    var output: String?

    @Option(help: "The access level of what is generated.")
    var access: AccessOption = .public

    @Option(help: "What the names of the files start with; the document's name unless set.")
    var prefix: String?

    @Option(help: "What the names of all generated types start with.")
    var typePrefix: String?

    @Option(help: "How many files the operations are spread over, and the models.")
    var files: Int = GeneratorConfiguration().chunkCount

    @Option(help: "The folder that $ref may read files in; the one above the document's own unless set.")
    var referenceFolder: String?

    @Option(help: "Generate only operations of this operationId, or METHOD /path. May be repeated; * is any text.")
    var operation: [String] = []

    @Option(help: "Generate only operations of this path. May be repeated.")
    var path: [String] = []

    @Option(help: "Generate only operations with this tag. May be repeated.")
    var tag: [String] = []

    @Option(help: "Generate this component schema, whether an operation needs it or not. May be repeated.")
    var schema: [String] = []

    @Option(help: "Leave out operations of this operationId, or METHOD /path. May be repeated.")
    var excludeOperation: [String] = []

    @Option(help: "Leave out operations of this path. May be repeated.")
    var excludePath: [String] = []

    @Option(help: "Leave out operations with this tag. May be repeated.")
    var excludeTag: [String] = []

    @Flag(help: "Stop at a warning as at an error.")
    var strict = false

    @Option(help: "A file for what was found and made, as JSON.")
    var report: String?

    @Flag(help: "Write nothing; compare with the files on disk and fail when one differs.")
    var check = false

    @Flag(help: "Print the names of the files that would be written, and do nothing else.")
    var listOutputs = false

    @Option(help: ArgumentHelp("A folder for sample calls and a table of answers.", visibility: .private))
    var samples: String?

    @Option(help: ArgumentHelp("The module that the sample calls import.", visibility: .private))
    var samplesModule: String = "API"

    func validate() throws {
        guard (1...256).contains(files) else {
            throw ValidationError("--files is a number from 1 to 256; found \(files)")
        }
        guard !document.isEmpty else { throw ValidationError("the path of the document is empty") }
        guard listOutputs || output?.isEmpty == false else {
            throw ValidationError("--output is missing; name the folder for the generated files")
        }
    }

    func run() throws {
        let configuration = GeneratorConfiguration(
            accessLevel: access.level, filePrefix: prefix, typePrefix: typePrefix, chunkCount: files,
            filter: DocumentFilter(
                operations: operation, paths: path, tags: tag, schemas: schema, excludedOperations: excludeOperation,
                excludedPaths: excludePath, excludedTags: excludeTag))
        if listOutputs {
            for name in configuration.outputFileNames(forDocument: document) { Console.print(name) }
            return
        }
        let generation = Generation(
            document: document, folder: OutputFolder(path: output ?? ""), configuration: configuration,
            referenceFolder: referenceFolder, isStrict: strict, report: report)
        guard generation.run(isCheck: check) else { throw ExitCode.failure }
        if let samples {
            let writing = SampleWriting(
                document: document, folder: OutputFolder(path: samples), module: samplesModule,
                referenceFolder: referenceFolder)
            guard writing.run(configuration) else { throw ExitCode.failure }
        }
    }
}

/// The values of `--access`.
enum AccessOption: String, CaseIterable, ExpressibleByArgument {
    case `public`, package, `internal`

    var level: GeneratorConfiguration.AccessLevel {
        switch self {
        case .public: .public
        case .package: .package
        case .internal: .internal
        }
    }
}
#else
/// Without swift-argument-parser there is no command line to read.
@main
struct GenerateCommand {
    static func main() {
        Console.printError("net-openapi-generate is built without the package trait Tools; turn it on and build again")
        Console.exitWithFailure()
    }
}
#endif
