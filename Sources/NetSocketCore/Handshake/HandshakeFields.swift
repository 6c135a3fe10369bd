internal import HTTPTypes
internal import NetCore

/// What both sides of the opening handshake read in fields.
enum HandshakeFields {
    /// Fields that the handshake itself sets, and those that would give it a body. A request cannot set them.
    static let owned: Set<HTTPField.Name> = [
        .upgrade, .connection, .secWebSocketKey, .secWebSocketVersion, .secWebSocketProtocol, .secWebSocketExtensions,
        .secWebSocketAccept, .contentLength, .transferEncoding, .trailer, .expect, host,
    ]

    // swift-http-types has `Host` as unavailable: requests have an authority.
    private static let host = HTTPField.Name(literal: "Host")

    /// The elements of a comma-separated list; empty ones are no elements (RFC 9110 section 5.6.1).
    static func list(_ value: String?) -> [String] {
        guard let value else { return [] }
        return value.split(separator: ",").map { element in
            String(element.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
        }.filter { !$0.isEmpty }
    }

    /// Whether a list holds a token, in any case.
    static func list(_ value: String?, has token: String) -> Bool {
        list(value).contains { $0.lowercased() == token }
    }

    /// Whether text is a token (RFC 9110 section 5.6.2), as a subprotocol must be.
    static func isToken(_ text: String) -> Bool {
        HTTPField.Name(text) != nil
    }
}
