/// TLS settings: trusted authorities, client identity and versions. HTTP, WebSockets and proxies use the same type.
///
/// An unusable value (a missing file, a damaged certificate, a pin that isn't a SHA-256 hash) makes the first call
/// throw `.invalidRequest`, which names the setting. For a server that doesn't satisfy the settings, calls throw
/// `.tls`.
///
///     var tls = TLSConfiguration()
///     tls.trust = .authorities(.file("/etc/company/ca.pem"))
///     tls.identity = .init(certificate: .file("client.pem"), key: .file("client.key"), passPhrase: "secret")
///     tls.minimumVersion = .tls13
public struct TLSConfiguration: Sendable, Hashable {
    /// A version of TLS. Versions before 1.2 must not be used (RFC 8996).
    public enum Version: Sendable, Hashable, CaseIterable, Comparable {
        /// TLS 1.2 (RFC 5246).
        case tls12
        /// TLS 1.3 (RFC 8446).
        case tls13
    }

    /// The certificates that are accepted.
    public enum Trust: Sendable, Hashable {
        /// Certificates of the system's authorities.
        case system
        /// Certificates of only these authorities.
        case authorities(PEM)
        /// Certificates of the system's authorities and of these.
        case systemAnd(PEM)
        /// Any certificate for any name: anyone on the network path can read and change everything. Only for a server
        /// on your own machine.
        case dangerouslyAcceptAnyCertificate
    }

    /// The certificate that a server may ask for, with its key.
    public struct ClientIdentity: Sendable, Hashable {
        /// The certificate, followed by the intermediate certificates.
        public var certificate: PEM
        /// The private key; nil if it's in ``certificate``.
        public var key: PEM?
        /// The passphrase of the key. Never printed.
        public var passPhrase: String?

        /// Creates an identity.
        public init(certificate: PEM, key: PEM? = nil, passPhrase: String? = nil) {
            self.certificate = certificate
            self.key = key
            self.passPhrase = passPhrase
        }
    }

    /// The certificates that are accepted. Default ``Trust/system``.
    public var trust = Trust.system
    /// The client certificate for servers that ask for one. Default none.
    public var identity: ClientIdentity?
    /// Public key pins by host: the server must have one of these keys, in addition to all other checks. Default none.
    ///
    /// The host is a name, `*.example.com` for its subdomains, or `*` for all hosts; the most specific entry applies. A
    /// pin is the base64 of the SHA-256 of the key's SubjectPublicKeyInfo (RFC 7469 section 2.4). Add a second key that
    /// you keep in reserve; otherwise, a lost key locks out every client.
    ///
    ///     var tls = TLSConfiguration()
    ///     tls.pins = ["api.example.com": ["sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]]
    public var pins: [String: [String]] = [:]
    /// The minimum version. Default ``Version/tls12``.
    public var minimumVersion = Version.tls12
    /// The maximum version; nil for the newest available. Default nil.
    public var maximumVersion: Version?
    /// The ciphers for TLS 1.2 in the TLS library's syntax, `ECDHE+AESGCM`; nil for the library's choice. Default nil.
    public var cipherList: String?
    /// The cipher suites for TLS 1.3, `TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256`; nil for the library's
    /// choice. Default nil.
    public var cipherSuites: String?

    /// Creates a configuration with the defaults.
    public init() {}

    /// Returns the base64 of a pin with the prefix `sha256/`, `sha256//` or none.
    ///
    /// Base64 may itself begin with a slash: the second slash belongs to the hash if the hash has 44 characters with
    /// it.
    package static func hash(ofPin pin: String) -> Substring {
        guard pin.hasPrefix("sha256/") else { return pin[...] }
        let hash = pin.dropFirst("sha256/".count)
        return hash.hasPrefix("/") && hash.utf8.count != 44 ? hash.dropFirst() : hash
    }
}

extension TLSConfiguration.ClientIdentity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The location of certificate and key, without their contents.
    public var description: String {
        "certificate in \(certificate), key in \(key ?? certificate)"
            + (passPhrase == nil ? "" : ", pass phrase hidden")
    }

    public var debugDescription: String { description }

    /// All values except the passphrase.
    public var customMirror: Mirror { Mirror(self, children: ["certificate": certificate, "key": key as Any]) }
}
