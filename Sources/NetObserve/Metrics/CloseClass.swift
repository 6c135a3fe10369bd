package import NetCore

/// The close codes that are counted individually. Codes of libraries and applications are chosen by clients, and
/// counted together.
package enum CloseClass: String, Sendable, Hashable, CaseIterable {
    case normal = "1000"
    case goingAway = "1001"
    case protocolError = "1002"
    case unsupportedData = "1003"
    case noStatus = "1005"
    case abnormal = "1006"
    case invalidPayload = "1007"
    case policyViolation = "1008"
    case messageTooBig = "1009"
    case mandatoryExtension = "1010"
    case internalError = "1011"
    case serviceRestart = "1012"
    case tryAgainLater = "1013"
    case badGateway = "1014"
    case library = "3xxx"
    case application = "4xxx"
    case other

    package init(_ code: WebSocketCloseCode) {
        switch code.rawValue {
        case 3000...3999: self = .library
        case 4000...4999: self = .application
        default: self = CloseClass(rawValue: code.description) ?? .other
        }
    }
}
