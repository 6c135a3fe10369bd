#if Server
@testable import ClientTestSupport
import NetHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)), .enabled(if: PythonPeers.areInstalled)) struct PinTests {
    private let other = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    private func with(_ pins: [String: [String]]) async throws -> TransportTry.Change {
        let authority = try await Certificates.shared.authority
        return {
            $0.tls.trust = .authorities(.file(authority))
            $0.tls.pins = pins
        }
    }

    @Test func oneOfSeveralKeysIsEnough() async throws {
        let pin = try await Certificates.shared.serverPin
        let address = "https://localhost:\(try await Nginx.shared.tls13)"
        for pins in [
            ["*": [pin]], ["localhost": ["sha256/\(other)", "sha256/\(pin)"]], ["LOCALHOST": ["sha256//\(pin)"]],
        ] {
            let text = try await TransportTry.text(address, try await with(pins))
            #expect(text.hasPrefix("tls13 "))
        }
    }

    /// Base64 may begin with a slash, which then isn't part of the prefix.
    @Test func aHashMayBeginWithASlash() async throws {
        let pin = "/" + other.dropFirst()
        for text in [pin, "sha256/\(pin)", "sha256//\(pin)"] {
            #expect(TLSConfiguration.hash(ofPin: text) == pin[...])
            #expect(TLSConfiguration.hash(ofPin: text.replacing(pin, with: other)) == other[...])
            let error = try await TransportTry.failure(
                "https://localhost:\(try await Nginx.shared.tls13)", try await with(["*": [text]]))
            #expect(error.message.contains("isn't in tls.pins"), "\(error)")
        }
    }

    @Test func anotherKeyIsRefused() async throws {
        let address = "https://localhost:\(try await Nginx.shared.tls13)"
        for pattern in ["*", "localhost"] {
            let error = try await TransportTry.failure(address, try await with([pattern: [other]]))
            #expect(error.code == .tls)
            #expect(error.phase == .securing)
            #expect(error.message.contains("its public key isn't in tls.pins"), "\(error)")
        }
    }

    @Test func theClosestPatternCounts() async throws {
        let (pin, port) = (try await Certificates.shared.serverPin, try await Nginx.shared.tls13)
        let change = try await with(["named.test": [pin], "*.test": [other], "*": [pin]])
        let map: TransportTry.Change = {
            change(&$0)
            $0.connection.overrides["*:\(port)"] = .addresses(["127.0.0.1"])
        }
        for host in ["named.test", "localhost"] {
            let text = try await TransportTry.text("https://\(host):\(port)", map)
            #expect(text.hasPrefix("tls13 "))
        }
        let error = try await TransportTry.failure("https://other.test:\(port)") {
            map(&$0)
            $0.tls.trust = .dangerouslyAcceptAnyCertificate
        }
        #expect(error.message.contains("isn't in tls.pins"), "\(error)")
    }

    @Test func aHandleForgetsThePinsOfItsLastHost() async throws {
        let (pin, port) = (try await Certificates.shared.serverPin, try await Nginx.shared.tls13)
        let change = try await with(["127.0.0.1": [other], "named.test": [pin]])
        try await TransportTry.with("https://localhost:\(port)") {
            change(&$0)
            $0.connection.overrides["named.test:\(port)"] = .addresses(["127.0.0.1"])
        } _: { _, transport in
            for _ in 0..<3 {
                for host in ["localhost", "named.test"] {
                    _ = try await TransportTry.text("https://\(host):\(port)", over: transport)
                }
                let error = try await failure {
                    try await TransportTry.text("https://127.0.0.1:\(port)", over: transport)
                }
                #expect(error.message.contains("isn't in tls.pins"), "\(error)")
            }
            #expect(transport.statistics.handles == 1)
        }
    }

    @Test(arguments: ["", "abc", "sha1/AAAA", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==", "sha256/%%%"])
    func malformedPinsAreRejected(pin: String) async throws {
        let message = try await TransportTry.unusable { $0.tls.pins["example.com"] = [pin] }
        #expect(message.hasPrefix("tls.pins[\"example.com\"]: "), "\(message)")
        #expect(message.contains("base64 of a SHA-256"), "\(message)")
    }

    @Test func hostsAndKeysMustBeThere() async throws {
        let empty = try await TransportTry.unusable { $0.tls.pins["example.com"] = [] }
        #expect(empty.contains("the list of pins is empty"))
        for pattern in ["", "https://example.com", "example.com:443", "a.*.com", "a b"] {
            let message = try await TransportTry.unusable { [other] in $0.tls.pins[pattern] = [other] }
            #expect(message.contains("without scheme and port"), "\(message)")
        }
    }
}
#endif
