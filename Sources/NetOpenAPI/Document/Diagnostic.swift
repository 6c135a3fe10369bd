/// Something the generator has to say about a document.
public struct Diagnostic: Hashable, Sendable, Error, CustomStringConvertible {
    /// How bad it is. An error means that no output is written.
    public enum Severity: String, Sendable, Hashable {
        /// The document cannot become code.
        case error
        /// Code is generated, but something in the document is lost or doubtful.
        case warning
        /// Something worth knowing.
        case note
    }

    /// How bad it is.
    public var severity: Severity
    /// One sentence: what was found, and what to do about it.
    public var message: String
    /// Where; nil when the document could not be read at all.
    public var position: SourcePosition?
    /// The JSON pointer of the node, `/paths/~1pets/get`; nil where there is none.
    public var pointer: String?

    /// Says something about a place.
    public init(_ severity: Severity, _ message: String, at position: SourcePosition? = nil, pointer: String? = nil) {
        self.severity = severity
        self.message = message
        self.position = position
        self.pointer = pointer
    }

    /// `openapi.yaml:12:7: error: … [/paths/~1pets/get]`
    public var description: String {
        let place = position.map { "\($0): " } ?? ""
        let suffix = pointer.map { " [\($0)]" } ?? ""
        return "\(place)\(severity.rawValue): \(message)\(suffix)"
    }
}
