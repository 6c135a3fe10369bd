/// One difference between two versions of a document.
public struct APIChange: Hashable, Sendable, CustomStringConvertible {
    /// True if the change breaks callers that use the older version: their requests are rejected, the responses they
    /// read change, or code that uses the generated types no longer compiles.
    public var isBreaking: Bool
    /// The place of the change: an operation by method and path, or a type.
    public var place: String
    /// One sentence that describes the change.
    public var message: String

    /// Creates a change.
    public init(isBreaking: Bool, place: String, message: String) {
        self.isBreaking = isBreaking
        self.place = place
        self.message = message
    }

    /// The change as text: `breaking: GET /pets: the parameter 'limit' is gone`.
    public var description: String { "\(isBreaking ? "breaking" : "compatible"): \(place): \(message)" }
}

/// The differences between two versions of a document, from the point of view of a caller of the API.
///
///     let report = try APIChanges(
///         from: DocumentLoader().load(path: "v1.yaml"), to: DocumentLoader().load(path: "v2.yaml"))
///     for change in report.changes where change.isBreaking { print(change) }
public struct APIChanges: Sendable {
    /// The differences: operations in the older document's order, then types, then additions.
    public let changes: [APIChange]

    /// Compares two documents.
    ///
    /// - Throws: The first error of a document for which no code can be generated.
    public init(from old: Document, to new: Document, filter: DocumentFilter = DocumentFilter()) throws(Diagnostic) {
        let old = try Self.model(old, filter)
        let new = try Self.model(new, filter)
        var comparison = APIComparison(old: old, new: new)
        comparison.compareOperations()
        comparison.compareTypes()
        changes = comparison.changes
    }

    /// True if any of the changes is breaking.
    public var isBreaking: Bool { changes.contains(where: \.isBreaking) }

    private static func model(_ document: Document, _ filter: DocumentFilter) throws(Diagnostic) -> APIModel {
        if let error = document.diagnostics.first(where: { $0.severity == .error }) { throw error }
        return APIModelPlanner.plan(
            document, configuration: GeneratorConfiguration(filter: filter),
            resolver: ReferenceResolver(document: document), log: DiagnosticLog())
    }
}
