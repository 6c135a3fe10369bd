/// How TLS is agreed: whom to trust, who we are, which versions. One vocabulary for HTTP, WebSockets and proxies.
///
/// A value that cannot be used (a file that is absent, a damaged certificate, a pin that is no SHA-256) fails the first call
/// with `.invalidRequest`, which names the setting. A server that does not satisfy it fails with `.tls`.
///
///     var tls = TLSConfiguration()
///     tls.trust = .authorities(.file("/etc/company/ca.pem"))
///     tls.identity = .init(certificate: .file("client.pem"), key: .file("client.key"), passPhrase: "secret")
///     tls.minimumVersion = .tls13
public struct TLSConfiguration: Sendable, Hashable {
    /// A version of the protocol. Those before 1.2 must not be used (RFC 8996).
    public enum Version: Sendable, Hashable, CaseIterable, Comparable {
        /// RFC 5246.
        case tls12
        /// RFC 8446.
        case tls13
    }

    /// Whose certificates are accepted.
    public enum Trust: Sendable, Hashable {
        /// Those of the system's authorities.
        case system
        /// Those of these authorities alone.
        case authorities(PEM)
        /// Those of the system's authorities and of these.
        case systemAnd(PEM)
        /// Any certificate for any name: whoever is on the way can read and change everything. Only for a server on your own
        /// machine.
        case dangerouslyAcceptAnyCertificate
    }

    /// The certificate that a server may ask for, with its key.
    public struct ClientIdentity: Sendable, Hashable {
        /// The certificate, and those between it and the authority.
        public var certificate: PEM
        /// The private key; nil when it stands with the certificate.
        public var key: PEM?
        /// What decrypts the key. Never printed.
        public var passPhrase: String?

        /// Makes an identity.
        public init(certificate: PEM, key: PEM? = nil, passPhrase: String? = nil) {
            self.certificate = certificate
            self.key = key
            self.passPhrase = passPhrase
        }
    }

    /// Whose certificates are accepted. Default ``Trust/system``.
    public var trust = Trust.system
    /// Who we are, for a server that asks. Default nobody.
    public var identity: ClientIdentity?
    /// Public keys by host: one of them must be the server's, beside all other checks. Default none.
    ///
    /// The host is a name, `*.example.com` for the names below it, or `*` for all; the closest one counts. A key is the
    /// base64 of the SHA-256 of its SubjectPublicKeyInfo (RFC 7469 section 2.4). Name a second key that you keep in reserve,
    /// or a lost key locks every program out.
    ///
    ///     var tls = TLSConfiguration()
    ///     tls.pins = ["api.example.com": ["sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]]
    public var pins: [String: [String]] = [:]
    /// The oldest version. Default ``Version/tls12``.
    public var minimumVersion = Version.tls12
    /// The newest version; nil for the newest there is, the default.
    public var maximumVersion: Version?
    /// Ciphers of TLS 1.2 in the TLS library's own words, `ECDHE+AESGCM`. nil for the library's choice, the default.
    public var cipherList: String?
    /// Cipher suites of TLS 1.3, `TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256`. nil for the library's choice, the
    /// default.
    public var cipherSuites: String?

    /// The defaults.
    public init() {}
}

extension TLSConfiguration.ClientIdentity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Where certificate and key are; nothing of what they hold.
    public var description: String {
        "certificate in \(certificate), key in \(key ?? certificate)"
            + (passPhrase == nil ? "" : ", pass phrase hidden")
    }

    public var debugDescription: String { description }

    /// No pass phrase.
    public var customMirror: Mirror { Mirror(self, children: ["certificate": certificate, "key": key as Any]) }
}
