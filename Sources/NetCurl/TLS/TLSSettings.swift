#if os(Linux)
internal import CCurl
internal import NetCore

/// A validated ``TLSConfiguration``: files can be read, texts are PEM, pins are hashes.
struct TLSSettings: Sendable {
    /// The peer of a TLS connection; libcurl has separate options for each.
    enum Peer: Sendable { case server, proxy }

    let isStandard: Bool
    let hasIdentity: Bool
    /// False if any certificate is accepted.
    var checksCertificates: Bool { configuration.trust != .dangerouslyAcceptAnyCertificate }
    let pins: HostTable<PinList>
    private let configuration: TLSConfiguration
    private let authorities: Authorities?

    /// The trusted CA certificates, for libcurl.
    private struct Authorities: Sendable {
        var pem: PEM
        /// The text as a file, if libcurl parses that less often.
        var file: AuthorityFile?
        /// True if libcurl's own CA folder is trusted, too.
        var keepsFolder: Bool

        init(pem: PEM, keepsFolder: Bool) {
            self.pem = pem
            self.keepsFolder = keepsFolder
            // With a folder, libcurl doesn't keep parsed certificates.
            if !keepsFolder, case .text(let text) = pem.source { file = AuthorityFile(text) }
        }
    }

    init(_ configuration: TLSConfiguration, setting: String) throws(NetError) {
        self.configuration = configuration
        isStandard = configuration == TLSConfiguration()
        hasIdentity = configuration.identity != nil
        authorities = try Self.authorities(configuration.trust, setting: setting + ".trust")
        try Self.check(configuration.identity, setting: setting + ".identity")
        if let maximum = configuration.maximumVersion, maximum < configuration.minimumVersion {
            throw NetError.unusable(setting + ".maximumVersion", "it is older than \(setting).minimumVersion")
        }
        var rules: [(pattern: String, value: PinList)] = []
        for (pattern, texts) in configuration.pins {
            let name = "\(setting).pins[\"\(pattern)\"]"
            try ConnectionSettings.checkPattern(pattern, name)
            rules.append((pattern, try PinList(texts, setting: name)))
        }
        pins = HostTable(rules)
    }

    private static func authorities(
        _ trust: TLSConfiguration.Trust, setting: String
    ) throws(NetError) -> Authorities? {
        switch trust {
        case .system, .dangerouslyAcceptAnyCertificate:
            return nil
        case .authorities(let pem):
            _ = try PEMText.read(pem, expecting: .certificates, setting: setting)
            return Authorities(pem: pem, keepsFolder: false)
        case .systemAnd(let pem):
            let text = try PEMText.read(pem, expecting: .certificates, setting: setting)
            if SystemAuthorities.hasFolder { return Authorities(pem: pem, keepsFolder: true) }
            guard let bundle = SystemAuthorities.bundle else {
                throw NetError(
                    .unsupported, phase: .preparing,
                    message: "\(setting): the system's authorities are not where libcurl looks for them; "
                        + "install ca-certificates, or list the authorities that you trust with .authorities")
            }
            return Authorities(pem: .text(text + "\n" + bundle), keepsFolder: false)
        }
    }

    private static func check(_ identity: TLSConfiguration.ClientIdentity?, setting: String) throws(NetError) {
        guard let identity else { return }
        _ = try PEMText.read(identity.certificate, expecting: .certificates, setting: setting + ".certificate")
        _ = try PEMText.read(
            identity.key ?? identity.certificate, expecting: .privateKey, setting: setting + ".key",
            hasPassPhrase: identity.passPhrase != nil)
    }

    /// A folder in which no files can be created.
    private static let folderWithoutAuthorities = "/proc/self"

    /// Sets everything except the pins, which differ by host, and the system's CA certificates. Those are located when
    /// TLS is first used, because that would cost programs without TLS half a millisecond.
    func apply(to writer: inout EasyWriter, _ peer: Peer) {
        let isProxy = peer == .proxy
        writer.set(isProxy ? CURLOPT_PROXY_SSLVERSION : CURLOPT_SSLVERSION, versions, "tls.minimumVersion")
        if configuration.trust == .dangerouslyAcceptAnyCertificate {
            writer.set(isProxy ? CURLOPT_PROXY_SSL_VERIFYPEER : CURLOPT_SSL_VERIFYPEER, 0, "tls.trust")
            writer.set(isProxy ? CURLOPT_PROXY_SSL_VERIFYHOST : CURLOPT_SSL_VERIFYHOST, 0, "tls.trust")
        }
        if let authorities {
            // libcurl's CA folder remains in effect in addition to a file or text unless it's removed.
            if !authorities.keepsFolder {
                let folder = CurlFeatures.restoresAuthorities ? Self.folderWithoutAuthorities : nil
                writer.set(isProxy ? CURLOPT_PROXY_CAPATH : CURLOPT_CAPATH, folder, "tls.trust")
            }
            set(
                authorities.file.map { .file($0.path) } ?? authorities.pem,
                file: isProxy ? CURLOPT_PROXY_CAINFO : CURLOPT_CAINFO,
                text: isProxy ? CURLOPT_PROXY_CAINFO_BLOB : CURLOPT_CAINFO_BLOB, &writer, "tls.trust")
        }
        if let list = configuration.cipherList {
            writer.set(isProxy ? CURLOPT_PROXY_SSL_CIPHER_LIST : CURLOPT_SSL_CIPHER_LIST, list, "tls.cipherList")
        }
        if let suites = configuration.cipherSuites {
            writer.set(isProxy ? CURLOPT_PROXY_TLS13_CIPHERS : CURLOPT_TLS13_CIPHERS, suites, "tls.cipherSuites")
        }
        if let identity = configuration.identity {
            set(
                identity.certificate, file: isProxy ? CURLOPT_PROXY_SSLCERT : CURLOPT_SSLCERT,
                text: isProxy ? CURLOPT_PROXY_SSLCERT_BLOB : CURLOPT_SSLCERT_BLOB, &writer, "tls.identity")
            set(
                identity.key ?? identity.certificate, file: isProxy ? CURLOPT_PROXY_SSLKEY : CURLOPT_SSLKEY,
                text: isProxy ? CURLOPT_PROXY_SSLKEY_BLOB : CURLOPT_SSLKEY_BLOB, &writer, "tls.identity")
            // Empty if there is no pass phrase: OpenSSL would otherwise prompt on the terminal.
            writer.set(
                isProxy ? CURLOPT_PROXY_KEYPASSWD : CURLOPT_KEYPASSWD, identity.passPhrase ?? "", "tls.identity")
        }
    }

    /// Sets the location of the system's CA certificates, if only those are trusted.
    func applySystemAuthorities(to writer: inout EasyWriter, _ peer: Peer) {
        guard configuration.trust == .system else { return }
        let (file, folder, text) =
            peer == .proxy
            ? (CURLOPT_PROXY_CAINFO, CURLOPT_PROXY_CAPATH, CURLOPT_PROXY_CAINFO_BLOB)
            : (CURLOPT_CAINFO, CURLOPT_CAPATH, CURLOPT_CAINFO_BLOB)
        switch SystemAuthorities.source {
        case .asBuilt: break
        case .folder: writer.set(file, nil, "tls.trust")
        case .folderAndOne(let certificate): writer.set(text, bytes: certificate, "tls.trust")
        case .bundle: writer.set(folder, nil, "tls.trust")
        }
    }

    private func set(
        _ pem: PEM, file: CURLoption, text: CURLoption, _ writer: inout EasyWriter, _ setting: StaticString
    ) {
        switch pem.source {
        case .file(let path): writer.set(file, path, setting)
        case .text(let content): writer.set(text, bytes: content, setting)
        }
    }

    private var versions: Int {
        let oldest = configuration.minimumVersion == .tls12 ? CURL_SSLVERSION_TLSv1_2 : CURL_SSLVERSION_TLSv1_3
        switch configuration.maximumVersion {
        case .tls12: return Int(oldest) | Int(CURL_SSLVERSION_MAX_TLSv1_2)
        case .tls13: return Int(oldest) | Int(CURL_SSLVERSION_MAX_TLSv1_3)
        case nil: return Int(oldest)
        }
    }
}
#endif
