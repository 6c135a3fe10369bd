public import HTTPTypes

/// An option of the `Connection` header, which applies only to this connection (RFC 9110 section 7.6.1).
///
/// HTTP/2 doesn't have this header, so it isn't sent there (RFC 9113 section 8.2.2).
///
///     var headers = HTTPFields()
///     headers.connection = [.close]
///     print(headers[.connection] ?? "")  // close
public struct ConnectionOption: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral {
    /// The option in lowercase.
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue.lowercased() }
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// Closes the connection after this response.
    public static let close: ConnectionOption = "close"
    /// Keeps the connection open, the default since HTTP/1.1.
    public static let keepAlive: ConnectionOption = "keep-alive"
    /// Applies the `Upgrade` header.
    public static let upgrade: ConnectionOption = "upgrade"
}

extension HTTPFields {
    /// The options of the `Connection` header, in order; elements that aren't tokens are skipped. Setting none removes
    /// the header.
    public var connection: [ConnectionOption] {
        get {
            let elements = self[.connection]?.split(separator: ",") ?? []
            return elements.compactMap { element in
                var reader = FieldValueReader(element)
                return reader.token().map { ConnectionOption(rawValue: $0) }
            }
        }
        set {
            let text = newValue.map(\.rawValue).filter(FieldValueReader.isToken).joined(separator: ", ")
            self[.connection] = text.isEmpty ? nil : text
        }
    }
}
