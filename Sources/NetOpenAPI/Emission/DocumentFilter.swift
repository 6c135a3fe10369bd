/// What of a document is generated: everything, unless something is named.
///
///     let filter = DocumentFilter(tags: ["orders"], excludedOperations: ["deleteOrder"])
///
/// An operation is taken when its `operationId`, its path or one of its tags is named, or when none of the three is;
/// and left out when an exclusion names it. Of the schemas only those are read that the operations lead to, and those
/// that are named. A `*` in a name stands for any text.
public struct DocumentFilter: Sendable, Hashable {
    /// Operations by `operationId`, or by method and path: `GET /orders`.
    public var operations: [String]
    /// Paths as the document has them.
    public var paths: [String]
    /// Tags of operations.
    public var tags: [String]
    /// Component schemas that are generated whether an operation needs them or not.
    public var schemas: [String]
    /// Operations that are left out, named as in ``operations``.
    public var excludedOperations: [String]
    /// Paths that are left out.
    public var excludedPaths: [String]
    /// Tags whose operations are left out.
    public var excludedTags: [String]

    /// Takes the names; the default is everything.
    public init(
        operations: [String] = [], paths: [String] = [], tags: [String] = [], schemas: [String] = [],
        excludedOperations: [String] = [], excludedPaths: [String] = [], excludedTags: [String] = []
    ) {
        self.operations = operations
        self.paths = paths
        self.tags = tags
        self.schemas = schemas
        self.excludedOperations = excludedOperations
        self.excludedPaths = excludedPaths
        self.excludedTags = excludedTags
    }

    /// Whether everything is generated, schemas that nothing refers to included.
    public var isEverything: Bool { self == DocumentFilter() }

    /// Whether an operation is generated.
    func admits(identifier: String?, method: String, path: String, tags operationTags: [String]) -> Bool {
        let names = [identifier, "\(method) \(path)"].compactMap { $0 }
        if Self.names(excludedOperations, any: names) || Self.names(excludedPaths, any: [path])
            || Self.names(excludedTags, any: operationTags)
        {
            return false
        }
        if operations.isEmpty, paths.isEmpty, tags.isEmpty { return schemas.isEmpty }
        return Self.names(operations, any: names) || Self.names(paths, any: [path])
            || Self.names(tags, any: operationTags)
    }

    /// Whether a component schema is generated for its own sake.
    func admits(schema name: String) -> Bool { isEverything || Self.names(schemas, any: [name]) }

    private static func names(_ patterns: [String], any texts: [String]) -> Bool {
        patterns.contains { pattern in texts.contains { matches($0, pattern) } }
    }

    /// Whether a text is the pattern, `*` standing for any text.
    static func matches(_ text: String, _ pattern: String) -> Bool {
        let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
        guard parts.count > 1, let first = parts.first, let last = parts.last else { return text == pattern }
        guard text.hasPrefix(first) else { return false }
        var rest = text.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(last)
    }
}
