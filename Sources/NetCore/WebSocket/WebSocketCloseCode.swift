/// Why a WebSocket was closed (RFC 6455 section 7.4): an open set, so that applications use their own.
public struct WebSocketCloseCode: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }
    public var description: String { String(rawValue) }

    /// 1000: the purpose is fulfilled.
    public static let normalClosure = WebSocketCloseCode(rawValue: 1000)
    /// 1001: an endpoint goes away: a server stops, a page is left.
    public static let goingAway = WebSocketCloseCode(rawValue: 1001)
    /// 1002: the peer broke the protocol.
    public static let protocolError = WebSocketCloseCode(rawValue: 1002)
    /// 1003: a kind of message that cannot be accepted.
    public static let unsupportedData = WebSocketCloseCode(rawValue: 1003)
    /// 1005: the close frame had no code. Never sent.
    public static let noStatusReceived = WebSocketCloseCode(rawValue: 1005)
    /// 1006: the connection ended without a close frame. Never sent.
    public static let abnormalClosure = WebSocketCloseCode(rawValue: 1006)
    /// 1007: text that is not UTF-8, or content that does not fit its type.
    public static let invalidPayload = WebSocketCloseCode(rawValue: 1007)
    /// 1008: against a policy of the endpoint.
    public static let policyViolation = WebSocketCloseCode(rawValue: 1008)
    /// 1009: a message is too large.
    public static let messageTooBig = WebSocketCloseCode(rawValue: 1009)
    /// 1010: the server did not agree to an extension that the client needs.
    public static let mandatoryExtension = WebSocketCloseCode(rawValue: 1010)
    /// 1011: the server met something that it did not expect.
    public static let internalError = WebSocketCloseCode(rawValue: 1011)
    /// 1012: the server restarts.
    public static let serviceRestart = WebSocketCloseCode(rawValue: 1012)
    /// 1013: the server is overloaded; try later.
    public static let tryAgainLater = WebSocketCloseCode(rawValue: 1013)
    /// 1014: a gateway received an invalid answer.
    public static let badGateway = WebSocketCloseCode(rawValue: 1014)
    /// 1015: TLS could not be agreed. Never sent.
    public static let tlsHandshake = WebSocketCloseCode(rawValue: 1015)

    /// Whether the code may stand in a close frame: 1000–1003, 1007–1014, 3000–4999.
    public var isValidOnWire: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

/// How a WebSocket ended: the code, and the reason that came with it.
public struct WebSocketClosure: Sendable, Hashable, CustomStringConvertible {
    /// Why; ``WebSocketCloseCode/noStatusReceived`` for a close frame without one.
    public var code: WebSocketCloseCode
    /// The reason in the peer's words, at most 123 bytes; empty where it gave none.
    public var reason: String
    /// Whether the peer began the closing handshake.
    public var isByPeer: Bool

    /// Takes the parts.
    public init(code: WebSocketCloseCode, reason: String = "", isByPeer: Bool = true) {
        self.code = code
        self.reason = reason
        self.isByPeer = isByPeer
    }

    public var description: String { reason.isEmpty ? "\(code)" : "\(code) \"\(reason)\"" }
}
