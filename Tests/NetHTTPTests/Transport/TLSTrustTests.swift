#if Server
import CCurl
@testable import ClientTestSupport
import Foundation
import Glibc
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

@testable import NetCurl

@Suite(.timeLimit(.minutes(2)), .enabled(if: PythonPeers.areInstalled)) struct TLSTrustTests {
    private func address() async throws -> String { "https://localhost:\(try await Nginx.shared.tls13)" }

    @Test func authoritiesInTextAndInAFileAreTrusted() async throws {
        let certificates = try await Certificates.shared
        let text = try certificates.text(certificates.authority)
        for pem in [PEM.text(text), .text("words before\r\n" + text), .file(certificates.authority)] {
            let answer = try await TransportTry.text(try await address()) { $0.tls.trust = .authorities(pem) }
            #expect(answer.hasPrefix("tls13 "))
            let both = try await TransportTry.text(try await address()) { $0.tls.trust = .systemAnd(pem) }
            #expect(both.hasPrefix("tls13 "))
        }
    }

    @Test func anAuthorityThatIsNotNamedIsNotTrusted() async throws {
        let stranger = try await Certificates.shared.stranger
        for trust in [TLSConfiguration.Trust.system, .authorities(.file(stranger)), .systemAnd(.file(stranger))] {
            let error = try await TransportTry.failure(try await address()) { $0.tls.trust = trust }
            #expect(error.code == .tls)
            #expect(error.phase == .securing)
            #expect(error.message.contains("isn't from an authority in tls.trust"), "\(error)")
        }
    }

    @Test func verificationEndsOnlyByItsLongName() async throws {
        let answer = try await TransportTry.text(try await address()) {
            $0.tls.trust = .dangerouslyAcceptAnyCertificate
        }
        #expect(answer.hasPrefix("tls13 "))
    }

    @Test func aCertificateForOtherHostsSaysSo() async throws {
        let authority = try await Certificates.shared.authority
        let port = try await Nginx.shared.tls13
        let error = try await TransportTry.failure("https://other.test:\(port)") {
            $0.tls.trust = .authorities(.file(authority))
            $0.connection.overrides["other.test:\(port)"] = .addresses(["127.0.0.1"])
        }
        #expect(error.code == .tls)
        #expect(error.message.contains("its certificate is for other hosts"), "\(error)")
    }

    @Test(arguments: [
        (TestServer.TLS.expired, "has expired"), (TestServer.TLS(validFrom: .seconds(3600)), "is not valid yet"),
        (TestServer.TLS(.selfSigned), "is self-signed"),
    ]) func certificateErrorsStateTheProblem(tls: TestServer.TLS, words: String) async throws {
        let server = try await TestServer.start([], configuration: .tls(tls))
        let pem = try #require(server.caCertificatePEM)
        let isTrusted = !words.contains("self-signed")
        let error = try await TransportTry.failure(server.baseURL.description) {
            if isTrusted { $0.tls.trust = .authorities(.text(pem)) }
        }
        #expect(error.code == .tls)
        #expect(error.phase == .securing)
        #expect(error.message.contains(words), "\(error)")
        await server.stop()
    }

    @Test func aServerWithoutTLSSaysSo() async throws {
        let error = try await TransportTry.failure("https://localhost:\(try await Nginx.shared.plain)") { _ in }
        #expect(error.code == .tls)
        #expect(error.message.contains("is this a port for http?"), "\(error)")
    }

    /// Servers close without a word, or send an alert of TLS.
    @Test func aServerThatExpectsTLSIsRecognized() async throws {
        let server = try await TestServer.start([], configuration: .tls(TestServer.TLS()))
        let url = server.baseURL.description.replacing("https:", with: "http:")
        let error = try await TransportTry.failure(url) { _ in }
        #expect(error.message.contains("is this a port for https?"), "\(error)")
        await server.stop()
    }

    @Test func authoritiesThatCannotBeReadAreNamed() async throws {
        let certificates = try await Certificates.shared
        let text = try certificates.text(certificates.authority)
        let damaged = text.replacing("\nMII", with: "\nMIJ", maxReplacements: 1)
        let cases: [(PEM, String)] = [
            (.file("/no/such/file.pem"), "/no/such/file.pem cannot be read: No such file"),
            (.file("/tmp"), "/tmp cannot be read"), (.text(""), "has no certificate"),
            (.text("-----BEGIN CERTIFICATE-----\n"), "has no certificate"),
            (.file(certificates.serverKey), "no certificate"),
            (.text(damaged), "damaged certificate, number 1"), (.text(text + damaged), "damaged certificate, number 2"),
        ]
        for (pem, words) in cases {
            for trust in [TLSConfiguration.Trust.authorities(pem), .systemAnd(pem)] {
                let message = try await TransportTry.unusable { $0.tls.trust = trust }
                #expect(message.hasPrefix("tls.trust: "), "\(message)")
                #expect(message.contains(words), "\(message)")
            }
        }
    }

    @Test func theseAloneLeavesNoFolderOfTheSystem() async throws {
        let (port, certificates) = (try await Nginx.shared.tls13, try await Certificates.shared)
        let text = try certificates.text(certificates.authority)
        for (trust, hasFolder) in [
            (TLSConfiguration.Trust.authorities(.file(certificates.authority)), false),
            (.authorities(.text(text)), false),
            (.systemAnd(.file(certificates.authority)), SystemAuthorities.hasFolder),
            (.system, SystemAuthorities.source != .bundle),
        ] {
            let places = try Self.places(of: trust, port: port)
            // If libcurl requires a folder, it gets one without authorities.
            #expect((places.folder != nil && places.folder != "/proc/self") == hasFolder, "\(trust): \(places)")
        }
    }

    @Test func theBundleOfTheSystemIsNotReadForEveryConnection() async throws {
        let places = try Self.places(of: .system, port: try await Nginx.shared.tls13)
        switch SystemAuthorities.source {
        case .folder, .folderAndOne:
            #expect(places.file == nil)
            #expect(places.folder != nil)
        case .bundle:
            #expect(places.file != nil)
            #expect(places.folder == nil)
        case .asBuilt: break
        }
    }

    @Test func authoritiesAreFoundByTheNamesThatOpenSSLGivesThem() async throws {
        try await TemporaryFolder.with { folder in
            for name in ["0123abcd.0", "fedcba98.12", "0123ABCD.0", "0123abcd.pem", "0123abcd.", "0123abcd", "ca.crt"] {
                try folder.write("x", to: name)
            }
            // As in an image that contains the folder but not the targets of its links.
            try FileManager.default.createSymbolicLink(
                atPath: folder.path("76543210.0"), withDestinationPath: folder.path("gone.pem"))
            #expect(Set(SystemAuthorities.hashedNames(in: folder.url.path())) == ["0123abcd.0", "fedcba98.12"])
            #expect(SystemAuthorities.hashedNames(in: folder.path("none")).isEmpty)
        }
    }

    @Test func aTextOfAuthoritiesIsAFileThatLivesAsLongAsItsTransport() async throws {
        let (port, certificates) = (try await Nginx.shared.tls13, try await Certificates.shared)
        let text = try certificates.text(certificates.authority)
        #expect(try Self.places(of: .authorities(.text(text)), port: port).file?.hasPrefix("/proc/self/fd/") == true)
        var file = AuthorityFile(text)
        let path = try #require(file?.path)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        file = nil
        // The descriptor's number may have been reused since.
        #expect((try? String(contentsOfFile: path, encoding: .utf8)) != text)
    }

    /// Returns the places where libcurl looks for the authorities of a connection.
    private static func places(
        of trust: TLSConfiguration.Trust, port: Int
    ) throws -> (file: String?, folder: String?) {
        let raw = try #require(curl_easy_init())
        defer { curl_easy_cleanup(raw) }
        // Only libcurl's log shows where it looks for authorities.
        let log = ScratchFolder.file("libcurl-\(UUID().uuidString).log")
        let file = try #require(fopen(log, "w"))
        net_easy_set_pointer(raw, CURLOPT_STDERR, UnsafeRawPointer(file))
        net_easy_set_long(raw, CURLOPT_VERBOSE, 1)
        net_easy_set_long(raw, CURLOPT_NOBODY, 1)
        net_easy_set_string(raw, CURLOPT_URL, "https://127.0.0.1:\(port)/")
        var configuration = TLSConfiguration()
        configuration.trust = trust
        var writer = EasyWriter(raw)
        let settings = try TLSSettings(configuration, setting: "tls")
        settings.apply(to: &writer, .server)
        settings.applySystemAuthorities(to: &writer, .server)
        #expect(writer.problem == nil)
        withExtendedLifetime(settings) { _ = curl_easy_perform(raw) }
        fclose(file)
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        func place(_ name: String) -> String? {
            let place = lines.compactMap { $0.split(separator: name + ": ").dropFirst().first }.first
            return place == "none" ? nil : place.map(String.init)
        }
        return (place("CAfile"), place("CApath"))
    }

    @Test func versionsAreKeptTo() async throws {
        let nginx = try await Nginx.shared
        let (old, new) = ("https://localhost:\(nginx.tls12)", "https://localhost:\(nginx.tls13)")
        let authority = try await Certificates.shared.authority
        let trusting: TransportTry.Change = { $0.tls.trust = .authorities(.file(authority)) }
        #expect(try await TransportTry.text(old, trusting).contains("TLSv1.2"))
        #expect(try await TransportTry.text(new, trusting).contains("TLSv1.3"))
        let tooOld = try await TransportTry.failure(old) {
            trusting(&$0)
            $0.tls.minimumVersion = .tls13
        }
        let tooNew = try await TransportTry.failure(new) {
            trusting(&$0)
            $0.tls.maximumVersion = .tls12
        }
        for error in [tooOld, tooNew] {
            #expect(error.code == .tls)
            #expect(error.phase == .securing)
            #expect(error.message.contains("no version from tls.minimumVersion"), "\(error)")
        }
        let message = try await TransportTry.unusable {
            $0.tls.minimumVersion = .tls13
            $0.tls.maximumVersion = .tls12
        }
        #expect(message.hasPrefix("tls.maximumVersion: "))
    }

    @Test func ciphersAreChosen() async throws {
        let nginx = try await Nginx.shared
        let (old, new) = ("https://localhost:\(nginx.tls12)", "https://localhost:\(nginx.tls13)")
        let authority = try await Certificates.shared.authority
        for name in ["ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-CHACHA20-POLY1305"] {
            let text = try await TransportTry.text(old) {
                $0.tls.trust = .authorities(.file(authority))
                $0.tls.cipherList = name
            }
            #expect(text.contains(name))
        }
        for name in ["TLS_AES_128_GCM_SHA256", "TLS_CHACHA20_POLY1305_SHA256"] {
            let text = try await TransportTry.text(new) {
                $0.tls.trust = .authorities(.file(authority))
                $0.tls.cipherSuites = name
            }
            #expect(text.contains(name))
        }
        let error = try await TransportTry.failure(old) { $0.tls.cipherList = "NO-SUCH-CIPHER" }
        #expect(error.code == .tls)
        #expect(error.message.contains("tls.cipherList or .cipherSuites cannot be used"), "\(error)")
    }
}
#endif
