#if Server
public import HTTPTypes
internal import NetCore
internal import NetSocketCore

/// A client's opening handshake, before the client is authenticated.
public struct SocketHandshake: Sendable, CustomStringConvertible, CustomReflectable {
    /// The path, without the query.
    public let path: String
    /// The items of the query by name, percent-decoded; the first one if a name is repeated.
    public let query: [String: String]
    /// The header fields.
    public let headers: HTTPFields
    /// The address of the client; nil if unknown.
    public let address: String?
    /// The `Host` header field of the request; nil if absent.
    public let host: String?
    /// The subprotocols that the client offers, in the client's order.
    public var subprotocols: [String] { HandshakeFields.list(headers[.secWebSocketProtocol]) }

    package init(target: String, headers: HTTPFields, address: String?, host: String?) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = parts.first.map(String.init) ?? ""
        query = parts.count > 1 ? Self.items(parts[1]) : [:]
        self.headers = headers
        self.address = address
        self.host = host
    }

    /// The token of the header field `Authorization: Bearer …` (RFC 6750); nil if absent.
    public var bearer: String? {
        guard let value = headers[.authorization] else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1].drop { $0 == " " })
    }

    /// The cookies by name (RFC 6265 section 5.4); the first one if a name is repeated.
    public var cookies: [String: String] {
        var cookies: [String: String] = [:]
        for field in headers where field.name == .cookie {
            for pair in field.value.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2 else { continue }
                let name = String(parts[0].drop { $0 == " " })
                if cookies[name] == nil { cookies[name] = String(parts[1]) }
            }
        }
        return cookies
    }

    private static func items(_ text: Substring) -> [String: String] {
        var items: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = decoded(parts[0])
            if items[name] == nil { items[name] = parts.count > 1 ? decoded(parts[1]) : "" }
        }
        return items
    }

    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, let high = digits.first.flatMap(hex),
                let low = digits.last.flatMap(hex)
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hex(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The path only: the rest may contain credentials.
    public var description: String { "the handshake for \(path)" }
    public var customMirror: Mirror { Mirror(self, children: ["path": path], displayStyle: .struct) }
}

/// The refusal of a handshake.
///
///     throw SocketRefusal(.forbidden, "your account is closed")
public struct SocketRefusal: Error, Sendable, CustomStringConvertible {
    /// The status of the response.
    public var status: HTTPResponse.Status
    /// A sentence for the response body, which the client sees.
    public var message: String
    /// Additional header fields of the response. Default none.
    public var headers: HTTPFields

    /// Creates a refusal.
    public init(_ status: HTTPResponse.Status, _ message: String = "", headers: HTTPFields = [:]) {
        self.status = status
        self.message = message
        self.headers = headers
    }

    public var description: String { message.isEmpty ? "\(status)" : "\(status): \(message)" }
}

/// The identity of a client.
public struct SocketIdentity<Principal: Sendable>: Sendable {
    /// The principal that handlers see.
    public var principal: Principal
    /// The name of the user, which groups all of the user's connections. nil, the default, for no user.
    public var user: String?
    /// The lifetime of the credentials. When it is over, the connection is closed with 4401 unless the credentials
    /// were renewed. nil, the default, for an unlimited lifetime.
    public var expiresIn: Duration?

    /// Creates an identity.
    public init(_ principal: Principal, user: String? = nil, expiresIn: Duration? = nil) {
        self.principal = principal
        self.user = user
        self.expiresIn = expiresIn
    }
}
#endif
