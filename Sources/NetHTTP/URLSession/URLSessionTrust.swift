// Never compiled: it needs Security and CryptoKit, which only Apple platforms have.
#if canImport(Darwin)
internal import CryptoKit
internal import Foundation
internal import NetCore
internal import Security

/// Judges a server's certificate by the transport's settings.
struct URLSessionTrust {
    /// What became of it.
    enum Verdict {
        case trusted(URLCredential)
        case refused(String)
    }

    let trust: URLSessionTransport.Configuration.Trust
    let pins: Set<String>

    func judge(_ space: URLProtectionSpace) -> Verdict {
        guard let server = space.serverTrust else { return .refused("the server showed no certificate") }
        switch trust {
        case .insecure: break
        case .system:
            if let reason = evaluate(server) { return .refused(reason) }
        case .certificates(let pem):
            let anchors = PEMCertificates.der(in: pem).compactMap {
                SecCertificateCreateWithData(nil, Data($0) as CFData)
            }
            guard !anchors.isEmpty else { return .refused("the trusted certificates hold none in PEM") }
            SecTrustSetAnchorCertificates(server, anchors as CFArray)
            SecTrustSetAnchorCertificatesOnly(server, true)
            if let reason = evaluate(server) { return .refused(reason) }
        }
        guard pins.isEmpty || !pins.isDisjoint(with: keyHashes(server)) else {
            return .refused("no key of its certificates is among the pinned ones")
        }
        return .trusted(URLCredential(trust: server))
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
#endif
