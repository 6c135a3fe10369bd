#if Server
internal import CCrypto
internal import NetTesting

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A test authority and a leaf certificate with its key, as PEM text.
struct CertificateChain: Sendable {
    let authority: String
    let leaf: String
    let key: String

    /// Generates keys and certificates; throws ``TestServerError``.
    init(_ settings: TestServer.TLS) throws {
        let names = try settings.hosts.map(Self.alternativeName).joined(separator: ",")
        guard let first = settings.hosts.first else {
            throw TestServerError("a certificate needs at least one host name; hosts is empty")
        }
        let starts = settings.validFrom.components.seconds
        let ends = starts + settings.validFor.components.seconds
        var texts: (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?)
        let isMade = net_crypto_make_chain(first, names, Int(starts), Int(ends), &texts.0, &texts.1, &texts.2) == 1
        guard isMade, let authority = texts.0, let leaf = texts.1, let key = texts.2 else {
            throw TestServerError("the certificate for \(names) could not be made: \(Self.lastError())")
        }
        defer { for text in [authority, leaf, key] { free(text) } }
        self.authority = String(cString: authority)
        self.key = String(cString: key)
        let signed = String(cString: leaf)
        guard settings.fault == .selfSigned else {
            self.leaf = signed
            return
        }
        guard let own = selfSigned(signed, key: self.key) else {
            throw TestServerError("the certificate for \(names) could not be self-signed: \(Self.lastError())")
        }
        self.leaf = own
    }

    /// An entry of subjectAltName. Rejects characters other than those of names and addresses, since the list has its
    /// own syntax.
    private static func alternativeName(_ host: String) throws -> String {
        let isPlain = host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"),
                UInt8(ascii: "*"):
                true
            default: false
            }
        }
        guard isPlain, !host.isEmpty else {
            throw TestServerError(
                "\"\(host)\" isn't a host name or address for a certificate; write it without brackets")
        }
        let isAddress = host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
        return (isAddress ? "IP:" : "DNS:") + host
    }

    private static func lastError() -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let base = buffer.baseAddress else { return "" }
            base.initialize(repeating: 0, count: 256)
            net_crypto_last_error(base, 256)
            return String(cString: base)
        }
    }
}
#endif
