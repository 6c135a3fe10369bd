/// What a `$ref` points to.
public struct ResolvedReference: Sendable {
    /// The node; it may be a reference itself.
    public var node: Node
    /// The file that holds it, as positions name it.
    public var file: String
    /// The JSON pointer of the node in that file, escaped; empty for the whole file.
    public var pointer: String
    /// The last segment of the pointer, unescaped; nil for a whole file.
    public var name: String?

    /// Puts a target together.
    public init(node: Node, file: String, pointer: String, name: String?) {
        self.node = node
        self.file = file
        self.pointer = pointer
        self.name = name
    }
}
