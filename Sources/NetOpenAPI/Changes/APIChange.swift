/// One difference between two versions of a document.
public struct APIChange: Hashable, Sendable, CustomStringConvertible {
    /// Whether it breaks those who use the older version: what they send is refused, what they read changes, or code that
    /// calls the generated types no longer compiles.
    public var isBreaking: Bool
    /// Where: an operation by method and path, or a type.
    public var place: String
    /// One sentence: what is different.
    public var message: String

    /// Says what is different where.
    public init(isBreaking: Bool, place: String, message: String) {
        self.isBreaking = isBreaking
        self.place = place
        self.message = message
    }

    /// `breaking: GET /pets: the parameter 'limit' is gone`
    public var description: String { "\(isBreaking ? "breaking" : "compatible"): \(place): \(message)" }
}

/// What is different between two versions of a document, for those who call the API.
///
///     let report = try APIChanges(from: DocumentLoader().load(path: "v1.yaml"), to: DocumentLoader().load(path: "v2.yaml"))
///     for change in report.changes where change.isBreaking { print(change) }
public struct APIChanges: Sendable {
    /// The differences: operations in the older document's order, then types, then what is new.
    public let changes: [APIChange]

    /// Compares two documents.
    ///
    /// - Throws: The first error of a document that cannot become code.
    public init(from old: Document, to new: Document, filter: DocumentFilter = DocumentFilter()) throws(Diagnostic) {
        let old = try Self.model(old, filter)
        let new = try Self.model(new, filter)
        var comparison = APIComparison(old: old, new: new)
        comparison.compareOperations()
        comparison.compareTypes()
        changes = comparison.changes
    }

    /// Whether any of them breaks those who use the older version.
    public var isBreaking: Bool { changes.contains(where: \.isBreaking) }

    private static func model(_ document: Document, _ filter: DocumentFilter) throws(Diagnostic) -> APIModel {
        if let error = document.diagnostics.first(where: { $0.severity == .error }) { throw error }
        return APIModelPlanner.plan(
            document, configuration: GeneratorConfiguration(filter: filter),
            resolver: ReferenceResolver(document: document), log: DiagnosticLog())
    }
}
