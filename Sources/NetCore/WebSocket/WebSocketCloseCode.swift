/// The code of a WebSocket's closure (RFC 6455 section 7.4); an open set, so that applications can use their own codes.
public struct WebSocketCloseCode: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }
    public var description: String { String(rawValue) }

    /// 1000: the purpose of the connection is fulfilled.
    public static let normalClosure = WebSocketCloseCode(rawValue: 1000)
    /// 1001: an endpoint is going away: the server is stopping, or the user left the page.
    public static let goingAway = WebSocketCloseCode(rawValue: 1001)
    /// 1002: the peer violated the protocol.
    public static let protocolError = WebSocketCloseCode(rawValue: 1002)
    /// 1003: the message is of a type that can't be accepted.
    public static let unsupportedData = WebSocketCloseCode(rawValue: 1003)
    /// 1005: the close frame had no code. Never sent.
    public static let noStatusReceived = WebSocketCloseCode(rawValue: 1005)
    /// 1006: the connection ended without a close frame. Never sent.
    public static let abnormalClosure = WebSocketCloseCode(rawValue: 1006)
    /// 1007: text that isn't UTF-8, or contents that don't match their type.
    public static let invalidPayload = WebSocketCloseCode(rawValue: 1007)
    /// 1008: a message violated a policy of the endpoint.
    public static let policyViolation = WebSocketCloseCode(rawValue: 1008)
    /// 1009: a message is too large.
    public static let messageTooBig = WebSocketCloseCode(rawValue: 1009)
    /// 1010: the server didn't negotiate an extension that the client needs.
    public static let mandatoryExtension = WebSocketCloseCode(rawValue: 1010)
    /// 1011: the server encountered an unexpected condition.
    public static let internalError = WebSocketCloseCode(rawValue: 1011)
    /// 1012: the server is restarting.
    public static let serviceRestart = WebSocketCloseCode(rawValue: 1012)
    /// 1013: the server is overloaded; try again later.
    public static let tryAgainLater = WebSocketCloseCode(rawValue: 1013)
    /// 1014: a gateway received an invalid response.
    public static let badGateway = WebSocketCloseCode(rawValue: 1014)
    /// 1015: the TLS handshake failed. Never sent.
    public static let tlsHandshake = WebSocketCloseCode(rawValue: 1015)

    /// True if the code is allowed in a close frame: 1000–1003, 1007–1014, 3000–4999.
    public var isValidOnWire: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

/// The closure of a WebSocket: the close code and the reason.
public struct WebSocketClosure: Sendable, Hashable, CustomStringConvertible {
    /// The close code; ``WebSocketCloseCode/noStatusReceived`` for a close frame without one. If no close frame of the
    /// peer has arrived, it is ``WebSocketCloseCode/abnormalClosure``, even if this side has sent one (RFC 6455 section
    /// 7.1.5).
    public var code: WebSocketCloseCode
    /// The reason as text, at most 123 bytes; empty if the peer gave none.
    public var reason: String
    /// True if the peer started the closing handshake.
    public var isByPeer: Bool
    /// The code of the close frame that this side sent, if the peer didn't confirm it; nil otherwise.
    public var sentCode: WebSocketCloseCode?
    /// The reason of that close frame; empty if there was none.
    public var sentReason: String

    /// Creates a closure.
    public init(
        code: WebSocketCloseCode, reason: String = "", isByPeer: Bool = true, sentCode: WebSocketCloseCode? = nil,
        sentReason: String = ""
    ) {
        self.code = code
        self.reason = reason
        self.isByPeer = isByPeer
        self.sentCode = sentCode
        self.sentReason = sentReason
    }

    /// The closure for a close frame of this side that the peer didn't confirm.
    package var unconfirmed: WebSocketClosure {
        WebSocketClosure(code: .abnormalClosure, isByPeer: false, sentCode: code, sentReason: reason)
    }

    /// The code that decides what to do next: that of the peer, or the one that this side sent for its own reasons.
    package var decisiveCode: WebSocketCloseCode { sentCode ?? code }

    public var description: String {
        let text = reason.isEmpty ? "\(code)" : "\(code) \"\(reason)\""
        guard let sentCode else { return text }
        return "\(text), unconfirmed \(sentCode)" + (sentReason.isEmpty ? "" : " \"\(sentReason)\"")
    }
}
