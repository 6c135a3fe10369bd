/// The target of a `$ref`.
public struct ResolvedReference: Sendable {
    /// The node; it may be a reference as well.
    public var node: Node
    /// The file that contains the node, by its name in positions.
    public var file: String
    /// The JSON pointer of the node in that file, escaped; empty for the whole file.
    public var pointer: String
    /// The last segment of the pointer, unescaped; nil for a whole file.
    public var name: String?

    /// Creates a resolved reference.
    public init(node: Node, file: String, pointer: String, name: String?) {
        self.node = node
        self.file = file
        self.pointer = pointer
        self.name = name
    }
}
