/// Certificates or a private key in PEM (RFC 7468): as text, or as the file that holds them.
///
/// A transport looks at it when it starts. A file is read again later: a renewed client certificate is used by the next
/// connection, renewed authorities within a day. What it holds is never printed.
///
///     let authority = PEM.file("/etc/company/ca.pem")
public struct PEM: Sendable, Hashable {
    package enum Source: Sendable, Hashable {
        case text(String)
        case file(String)
    }

    package let source: Source

    /// The text itself.
    public static func text(_ text: String) -> PEM { PEM(source: .text(text)) }

    /// The path of a file.
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

    /// No children: the text may hold a private key.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
