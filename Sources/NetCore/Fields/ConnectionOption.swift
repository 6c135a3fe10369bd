public import HTTPTypes

/// One option of the field `Connection` (RFC 9110 section 7.6.1): what the sender wants of this connection alone.
///
/// HTTP/2 has no such field, and none is sent there (RFC 9113 section 8.2.2).
///
///     var headers = HTTPFields()
///     headers.connection = [.close]
///     print(headers[.connection] ?? "")  // close
public struct ConnectionOption: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral {
    /// The option, lower-cased.
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue.lowercased() }
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// The connection ends after this response.
    public static let close: ConnectionOption = "close"
    /// The connection stays open, as is usual from HTTP/1.1 on.
    public static let keepAlive: ConnectionOption = "keep-alive"
    /// The field `Upgrade` applies.
    public static let upgrade: ConnectionOption = "upgrade"
}

extension HTTPFields {
    /// The options of `Connection`, in their order; what is no token is left out. Setting none removes the field.
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
