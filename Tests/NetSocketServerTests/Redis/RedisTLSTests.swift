#if Redis && os(Linux) && ServerTLS
import NetCore
import TestSupport
import Testing

@testable import NetSocketServer

/// Tests with a real broker that has a certificate.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: RedisServerProcess.program.path != nil && Certificates.program.path != nil))
struct RedisTLSTests {
    private func serve(
        _ body: (_ port: Int, _ server: RedisServerProcess, Certificates) async throws -> Void
    ) async throws {
        let certificates = try await Certificates.shared
        try await RedisServerProcess.with(certificates: certificates) { server in
            try await body(#require(server.tlsPort), server, certificates)
        }
    }

    @Test func `A broker whose authority is trusted is spoken to by name and by address`() async throws {
        try await serve { port, _, certificates in
            for host in ["localhost", "127.0.0.1"] {
                let link = try await RedisLink.open("rediss://\(host):\(port)/1") {
                    $0.trustRoots = certificates.authority
                }
                let large = Bytes(Array(repeating: 7, count: 1_000_000))
                try await link.connection.call(RedisCommand("SET", [Bytes("a".utf8), large]))
                #expect(try await link.call("GET", "a").bytes == large)
                try await link.close()
            }
        }
    }

    @Test func `A broker that isn't trusted is refused`() async throws {
        try await serve { port, _, certificates in
            let unknown = await RedisLink.failure("rediss://localhost:\(port)")
            #expect(unknown?.code == .tls)
            #expect(unknown?.phase == .securing)
            let other = await RedisLink.failure("rediss://localhost:\(port)") { $0.trustRoots = certificates.stranger }
            #expect(other?.code == .tls)
            let missing = await RedisLink.failure("rediss://localhost:\(port)") { $0.trustRoots = "/nowhere.pem" }
            #expect(missing?.code == .tls)
            #expect(missing?.message.contains("/nowhere.pem") == true)
        }
    }

    @Test func `A broker whose certificate has another name is refused`() async throws {
        let certificates = try await Certificates.shared
        let options = ["--tls-cert-file", certificates.other, "--tls-key-file", certificates.otherKey]
        let server = try await RedisServerProcess.start(certificates: certificates, options)
        for host in ["localhost", "127.0.0.1"] {
            let error = await RedisLink.failure("rediss://\(host):\(try #require(server.tlsPort))") {
                $0.trustRoots = certificates.authority
            }
            #expect(error?.code == .tls)
        }
        try await server.stop()
    }

    @Test func `TLS with a plain port fails, and so does plain text with a TLS port`() async throws {
        try await serve { port, server, certificates in
            let plain = await RedisLink.failure("rediss://127.0.0.1:\(server.port)") {
                $0.trustRoots = certificates.authority
                $0.connectTimeout = .seconds(2)
            }
            #expect(plain != nil)
            #expect(plain?.code != .unknown)
            let secure = await RedisLink.failure("redis://127.0.0.1:\(port)") { $0.connectTimeout = .seconds(2) }
            #expect(secure != nil)
            #expect(secure?.code != .unknown)
        }
    }
}
#endif
