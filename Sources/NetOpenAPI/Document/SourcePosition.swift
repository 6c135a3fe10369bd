/// A position in a document: the file, and the line and column, both starting at 1.
public struct SourcePosition: Hashable, Sendable, CustomStringConvertible {
    /// The file name as the user gave it.
    public var file: String
    /// The line, starting at 1.
    public var line: Int
    /// The column in Unicode scalars, starting at 1.
    public var column: Int

    /// Creates a position.
    public init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// The position as text: `openapi.yaml:12:7`, the form that editors and compilers understand.
    public var description: String { "\(file):\(line):\(column)" }
}
