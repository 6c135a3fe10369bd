/// The meaning of the error codes of Apple's URL loading system (`URLError`, `NSURLErrorDomain`), by number, so that no
/// FoundationNetworking is needed for errors that a program's own closures and transports throw on Linux.
package enum URLLoadingFailure {
    package typealias Verdict = (code: NetError.Code, phase: NetError.Phase, message: String)

    /// Returns the code of an error; nil for errors of other kinds.
    static func code(of error: any Error) -> Int? {
        switch error._domain {
        case "NSURLErrorDomain", "kCFErrorDomainCFNetwork": error._code
        default: nil
        }
    }

    /// Returns the meaning of a code; `current` is the phase that the attempt had reached, used if the code doesn't imply
    /// one.
    package static func verdict(
        _ code: Int, reason: String, host: String, phase current: NetError.Phase
    ) -> Verdict {
        switch code {
        // cannotFindHost, dnsLookupFailed
        case -1003, -1006:
            (.dns, .resolving, "the host name of \(host) has no address; check its spelling and the network")
        // cannotConnectToHost
        case -1004: (.connect, .connecting, "no connection to \(host): \(reason)")
        // notConnectedToInternet, internationalRoamingOff, callIsActive, dataNotAllowed
        case -1009, -1018, -1019, -1020:
            (.connect, .connecting, "this device has no network that it may use: \(reason)")
        // networkConnectionLost
        case -1005: (.connectionLost, current, "the connection broke: \(reason)")
        // requestBodyStreamExhausted
        case -1021: (.connectionLost, .sending, "the connection broke, and the body cannot be sent twice")
        // timedOut
        case -1001: (.timeout, current, "URLSession gave up on \(host): \(reason)")
        // cancelled, userCancelledAuthentication
        case -999, -1012: (.cancelled, current, "the call was cancelled")
        // secureConnectionFailed, and those about certificates
        case -1206 ... -1200: (.tls, .securing, "TLS with \(host) failed: \(reason)")
        // appTransportSecurityRequiresSecureConnection
        case -1022: (.tls, .securing, "App Transport Security does not allow http:// for \(host); use https://")
        // badServerResponse, cannotParseResponse, zeroByteResource, cannotDecodeRawData, cannotDecodeContentData,
        // httpTooManyRedirects, redirectToNonExistentLocation
        case -1011, -1017, -1014, -1015, -1016, -1007, -1010:
            (.protocolViolation, current, "the server's response is not valid HTTP: \(reason)")
        // badURL, unsupportedURL
        case -1000, -1002: (.invalidRequest, .preparing, "URLSession cannot use the URL: \(reason)")
        // dataLengthExceedsMaximum
        case -1103:
            (
                .invalidRequest, .preparing,
                "URLSession does not send the request: \(reason); a GET can't have a body there"
            )
        default: (.unknown, current, "URLSession error \(code): \(reason)")
        }
    }
}
