/// One file of generated code.
public struct GeneratedFile: Sendable, Hashable {
    /// The file's name, without a directory.
    public var name: String
    /// The source text, to be written as UTF-8; it ends with a line break.
    public var contents: String

    /// Creates a file with a name and contents.
    public init(name: String, contents: String) {
        self.name = name
        self.contents = contents
    }
}

/// The result of generating code from a document.
public struct GeneratorResult: Sendable {
    /// The generated files: servers, operations and models; empty after an error.
    public var files: [GeneratedFile]
    /// The diagnostics; the document's own come first.
    public var diagnostics: [Diagnostic]
    /// The number of operations that have a request type.
    public var operationCount: Int
    /// The number of types generated from the document's components; nested types aren't counted.
    public var modelCount: Int
    /// Counts of what the document contains and what was generated from it.
    public var statistics: GeneratorStatistics

    /// True if a diagnostic is an error; there are no files then.
    public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}

/// Counts of what a document contains and what was generated from it.
public struct GeneratorStatistics: Sendable, Hashable {
    /// The number of operations under `paths`, after the filter.
    public var operationsFound = 0
    /// The number of operations without a request type; a warning gives the reason for each.
    public var operationsSkipped = 0
    /// The number of schemas in `components`, after the filter.
    public var schemasFound = 0
    /// The number of schemas in `components` without a type of their own; a warning gives the reason for each.
    public var schemasSkipped = 0
    /// The number of schemas that were read, including inline schemas.
    public var schemaNodes = 0
    /// The number of schemas that became free-form JSON although they restrict their values.
    public var freeFormNodes = 0
    /// The total number of lines of all files.
    public var lines = 0

    /// Creates statistics with all counts at zero.
    public init() {}
}
