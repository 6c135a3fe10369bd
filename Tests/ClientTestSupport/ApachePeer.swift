#if os(Linux)
import Foundation
import TestSupport

/// An Apache that requires `ann` and `geheim` by Digest (mod_auth_digest) for `/x.txt`, with nonces that are valid for
/// a second, over HTTP/1.1 and HTTP/2.
struct ApachePeer: Sendable {
    private let site: ApacheSite

    static var program: SystemProgram { ApacheSite.program }
    // Another program may have taken the port in between.
    private static let started = Task { try await offPool { try (try? ApachePeer()) ?? ApachePeer() } }

    static var shared: ApachePeer {
        get async throws { try await started.value }
    }

    var port: Int { site.port }

    /// Starts an Apache; `socketPort` is the port of a WebSocket server that `/socket` forwards to after Digest
    /// authentication.
    init(socketPort: Int? = nil) throws {
        // MD5 of ann:tests:geheim.
        let users = try ScratchFolder.write("ann:tests:\(Self.key)\n", to: "apache-users")
        site = try ApacheSite(
            modules: ["authn_core", "authn_file", "authz_user", "auth_digest", "http2", "proxy", "proxy_wstunnel"],
            settings: """
                Protocols h2c http/1.1
                \(socketPort.map { "ProxyPass /socket ws://127.0.0.1:\($0)/socket" } ?? "")
                <LocationMatch "^/(x.txt|socket)$">
                AuthType Digest
                AuthName tests
                AuthDigestProvider file
                AuthDigestNonceLifetime 1
                AuthUserFile \(users)
                Require valid-user
                </LocationMatch>
                """)
        try Data("hello\n".utf8).write(to: URL(filePath: "\(site.folder)/x.txt"))
    }

    private static let key = "500e85f2e29ca52ed41d79ef677c1d30"
}
#endif
