package import HTTPTypes
internal import NetCore

/// Header rules for both sides of the opening handshake.
package enum HandshakeFields {
    /// Headers that the handshake itself sets, and those that would give it a body. A request can't set them.
    package static let owned: Set<HTTPField.Name> = [
        .upgrade, .connection, .secWebSocketKey, .secWebSocketVersion, .secWebSocketProtocol, .secWebSocketExtensions,
        .secWebSocketAccept, .contentLength, .transferEncoding, .trailer, .expect, host,
    ]

    // swift-http-types marks `Host` as unavailable, since requests have an authority.
    private static let host = HTTPField.Name("Host")

    /// Returns the elements of a comma-separated list, without empty ones (RFC 9110 section 5.6.1).
    package static func list(_ value: String?) -> [String] {
        guard let value else { return [] }
        return value.split(separator: ",").map { element in
            String(element.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
        }.filter { !$0.isEmpty }
    }

    /// Returns true if a list contains a token, ignoring case; `token` is in lowercase.
    static func list(_ value: String?, has token: String) -> Bool {
        list(value).contains { $0.lowercased() == token }
    }

    /// Returns true if text is a token (RFC 9110 section 5.6.2), as a subprotocol must be.
    static func isToken(_ text: String) -> Bool {
        HTTPField.Name(text) != nil
    }
}
