/// One file of generated code.
public struct GeneratedFile: Sendable, Hashable {
    /// The file's name, without a folder.
    public var name: String
    /// The text, UTF-8, with a line end at the end.
    public var contents: String

    /// Pairs a name with a text.
    public init(name: String, contents: String) {
        self.name = name
        self.contents = contents
    }
}

/// What a document became.
public struct GeneratorResult: Sendable {
    /// The files: servers, operations, models; none after an error.
    public var files: [GeneratedFile]
    /// What was noticed, the document's own diagnostics first.
    public var diagnostics: [Diagnostic]
    /// How many operations have a request type.
    public var operationCount: Int
    /// How many types were made of the document's components, nested types not counted.
    public var modelCount: Int
    /// What was found in the document, and what became of it.
    public var statistics: GeneratorStatistics

    /// Whether a diagnostic is an error, so that there are no files.
    public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}

/// What a document holds, and what became of it.
public struct GeneratorStatistics: Sendable, Hashable {
    /// Operations below `paths`, after the filter.
    public var operationsFound = 0
    /// Operations that have no request type; a warning says why.
    public var operationsSkipped = 0
    /// Schemas of `components`, after the filter.
    public var schemasFound = 0
    /// Schemas of `components` that have no type of their own; a warning says why.
    public var schemasSkipped = 0
    /// Schemas that were read, those in place included.
    public var schemaNodes = 0
    /// Schemas that say more than "anything" and became free-form JSON.
    public var freeFormNodes = 0
    /// Lines of all files.
    public var lines = 0

    /// Nothing yet.
    public init() {}
}
