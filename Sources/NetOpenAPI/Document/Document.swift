/// An OpenAPI document as it was read: its tree, where it came from, and what was noticed.
///
/// A `DocumentLoader` makes it. Whatever the document holds, the tree is there as written; `diagnostics` says what is
/// wrong with it, and `hasErrors` whether code can be generated.
public struct Document: Sendable {
    /// The tree.
    public var root: Node
    /// The file as the user named it, the one in positions.
    public var name: String
    /// The file's absolute path without symbolic links; nil when the document came as bytes.
    public var path: String?
    /// The absolute path of the folder that `$ref` may reach files in; nil when the document came as bytes.
    public var referenceFolder: String?
    /// The version that the `openapi` field states; nil when it is missing or not supported.
    public var version: SpecificationVersion?
    /// Warnings of the readers, and what the document's frame lacks.
    public var diagnostics: [Diagnostic]

    /// Puts a document together; a `DocumentLoader` does it from a file.
    public init(
        root: Node, name: String, path: String? = nil, referenceFolder: String? = nil,
        version: SpecificationVersion? = nil, diagnostics: [Diagnostic] = []
    ) {
        self.root = root
        self.name = name
        self.path = path
        self.referenceFolder = referenceFolder
        self.version = version
        self.diagnostics = diagnostics
    }

    /// Whether a diagnostic is an error, so that no output may be written.
    public var hasErrors: Bool {
        diagnostics.contains { $0.severity == .error }
    }
}
