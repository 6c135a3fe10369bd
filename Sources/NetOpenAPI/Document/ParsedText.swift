/// What a reader makes of one file: its tree, and what it noticed on the way.
package struct ParsedText: Sendable {
    package var root: Node
    package var warnings: [Diagnostic]
}

/// The limits every reader keeps, so that no document can exhaust the stack or the memory.
enum ReadingLimits {
    /// How deep arrays and objects may nest.
    static let maximumDepth = 512
    /// How many nodes the aliases of one YAML document may add to it.
    static let maximumAliasedNodes = 1_000_000
    /// How many files one document may be spread over.
    static let maximumFiles = 4096
}
