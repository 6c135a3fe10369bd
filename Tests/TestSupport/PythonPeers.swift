#if os(Linux)
import Foundation

/// The peers of `Fixtures/transport/peers.py`, one of each for all tests of the process.
package struct PythonPeers: Sendable {
    /// A SOCKS proxy without authentication, and one for `ann` and `geheim`.
    package let socks: Int
    package let socksForUsers: Int
    /// TLS servers that abort the handshake of a client without a certificate, with TLS 1.2 and with 1.3.
    package let wantsCertificate12: Int
    package let wantsCertificate13: Int
    /// The open HTTP proxy of ``ProxyPeers``, over TLS.
    package let tlsProxy: Int
    /// The name of an abstract Unix socket with an HTTP server.
    package let abstract: String
    private let process: ChildProcess

    package static let program = SystemProgram("python3")
    private static let started = Task {
        let certificates = try await Certificates.shared
        let proxies = try await ProxyPeers.shared
        return try await offPool { try PythonPeers(certificates, proxy: proxies.open) }
    }

    package static var shared: PythonPeers {
        get async throws { try await started.value }
    }

    private init(_ certificates: Certificates, proxy: Int) throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/transport/peers.py")
        process = try ChildProcess(
            Self.program.path ?? "python3",
            [
                script.path, certificates.server, certificates.serverKey, certificates.authority,
                ScratchFolder.file("peers.log"), "\(proxy)",
            ])
        var values: [String: String] = [:]
        for line in try process.lines(until: { $0 == "ready" }) {
            let words = line.split(separator: " ").map(String.init)
            if words.count == 2 { values[words[0]] = words[1] }
        }
        func port(_ name: String) -> Int { Int(values[name] ?? "") ?? 0 }
        socks = port("socks")
        socksForUsers = port("socks-user")
        wantsCertificate12 = port("wants-certificate-12")
        wantsCertificate13 = port("wants-certificate-13")
        tlsProxy = port("tls-proxy")
        abstract = values["abstract"] ?? ""
    }

    /// The log of the peers so far.
    package var log: [String] {
        ((try? ScratchFolder.read("peers.log")) ?? "").split(separator: "\n").map(String.init)
    }

    /// True if all programs that the tests of this folder start are installed.
    package static var areInstalled: Bool {
        [Certificates.program, Nginx.program, ProxyPeers.program, program].allSatisfy { $0.path != nil }
    }
}
#endif
