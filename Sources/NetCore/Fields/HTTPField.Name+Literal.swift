public import HTTPTypes

// A type of our own for header names would make every header of swift-http-types convert twice.
// swift-format-ignore: AvoidRetroactiveConformances
extension HTTPField.Name: @retroactive ExpressibleByUnicodeScalarLiteral {}
// swift-format-ignore: AvoidRetroactiveConformances
extension HTTPField.Name: @retroactive ExpressibleByExtendedGraphemeClusterLiteral {}
// swift-format-ignore: AvoidRetroactiveConformances
extension HTTPField.Name: @retroactive ExpressibleByStringLiteral {
    /// Creates a name from a literal, such as in `headers: ["X-Total": "7"]` and `head["X-Total"]`.
    ///
    ///     let total: HTTPField.Name = "X-Total"
    ///     let headers: HTTPFields = [total: "7"]
    ///     print(headers["x-total"] ?? "")  // 7
    ///
    /// An invalid literal doesn't trap: no response has such a header, and preparing a request with it throws
    /// `.invalidRequest`. Names that aren't literals are checked by `HTTPField.Name(_:)`, which returns nil.
    public init(stringLiteral name: String) {
        self = HTTPField.Name(name as String) ?? InvalidName.name(name)
    }
}

/// Placeholder names for literals that aren't tokens (RFC 9110 section 5.1).
enum InvalidName {
    private static let prefix = "invalid-name-in-swift-net-"

    /// Returns a valid name that holds the literal.
    fileprivate static func name(_ literal: String) -> HTTPField.Name {
        let escaped = literal.utf8.map { String($0, radix: 16) }.joined(separator: "-")
        // Never nil: the prefix and the digits are a token.
        return HTTPField.Name(prefix + escaped) ?? .contentLength
    }

    /// Returns the literal that a placeholder name represents; nil for any other name.
    static func literal(of name: HTTPField.Name) -> String? {
        guard name.canonicalName.hasPrefix(prefix) else { return nil }
        let bytes = name.canonicalName.dropFirst(prefix.count).split(separator: "-")
        return String(decoding: bytes.compactMap { UInt8($0, radix: 16) }, as: UTF8.self)
    }
}
