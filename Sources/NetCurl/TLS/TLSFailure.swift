#if os(Linux)
internal import CCurl

/// A TLS failure, determined from libcurl's code, OpenSSL's verification result and libcurl's message.
enum TLSFailure: Equatable {
    case expired(String)
    case notYetValid(String)
    case selfSigned(String)
    case unknownAuthority(String)
    case wrongHost(String)
    case wrongKey
    case certificateWanted(String)
    case ownCertificate(String)
    case authorities(String)
    case ciphers(String)
    case versions(String)
    case noTLS(String)
    case other(String)

    /// Classifies a failure; nil if TLS didn't cause it.
    init?(code: CURLcode, reason: String, verdict: Int) {
        switch code {
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH: self = .wrongKey
        case CURLE_SSL_CERTPROBLEM: self = .ownCertificate(reason)
        // libcurl 8.21 reports this for a private key that it can't read.
        case CURLE_BAD_FUNCTION_ARGUMENT where reason.contains("private key"): self = .ownCertificate(reason)
        case CURLE_SSL_CACERT_BADFILE: self = .authorities(reason)
        case CURLE_SSL_CIPHER: self = .ciphers(reason)
        case CURLE_PEER_FAILED_VERIFICATION: self = Self.verification(reason, verdict)
        case CURLE_SSL_CONNECT_ERROR: self = Self.handshake(reason)
        case CURLE_SSL_ISSUER_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_INVALIDCERTSTATUS, CURLE_USE_SSL_FAILED:
            self = .other(reason)
        // In TLS 1.3 the client can send before the server has checked its certificate: the rejection is read in place
        // of the response. In TLS 1.2 a server can ask for one after it has read the request (Apache, for a location).
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR:
            guard reason.contains("alert"),
                ["certificate", "unknown ca", "handshake failure"].contains(where: reason.contains)
            else { return nil }
            self = .certificateWanted(reason)
        default: return nil
        }
    }

    /// Classifies a verification failure. The numbers are OpenSSL's X509_V_ERR_…; other TLS libraries report none, so
    /// the message is checked, too.
    private static func verification(_ reason: String, _ verdict: Int) -> TLSFailure {
        if verdict == 10 || reason.contains("has expired") { return .expired(reason) }
        if verdict == 9 || reason.contains("not yet valid") { return .notYetValid(reason) }
        if reason.contains("subject name") || verdict == 62 || verdict == 64 { return .wrongHost(reason) }
        if verdict == 18 || reason.contains("self-signed certificate") && !reason.contains("chain") {
            return .selfSigned(reason)
        }
        if verdict == 19 || verdict == 20 || verdict == 21 || reason.contains("issuer") {
            return .unknownAuthority(reason)
        }
        return .other(reason)
    }

    private static func handshake(_ reason: String) -> TLSFailure {
        if reason.contains("alert protocol version") || reason.contains("unsupported protocol")
            || reason.contains("no protocols available")
        {
            return .versions(reason)
        }
        if reason.contains("wrong version number") || reason.contains("packet length too long")
            || reason.contains("http request")
        {
            return .noTLS(reason)
        }
        let wanted = ["certificate required", "alert bad certificate", "alert unknown ca", "alert handshake failure"]
        return wanted.contains(where: reason.contains) ? .certificateWanted(reason) : .other(reason)
    }

    /// Returns a sentence about a failure with a peer; `setting` is the name of its TLS configuration.
    func message(peer: String, setting: String, hasIdentity: Bool) -> String {
        let start = "TLS with \(peer) failed: "
        switch self {
        case .expired(let reason):
            return start + "its certificate has expired, or the clock of this machine is wrong (\(reason))"
        case .notYetValid(let reason):
            return start + "its certificate is not valid yet, or the clock of this machine is wrong (\(reason))"
        case .selfSigned(let reason):
            return start
                + "its certificate is self-signed; if it is the right one, name it in \(setting).trust (\(reason))"
        case .unknownAuthority(let reason):
            return start + "its certificate isn't from an authority in \(setting).trust (\(reason))"
        case .wrongHost(let reason):
            return start + "its certificate is for other hosts (\(reason))"
        case .wrongKey:
            return start
                + "its public key isn't in \(setting).pins: it has a new key, or someone intercepts the connection"
        case .certificateWanted(let reason) where !hasIdentity:
            return start + "it seems to want a client certificate; set \(setting).identity (\(reason))"
        case .certificateWanted(let reason):
            return start + "it does not accept the client certificate of \(setting).identity (\(reason))"
        case .ownCertificate(let reason):
            let hint = reason.contains("private key") ? "; is the key its own, and the pass phrase right?" : ""
            return start + "the client certificate of \(setting).identity cannot be used\(hint) (\(reason))"
        case .authorities(let reason):
            return start + "the authorities of \(setting).trust cannot be used (\(reason))"
        case .ciphers(let reason):
            return start + "\(setting).cipherList or .cipherSuites cannot be used (\(reason))"
        case .versions(let reason):
            return start + "it supports no version from \(setting).minimumVersion to .maximumVersion (\(reason))"
        case .noTLS(let reason):
            return start + "it doesn't respond with TLS; is this a port for http? (\(reason))"
        case .other(let reason):
            return start + reason
        }
    }
}
#endif
