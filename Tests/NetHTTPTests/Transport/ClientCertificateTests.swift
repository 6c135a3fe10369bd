#if Server
@testable import ClientTestSupport
import Foundation
import NetHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)), .enabled(if: PythonPeers.areInstalled)) struct ClientCertificateTests {
    /// Returns a configuration that trusts the server and presents a certificate.
    private func showing(_ identity: TLSConfiguration.ClientIdentity?) async throws -> TransportTry.Change {
        let authority = try await Certificates.shared.authority
        return {
            $0.tls.trust = .authorities(.file(authority))
            $0.tls.identity = identity
        }
    }

    @Test func aServerLearnsWhoTheClientIs() async throws {
        let paths = try await Certificates.shared
        let (certificate, key) = (try paths.text(paths.client), try paths.text(paths.clientKey))
        let identities: [TLSConfiguration.ClientIdentity] = [
            .init(certificate: .file(paths.client), key: .file(paths.clientKey)),
            .init(certificate: .text(certificate), key: .text(key)),
            .init(certificate: .text(certificate), key: .file(paths.clientKey)),
            .init(certificate: .file(paths.clientBoth)), .init(certificate: .text(certificate + key)),
            .init(certificate: .file(paths.client), key: .file(paths.encryptedKey), passPhrase: "geheim"),
            .init(
                certificate: .text(certificate), key: .text(try paths.text(paths.oldEncryptedKey)), passPhrase: "geheim"
            ),
        ]
        let address = "https://localhost:\(try await Nginx.shared.asks)"
        for identity in identities {
            let text = try await TransportTry.text(address, try await showing(identity))
            #expect(text.contains("\"CN=ann\""), "\(identity)")
        }
    }

    @Test func withoutOneTheServerSaysItsStatus() async throws {
        let address = "https://localhost:\(try await Nginx.shared.asks)"
        let error = try await TransportTry.failure(address, try await showing(nil))
        #expect(error.code == .unacceptableStatus)
        #expect(error.status == 400)
    }

    @Test(arguments: [12, 13]) func aHandshakeThatNeedsOneSaysSo(version: Int) async throws {
        let (paths, peers) = (try await Certificates.shared, try await PythonPeers.shared)
        let address = "https://localhost:\(version == 12 ? peers.wantsCertificate12 : peers.wantsCertificate13)"
        let known = try await TransportTry.text(
            address, try await showing(.init(certificate: .file(paths.client), key: .file(paths.clientKey))))
        #expect(known.hasPrefix("known"))
        let none = try await TransportTry.failure(address, try await showing(nil))
        #expect(none.code == .tls, "\(none)")
        #expect(none.phase == .securing, "\(none)")
        #expect(none.message.contains("want a client certificate; set tls.identity"), "\(none)")
        let stranger = try await TransportTry.failure(
            address, try await showing(.init(certificate: .file(paths.stranger), key: .file(paths.strangerKey))))
        #expect(stranger.code == .tls, "\(stranger)")
        #expect(stranger.phase == .securing, "\(stranger)")
        #expect(stranger.message.contains("does not accept the client certificate"), "\(stranger)")
    }

    /// Apache wants a certificate for one location: it asks after it has read the request, which neither TLS 1.3 without
    /// a special extension nor HTTP/2 allows.
    @Test(.enabled(if: ApacheSite.program.path != nil)) func aLocationThatNeedsOneSaysSo() async throws {
        let paths = try await Certificates.shared
        let site = try await offPool {
            try ApacheSite(
                modules: ["ssl", "http2", "socache_shmcb"],
                settings: """
                    SSLEngine on
                    SSLProtocol TLSv1.2
                    SSLCertificateFile \(paths.server)
                    SSLCertificateKeyFile \(paths.serverKey)
                    SSLCACertificateFile \(paths.authority)
                    Protocols h2 http/1.1
                    <Location /secret>
                    SSLVerifyClient require
                    </Location>
                    """)
        }
        try FileManager.default.createDirectory(atPath: "\(site.folder)/open", withIntermediateDirectories: true)
        try Data("hello".utf8).write(to: URL(filePath: "\(site.folder)/open/x"))
        let address = "https://localhost:\(site.port)"
        #expect(try await TransportTry.text("\(address)/open", try await showing(nil)) == "hello")
        for version in [CurlTransport.Configuration.Version.http1, .http2] {
            let change = try await showing(nil)
            let error = try await TransportTry.failure("\(address)/secret") {
                change(&$0)
                $0.version = version
            }
            #expect(error.message.contains("tls.identity"), "\(version): \(error)")
            if version == .http1 { #expect(error.code == .tls, "\(error)") }
        }
    }

    @Test func unusableClientIdentitiesAreRejectedBeforeSending() async throws {
        let paths = try await Certificates.shared
        let encrypted = [paths.encryptedKey, paths.oldEncryptedKey]
        let cases: [(TLSConfiguration.ClientIdentity, String)] =
            [
                (.init(certificate: .file("/no/such")), "tls.identity.certificate: the file /no/such cannot be read"),
                (.init(certificate: .file(paths.clientKey)), "tls.identity.certificate: "),
                (
                    .init(certificate: .file(paths.client)),
                    "tls.identity.key: the file \(paths.client) has no private key"
                ),
                (
                    .init(certificate: .file(paths.client), key: .text("")),
                    "tls.identity.key: the text has no private key"
                ),
                (
                    .init(certificate: .file(paths.client), key: .file(paths.client)),
                    "tls.identity.key: the file \(paths.client) has no private key"
                ),
            ]
            + encrypted.map {
                (
                    .init(certificate: .file(paths.client), key: .file($0)),
                    "has an encrypted private key; give its pass phrase"
                )
            }
        for (identity, words) in cases {
            let message = try await TransportTry.unusable { $0.tls.identity = identity }
            #expect(message.contains(words), "\(message)")
        }
    }

    @Test func aWrongPassPhraseAndAKeyOfAnotherCertificateAreTLSErrors() async throws {
        let paths = try await Certificates.shared
        let address = "https://localhost:\(try await Nginx.shared.asks)"
        for identity in [
            TLSConfiguration.ClientIdentity(
                certificate: .file(paths.client), key: .file(paths.encryptedKey), passPhrase: "wrong"),
            .init(certificate: .file(paths.client), key: .file(paths.strangerKey)),
        ] {
            let error = try await TransportTry.failure(address, try await showing(identity))
            #expect(error.code == .tls, "\(error)")
            #expect(error.phase == .securing, "\(error)")
            #expect(error.message.contains("client certificate of tls.identity cannot be used"), "\(error)")
            #expect(!error.description.contains("wrong\""))
        }
    }
}
#endif
