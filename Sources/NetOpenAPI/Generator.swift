/// Generates Swift source from an OpenAPI document. The source imports NetOpenAPIRuntime only.
///
///     let document = try DocumentLoader().load(path: "openapi.yaml")
///     let result = Generator(configuration: GeneratorConfiguration()).generate(document: document)
///
/// The same document and configuration always result in the same bytes.
public struct Generator: Sendable {
    /// The configuration.
    public var configuration: GeneratorConfiguration

    /// Creates a generator.
    public init(configuration: GeneratorConfiguration = GeneratorConfiguration()) {
        self.configuration = configuration
    }

    /// Generates the files. A schema that can't be expressed becomes free-form JSON, with a warning. If the document
    /// has an error diagnostic, the result contains no files.
    public func generate(document: Document) -> GeneratorResult {
        let plan = plan(document)
        guard let context = plan.context else {
            return GeneratorResult(
                files: [], diagnostics: plan.diagnostics, operationCount: 0, modelCount: 0,
                statistics: GeneratorStatistics())
        }
        let models = ModelEmitter(context)
        let operations = OperationEmitter(context: context, models: models)
        var layout = FileLayout()
        for (index, operation) in context.model.operations.enumerated() {
            let tag = operation.tags.first.flatMap { $0.isEmpty ? nil : $0 }
            layout.add(
                operation: context.names.operations[index].type, tag: tag, modules: operations.modules(of: index)
            ) { operations.emit(index, &$0) }
        }
        for group in context.names.failures.groups {
            layout.add(model: group.name, modules: operations.modules(of: group)) { operations.emitShared(group, &$0) }
        }
        for group in context.names.headers.groups where !group.name.isEmpty {
            layout.add(model: group.name, modules: operations.modules(of: group)) {
                operations.emitHeaders(group, name: group.name, &$0)
            }
        }
        for id in models.topLevel {
            layout.add(model: context.names.local(id), modules: models.modules(of: id)) { models.emit(id, &$0) }
        }
        var servers = SourceWriter()
        let whole = wholeNames(document)
        ServersEmitter(context: context, name: whole.servers, type: "BaseURL").emit(
            context.model.servers.filter(\.isAbsolute),
            "The servers that the document names; variables have their defaults.", &servers)
        SecurityEmitter(context: context, name: whole.security).emit(&servers)
        ClientEmitter(context: context, name: whole.client).emit(&servers)
        if configuration.stubs { ServerEmitter(context: context, name: whole.server).emit(&servers) }
        if configuration.examples { ExamplesEmitter(context: context, name: whole.examples).emit(&servers) }
        let files = files(layout.files(servers: servers.text, count: configuration.chunkCount), document)
        var statistics = context.model.statistics
        statistics.lines = files.reduce(0) { $0 + $1.contents.utf8.count { $0 == UInt8(ascii: "\n") } }
        return GeneratorResult(
            files: files, diagnostics: plan.diagnostics, operationCount: context.model.operations.count,
            modelCount: models.topLevel.count, statistics: statistics)
    }

    private func files(
        _ parts: [FileLayout.File], _ document: Document
    ) -> [GeneratedFile] {
        let stem = configuration.stem(forDocument: document.name)
        let source = document.name.split(separator: "/").last.map(String.init) ?? document.name
        return parts.map { part in
            GeneratedFile(
                name: "\(stem)+\(part.name).swift",
                contents: SourceFile.contents(
                    part.text, modules: part.modules, document: source, configuration: configuration,
                    exportsRuntime: part.name == "Servers"))
        }
    }

    /// Runs the first two stages: the model and its names. The context is nil after an error.
    func plan(_ document: Document) -> (context: SwiftContext?, diagnostics: [Diagnostic]) {
        guard !document.hasErrors else { return (nil, document.diagnostics) }
        let log = DiagnosticLog()
        let resolver = ReferenceResolver(document: document)
        var model = APIModelPlanner.plan(document, configuration: configuration, resolver: resolver, log: log)
        var overrides = OverrideUse(configuration.names)
        for place in model.operations.indices {
            let operation = model.operations[place]
            let name = overrides.operation(operation.operationID ?? "\(operation.method) \(operation.path)")
            if let name { model.operations[place].identifier = name }
        }
        KeywordCheck.run(document.root, resolver, filter: configuration.filter, log: log)
        let whole = wholeNames(document)
        let prefix = configuration.typePrefix.map { SwiftIdentifier.upperCamel($0) } ?? ""
        // The types that are nested in requests with their own servers or with links.
        var own: Set<String> = model.operations.contains { !$0.servers.isEmpty } ? ["Servers"] : []
        if model.operations.contains(where: { !$0.links.isEmpty }) { own.insert("Links") }
        if configuration.stubs {
            own.formUnion(ServerEmitter.names(model.operations, whole: whole.server))
            own.insert(whole.server)
        }
        if configuration.examples { own.formUnion([whole.examples, "DocumentExample"]) }
        let names = SwiftNames(
            model, typePrefix: prefix, reserved: own.union([whole.servers, whole.security, whole.client]),
            overrides: &overrides)
        for unused in overrides.unused {
            log.warn("the document has no \(unused) that the configuration names", at: document.root)
        }
        let context = SwiftContext(model: model, names: names, configuration: configuration)
        let told = DiagnosticPointers.added(to: log.entries, resolver.files)
        return (context, document.diagnostics + resolver.warnings + told)
    }

    private func stemName(_ document: Document) -> String { configuration.stem(forDocument: document.name) }

    /// Returns the title of the document as a name; nil if it isn't usable as a name or is too long.
    private func titleName(_ document: Document) -> String? {
        guard configuration.filePrefix == nil, let title = document.root["info"]?["title"]?.text else { return nil }
        let words = SwiftIdentifier.words(title).filter { !["api", "openapi"].contains($0.lowercased()) }
        let name = words.joined(separator: " ")
        let hasLetters = name.contains { $0.isASCII && $0.isLetter }
        return hasLetters && name.count <= 40 ? name : nil
    }

    /// Returns the names of the types for the whole document. The client of `api.json` isn't called `APIClient`,
    /// because NetCore has a type of that name.
    private func wholeNames(_ document: Document) -> (
        servers: String, security: String, client: String, server: String, examples: String
    ) {
        let stem = SwiftIdentifier.upperCamel(configuration.clientName ?? titleName(document) ?? stemName(document))
        func name(_ suffix: String) -> String {
            let name = stem + suffix
            return ReservedNames.types.contains(name) ? "Generated" + name : name
        }
        return (name("Servers"), name("Security"), name("Client"), name("Server"), name("Examples"))
    }
}
