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
        value.map { elements($0).map { String(Substring($0)) } } ?? []
    }

    /// Returns the elements as bytes: a server reads four lists for each handshake.
    private static func elements(_ value: String) -> [Substring.UTF8View] {
        value.utf8.split(separator: UInt8(ascii: ",")).map { element in
            var element = element
            while let first = element.first, isBlank(first) { element.removeFirst() }
            while let last = element.last, isBlank(last) { element.removeLast() }
            return element
        }.filter { !$0.isEmpty }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// Returns true if a list contains a token, ignoring case; `token` is in lowercase.
    static func list(_ value: String?, has token: String) -> Bool {
        guard let value else { return false }
        return elements(value).contains { element in
            element.elementsEqual(token.utf8) { byte, expected in
                (65...90).contains(byte) ? byte | 0x20 == expected : byte == expected
            }
        }
    }

    /// Returns true if text is a token (RFC 9110 section 5.6.2), as a subprotocol must be.
    static func isToken(_ text: String) -> Bool {
        HTTPField.Name(text) != nil
    }
}
