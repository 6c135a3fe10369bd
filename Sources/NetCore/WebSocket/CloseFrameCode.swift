/// A close code that an endpoint may send in a close frame (RFC 6455 section 7.4). Unlike ``WebSocketCloseCode``, it has
/// none of the codes that only describe an end, such as 1005 and 1006, and none outside the ranges of the RFC.
///
///     let closed = try CloseFrameCode(4001)
///     print(closed.code.rawValue, CloseFrameCode.goingAway.code.rawValue)  // 4001 1001
public struct CloseFrameCode: Sendable, Hashable, CustomStringConvertible {
    /// The code, as the peer receives it.
    public let code: WebSocketCloseCode

    /// Creates a code: 1000–1003, 1007–1014, or 3000–4999, where 4000–4999 are an application's own.
    ///
    /// Throws `.invalidRequest` for any other number.
    public init(_ number: UInt16) throws(NetError) { try self.init(WebSocketCloseCode(rawValue: number)) }

    /// Creates a code from a received one. Throws `.invalidRequest` for a code that mustn't be sent.
    public init(_ code: WebSocketCloseCode) throws(NetError) {
        guard code.isValidOnWire else {
            throw NetError(
                .invalidRequest, phase: .preparing,
                message: "a close frame can't have the code \(code); use 1000-1003, 1007-1014 or 3000-4999")
        }
        self.code = code
    }

    private init(valid code: WebSocketCloseCode) {
        self.code = code
    }

    public var description: String { code.description }

    /// 1000, ``WebSocketCloseCode/normalClosure``.
    public static let normalClosure = CloseFrameCode(valid: .normalClosure)
    /// 1001, ``WebSocketCloseCode/goingAway``.
    public static let goingAway = CloseFrameCode(valid: .goingAway)
    /// 1002, ``WebSocketCloseCode/protocolError``.
    public static let protocolError = CloseFrameCode(valid: .protocolError)
    /// 1003, ``WebSocketCloseCode/unsupportedData``.
    public static let unsupportedData = CloseFrameCode(valid: .unsupportedData)
    /// 1007, ``WebSocketCloseCode/invalidPayload``.
    public static let invalidPayload = CloseFrameCode(valid: .invalidPayload)
    /// 1008, ``WebSocketCloseCode/policyViolation``.
    public static let policyViolation = CloseFrameCode(valid: .policyViolation)
    /// 1009, ``WebSocketCloseCode/messageTooBig``.
    public static let messageTooBig = CloseFrameCode(valid: .messageTooBig)
    /// 1010, ``WebSocketCloseCode/mandatoryExtension``.
    public static let mandatoryExtension = CloseFrameCode(valid: .mandatoryExtension)
    /// 1011, ``WebSocketCloseCode/internalError``.
    public static let internalError = CloseFrameCode(valid: .internalError)
    /// 1012, ``WebSocketCloseCode/serviceRestart``.
    public static let serviceRestart = CloseFrameCode(valid: .serviceRestart)
    /// 1013, ``WebSocketCloseCode/tryAgainLater``.
    public static let tryAgainLater = CloseFrameCode(valid: .tryAgainLater)
    /// 1014, ``WebSocketCloseCode/badGateway``.
    public static let badGateway = CloseFrameCode(valid: .badGateway)
}
