/// The result of parsing one file: its tree and the warnings.
package struct ParsedText: Sendable {
    package var root: Node
    package var warnings: [Diagnostic]
}

/// The limits of all parsers, so that no document can exhaust the stack or the memory.
enum ReadingLimits {
    /// The maximum nesting depth of arrays and objects.
    static let maximumDepth = 512
    /// The maximum number of nodes that the aliases of one YAML document may add to it.
    static let maximumAliasedNodes = 1_000_000
    /// The maximum number of files of one document.
    static let maximumFiles = 4096
}
