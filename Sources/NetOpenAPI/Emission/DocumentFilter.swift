/// The parts of a document for which code is generated. Default: everything.
///
///     let filter = DocumentFilter(tags: ["orders"], excludedOperations: ["deleteOrder"])
///
/// An operation is included if its `operationId`, its path or one of its tags is named, or if the filter names no
/// operations, paths, tags or schemas; it is excluded if an exclusion names it. Schemas are included if an included
/// operation needs them, or if they are named. A `*` in a name matches any text.
public struct DocumentFilter: Sendable, Hashable {
    /// Operations to include, by `operationId`, or by method and path: `GET /orders`.
    public var operations: [String]
    /// Paths to include, as written in the document.
    public var paths: [String]
    /// Tags whose operations are included.
    public var tags: [String]
    /// Component schemas to include even if no operation needs them.
    public var schemas: [String]
    /// Operations to exclude, named as in ``operations``.
    public var excludedOperations: [String]
    /// Paths to exclude.
    public var excludedPaths: [String]
    /// Tags whose operations are excluded.
    public var excludedTags: [String]

    /// Creates a filter. Default: everything.
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

    /// True if everything is generated, including schemas without references to them.
    public var isEverything: Bool { self == DocumentFilter() }

    /// Returns true if an operation is generated.
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

    /// Returns true if a component schema is generated even if no operation needs it.
    func admits(schema name: String) -> Bool { isEverything || Self.names(schemas, any: [name]) }

    private static func names(_ patterns: [String], any texts: [String]) -> Bool {
        patterns.contains { pattern in texts.contains { matches($0, pattern) } }
    }

    /// Returns true if a text matches the pattern, in which `*` matches any text.
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
