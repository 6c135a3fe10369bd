/// An OpenAPI document as it was read: its tree, its source, and its diagnostics.
///
/// A `DocumentLoader` creates it. The tree contains everything as written, whether it is valid or not. `diagnostics`
/// lists the problems, and `hasErrors` is true if no code can be generated.
public struct Document: Sendable {
    /// The root of the tree.
    public var root: Node
    /// The file name as the user gave it; positions contain it.
    public var name: String
    /// The file's absolute path without symbolic links; nil if the document was read from bytes.
    public var path: String?
    /// The absolute path of the folder that contains all files `$ref` may refer to; nil if the document was read from
    /// bytes.
    public var referenceFolder: String?
    /// The version in the `openapi` field; nil if it is missing or not supported.
    public var version: SpecificationVersion?
    /// The warnings of the parsers, and problems with the document's top-level fields.
    public var diagnostics: [Diagnostic]

    /// Creates a document; a `DocumentLoader` creates one from a file.
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

    /// True if a diagnostic is an error, so that no output may be written.
    public var hasErrors: Bool {
        diagnostics.contains { $0.severity == .error }
    }
}
