/// A place in a document: the file and the line and column, both counted from 1.
public struct SourcePosition: Hashable, Sendable, CustomStringConvertible {
    /// The file as the user named it.
    public var file: String
    /// The line, from 1.
    public var line: Int
    /// The column in Unicode scalars, from 1.
    public var column: Int

    /// Names a place.
    public init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// `openapi.yaml:12:7`, the form editors and compilers understand.
    public var description: String { "\(file):\(line):\(column)" }
}
