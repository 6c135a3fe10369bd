#if os(Linux)
import Foundation
import TestSupport

/// An Apache that requires `ann` and `geheim` by Digest (mod_auth_digest) for `/x.txt`, with nonces that are valid for
/// a second, over HTTP/1.1 and HTTP/2.
struct ApachePeer: Sendable {
    let port: Int
    private let process: ChildProcess

    static let program = SystemProgram("apache2")
    // Another program may have taken the port in between.
    private static let started = Task { try await offPool { try (try? ApachePeer()) ?? ApachePeer() } }

    static var shared: ApachePeer {
        get async throws { try await started.value }
    }

    /// Starts an Apache; `socketPort` is the port of a WebSocket server that `/socket` forwards to after Digest
    /// authentication.
    init(socketPort: Int? = nil) throws {
        port = try Listener.freePort()
        let name = "apache-\(port)"
        let folder = ScratchFolder.file(name)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        chmod(folder, 0o755)
        _ = try ScratchFolder.write("hello\n", to: "\(name)/x.txt")
        // MD5 of ann:tests:geheim.
        let users = try ScratchFolder.write("ann:tests:\(Self.key)\n", to: "apache-users")
        let modules = [
            "mpm_event", "authn_core", "authn_file", "authz_core", "authz_user", "auth_digest", "http2", "proxy",
            "proxy_wstunnel",
        ]
        .map { "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so" }.joined(separator: "\n")
        let settings = try ScratchFolder.write(
            """
            ServerName localhost
            Listen 127.0.0.1:\(port)
            DefaultRuntimeDir \(ScratchFolder.path)
            PidFile \(ScratchFolder.file("\(name).pid"))
            ErrorLog /dev/null
            User nobody
            Group nogroup
            \(modules)
            Protocols h2c http/1.1
            DocumentRoot \(folder)
            \(socketPort.map { "ProxyPass /socket ws://127.0.0.1:\($0)/socket" } ?? "")
            <LocationMatch "^/(x.txt|socket)$">
            AuthType Digest
            AuthName tests
            AuthDigestProvider file
            AuthDigestNonceLifetime 1
            AuthUserFile \(users)
            Require valid-user
            </LocationMatch>

            """, to: "\(name).conf")
        process = try ChildProcess.daemon(Self.program.path ?? "apache2", ["-X", "-f", settings])
        try ChildProcess.wait(forPorts: [port], of: "apache2")
    }

    private static let key = "500e85f2e29ca52ed41d79ef677c1d30"
}
#endif
