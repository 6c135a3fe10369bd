/// An error, a warning or a note about a document.
public struct Diagnostic: Hashable, Sendable, Error, CustomStringConvertible {
    /// The severity of a diagnostic. An error means that no output is written.
    public enum Severity: String, Sendable, Hashable {
        /// No code can be generated from the document.
        case error
        /// Code is generated, but a part of the document is lost or doubtful.
        case warning
        /// Useful information.
        case note
    }

    /// The severity.
    public var severity: Severity
    /// One sentence: what is wrong, and how to fix it.
    public var message: String
    /// The position in the document; nil if the document couldn't be read at all.
    public var position: SourcePosition?
    /// The JSON pointer of the node, such as `/paths/~1pets/get`; nil if there is none.
    public var pointer: String?

    /// Creates a diagnostic.
    public init(_ severity: Severity, _ message: String, at position: SourcePosition? = nil, pointer: String? = nil) {
        self.severity = severity
        self.message = message
        self.position = position
        self.pointer = pointer
    }

    /// The diagnostic as text: `openapi.yaml:12:7: error: … [/paths/~1pets/get]`.
    public var description: String {
        let place = position.map { "\($0): " } ?? ""
        let suffix = pointer.map { " [\($0)]" } ?? ""
        return "\(place)\(severity.rawValue): \(message)\(suffix)"
    }
}
