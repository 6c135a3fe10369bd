// Never compiled: it needs Security and CryptoKit, which only Apple platforms have.
#if canImport(Darwin)
internal import CryptoKit
internal import Foundation
internal import NetCore
internal import Security

/// Evaluates a server's certificate with the transport's settings.
struct URLSessionTrust {
    /// The result of the evaluation.
    enum Verdict {
        case trusted(URLCredential)
        case refused(String)
    }

    let trust: TLSConfiguration.Trust
    let pins: Set<String>?

    func judge(_ space: URLProtectionSpace) -> Verdict {
        guard let server = space.serverTrust else { return .refused("the server showed no certificate") }
        switch trust {
        case .dangerouslyAcceptAnyCertificate: break
        case .system:
            if let reason = evaluate(server) { return .refused(reason) }
        case .authorities(let pem):
            if let reason = anchor(server, pem, alone: true) ?? evaluate(server) { return .refused(reason) }
        case .systemAnd(let pem):
            if let reason = anchor(server, pem, alone: false) ?? evaluate(server) { return .refused(reason) }
        }
        if let pins, pins.isDisjoint(with: keyHashes(server)) {
            return .refused("no key of its certificates is among the pinned ones")
        }
        return .trusted(URLCredential(trust: server))
    }

    private func anchor(_ server: SecTrust, _ pem: PEM, alone: Bool) -> String? {
        let text =
            switch pem.source {
            case .text(let text): text
            case .file(let path): (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            }
        let anchors = PEMCertificates.der(in: text).compactMap { SecCertificateCreateWithData(nil, Data($0) as CFData) }
        guard !anchors.isEmpty else { return "tls.trust: \(pem) has no certificate" }
        SecTrustSetAnchorCertificates(server, anchors as CFArray)
        SecTrustSetAnchorCertificatesOnly(server, alone)
        return nil
    }

    private func evaluate(_ server: SecTrust) -> String? {
        var error: CFError?
        return SecTrustEvaluateWithError(server, &error)
            ? nil : error.map { ($0 as any Error).localizedDescription } ?? "the certificate is not trusted"
    }

    private func keyHashes(_ server: SecTrust) -> Set<String> {
        let chain = SecTrustCopyCertificateChain(server) as? [SecCertificate] ?? []
        return Set(
            chain.compactMap { certificate in
                PublicKeyInfo.der(ofCertificate: [UInt8](SecCertificateCopyData(certificate) as Data))
                    .map { Data(SHA256.hash(data: $0)).base64EncodedString() }
            })
    }
}

extension URLSessionConfiguration {
    /// Applies the TLS versions.
    func takeVersions(of tls: TLSConfiguration) {
        tlsMinimumSupportedProtocolVersion = tls.minimumVersion == .tls13 ? .TLSv13 : .TLSv12
        if let newest = tls.maximumVersion { tlsMaximumSupportedProtocolVersion = newest == .tls13 ? .TLSv13 : .TLSv12 }
    }
}
#endif
