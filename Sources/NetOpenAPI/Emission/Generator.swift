/// Turns an OpenAPI document into Swift source that needs NetCore alone.
///
///     let document = try DocumentLoader().load(path: "openapi.yaml")
///     let result = Generator(configuration: GeneratorConfiguration()).generate(document: document)
///
/// The same document and configuration always give the same bytes.
public struct Generator: Sendable {
    /// How code is generated.
    public var configuration: GeneratorConfiguration

    /// Takes the configuration.
    public init(configuration: GeneratorConfiguration = GeneratorConfiguration()) {
        self.configuration = configuration
    }

    /// Generates the files. What cannot be expressed becomes a warning and free-form JSON; a document whose own
    /// diagnostics hold an error yields no files.
    public func generate(document: Document) -> GeneratorResult {
        let plan = plan(document)
        guard let context = plan.context else {
            return GeneratorResult(files: [], diagnostics: plan.diagnostics, operationCount: 0, modelCount: 0)
        }
        let models = ModelEmitter(context)
        let operations = OperationEmitter(context: context, models: models)
        let source = FileLayout(configuration: configuration, document: document.name)
        var chunks = FileLayout.Chunks(count: configuration.chunkCount)
        for index in context.model.operations.indices {
            chunks.add(operation: context.names.operations[index].type) { operations.emit(index, &$0) }
        }
        for id in models.topLevel { chunks.add(model: context.names.local(id)) { models.emit(id, &$0) } }
        var servers = SourceWriter()
        ServersEmitter(context: context, name: Self.serversName(document, configuration)).emit(&servers)
        return GeneratorResult(
            files: source.files(servers: servers.text, chunks: chunks), diagnostics: plan.diagnostics,
            operationCount: context.model.operations.count, modelCount: models.topLevel.count)
    }

    /// The first two stages: the model and its names; no context after an error.
    func plan(_ document: Document) -> (context: SwiftContext?, diagnostics: [Diagnostic]) {
        guard !document.hasErrors else { return (nil, document.diagnostics) }
        let log = DiagnosticLog()
        let resolver = ReferenceResolver(document: document)
        let model = APIModelPlanner.plan(document, resolver: resolver, log: log)
        let prefix = configuration.typePrefix.map { SwiftIdentifier.upperCamel($0) } ?? ""
        let names = SwiftNames(model, typePrefix: prefix, reserved: [Self.serversName(document, configuration)])
        let context = SwiftContext(model: model, names: names, configuration: configuration)
        return (context, document.diagnostics + resolver.warnings + log.entries)
    }

    private static func serversName(_ document: Document, _ configuration: GeneratorConfiguration) -> String {
        SwiftIdentifier.upperCamel(configuration.stem(forDocument: document.name)) + "Servers"
    }
}
