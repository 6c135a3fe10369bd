/// Certificates or a private key in PEM (RFC 7468), as text or as the file that contains them.
///
/// A transport reads it when it starts. A file is read again later: the next connection uses a renewed client
/// certificate, and renewed authorities apply within a day. The contents are never printed.
///
///     let authority = PEM.file("/etc/company/ca.pem")
public struct PEM: Sendable, Hashable {
    package enum Source: Sendable, Hashable {
        case text(String)
        case file(String)
    }

    package let source: Source

    /// Creates PEM from its text.
    public static func text(_ text: String) -> PEM { PEM(source: .text(text)) }

    /// Creates PEM from the path of a file.
    public static func file(_ path: String) -> PEM { PEM(source: .file(path)) }
}

extension PEM: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `PEM text`, or the path of the file.
    public var description: String {
        switch source {
        case .text: "PEM text"
        case .file(let path): "PEM file \(path)"
        }
    }

    public var debugDescription: String { description }

    /// No children, since the text may contain a private key.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
