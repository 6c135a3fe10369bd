#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import Foundation
internal import NetCore

/// Converts URLSession's errors to `NetError`.
enum URLSessionFailure {
    /// Returns the error of an attempt that had reached `phase`.
    static func error(
        _ error: any Error, host: String, phase: NetError.Phase, context: CallContext
    ) -> NetError {
        guard let error = error as? URLError else {
            return context.error(.unknown, phase: phase, message: "URLSession failed: \(type(of: error))")
        }
        let verdict = verdict(error.code, reason: error.localizedDescription, host: host, phase: phase)
        // The other values of the error contain the whole URL, including secrets.
        return context.error(
            verdict.code, phase: verdict.phase, message: verdict.message, underlying: URLError(error.code))
    }

    /// Returns the meaning of an error code; `current` is the phase that the attempt had reached, used if the code
    /// doesn't imply one.
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
        case .requestBodyStreamExhausted:
            (.connectionLost, .sending, "the connection broke, and the body cannot be sent twice")
        case .timedOut:
            (.timeout, current, "URLSession gave up on \(host): \(reason)")
        case .cancelled, .userCancelledAuthentication:
            (.cancelled, current, "the call was cancelled")
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired:
            (.tls, .securing, "TLS with \(host) failed: \(reason)")
        case .appTransportSecurityRequiresSecureConnection:
            (.tls, .securing, "App Transport Security does not allow http:// for \(host); use https://")
        case .badServerResponse, .cannotParseResponse, .zeroByteResource, .cannotDecodeRawData,
            .cannotDecodeContentData, .httpTooManyRedirects, .redirectToNonExistentLocation:
            (.protocolViolation, current, "the server's response is not valid HTTP: \(reason)")
        case .badURL, .unsupportedURL:
            (.invalidRequest, .preparing, "URLSession cannot use the URL: \(reason)")
        case .dataLengthExceedsMaximum:
            (
                .invalidRequest, .preparing,
                "URLSession does not send the request: \(reason); a GET can't have a body there"
            )
        default:
            (.unknown, current, "URLSession error \(code.rawValue): \(reason)")
        }
    }
}
#endif
