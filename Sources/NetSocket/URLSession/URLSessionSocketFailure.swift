#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import Foundation
internal import NetCore

/// Converts the errors of a WebSocket task to errors of this library. They don't name a call.
enum URLSessionSocketFailure {
    /// Returns the error of a task that has reached `phase`.
    static func error(_ error: any Error, host: String, phase: NetError.Phase) -> NetError {
        // Only the code and the description are used: other values of a URLError contain the whole URL, with its
        // secrets.
        if let error = error as? URLError {
            let verdict = verdict(error.code, reason: error.localizedDescription, host: host, phase: phase)
            return NetError(
                verdict.code, phase: verdict.phase, message: verdict.message, underlying: URLError(error.code))
        }
        if let error = error as? POSIXError {
            let verdict = verdict(error.code)
            return NetError(
                verdict.code, phase: phase, message: verdict.message, underlying: POSIXError(error.code))
        }
        return NetError(.unknown, phase: phase, message: "URLSession failed: \(type(of: error))")
    }

    /// Returns the meaning of a code. `current` is the phase for codes that don't imply one.
    static func verdict(
        _ code: URLError.Code, reason: String, host: String, phase current: NetError.Phase
    ) -> (code: NetError.Code, phase: NetError.Phase, message: String) {
        switch code {
        case .cannotFindHost, .dnsLookupFailed:
            (.dns, .resolving, "the host name of \(host) has no address; check its spelling and the network")
        case .cannotConnectToHost:
            (.connect, .connecting, "no connection to \(host): \(reason)")
        case .notConnectedToInternet, .internationalRoamingOff, .callIsActive, .dataNotAllowed:
            (.connect, .connecting, "this device has no network that it may use: \(reason)")
        case .networkConnectionLost:
            (.connectionLost, current, "the connection broke: \(reason)")
        case .timedOut:
            (.timeout, current, "URLSession gave up on \(host): \(reason)")
        case .cancelled, .userCancelledAuthentication:
            (.cancelled, current, "the WebSocket was cancelled")
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired:
            (.tls, .securing, "TLS with \(host) failed: \(reason)")
        case .appTransportSecurityRequiresSecureConnection:
            (.tls, .securing, "App Transport Security does not allow ws:// for \(host); use wss://")
        case .badServerResponse, .cannotParseResponse, .zeroByteResource:
            (.protocolViolation, current, "the server's response is not a valid WebSocket handshake: \(reason)")
        case .dataLengthExceedsMaximum:
            (.bodyTooLarge, current, "a message is too large: \(reason)")
        case .badURL, .unsupportedURL:
            (.invalidRequest, .preparing, "URLSession cannot open a WebSocket at this URL: \(reason)")
        default:
            (.unknown, current, "URLSession error \(code.rawValue): \(reason)")
        }
    }

    /// Returns the meaning of a system error, which URLSession reports for an open WebSocket.
    static func verdict(_ code: POSIXErrorCode) -> (code: NetError.Code, message: String) {
        switch code {
        case .EMSGSIZE: (.bodyTooLarge, "a message is too large")
        case .EPROTO: (.protocolViolation, "the server violated the protocol")
        case .ECANCELED: (.cancelled, "the WebSocket was cancelled")
        default: (.connectionLost, "the connection broke: error \(code.rawValue) of the system")
        }
    }
}
#endif
