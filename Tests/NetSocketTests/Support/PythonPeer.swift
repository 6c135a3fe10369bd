#if os(Linux) && Server
import Foundation
import TestSupport

@testable import NetTestServer

/// The server of `Fixtures/websocket/peer.py`, one for all tests of the process.
struct PythonPeer: Sendable {
    /// The authority of its certificate, as PEM text.
    let authorityPEM: String
    private let ports: [String: Int]
    private let process: ChildProcess
    var pid: Int32 { process.pid }

    /// A `python3` that has the `websockets` package; nil if none is installed. Tries the system's first: the first one
    /// in `PATH` may not see the system's packages.
    static let interpreter: String? = ["/usr/bin/python3", "/usr/local/bin/python3"].first { path in
        guard FileManager.default.isExecutableFile(atPath: path),
            let child = try? ChildProcess(path, ["-c", "import websockets.legacy.server; print('yes')"])
        else { return false }
        defer { child.stop() }
        return (try? child.lines { $0 == "yes" }) != nil
    }

    static var isInstalled: Bool {
        if interpreter == nil { print("skipped: no python3 with websockets; scripts/bootstrap --tests installs it") }
        return interpreter != nil
    }

    private static let start = Task { try await offPool { try PythonPeer() } }

    static var shared: PythonPeer {
        get async throws { try await start.value }
    }

    init() throws {
        let chain = try CertificateChain(TestServer.TLS())
        authorityPEM = chain.authority
        let folder = FileManager.default.temporaryDirectory.appending(path: "net-peer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (leaf, key) = (folder.appending(path: "leaf.pem"), folder.appending(path: "key.pem"))
        try Data(chain.leaf.utf8).write(to: leaf)
        try Data(chain.key.utf8).write(to: key)
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/websocket/peer.py")
        process = try ChildProcess(Self.interpreter ?? "/usr/bin/python3", [script.path, leaf.path, key.path])
        var ports: [String: Int] = [:]
        for line in try process.lines(until: { $0 == "ready" }) {
            let words = line.split(separator: " ")
            if words.count == 2 { ports[String(words[0])] = Int(words[1]) }
        }
        self.ports = ports
    }

    func stop() { process.stop() }

    /// The URL of a path, `ws` or `wss`.
    func url(_ path: String, isSecure: Bool = false) -> String {
        let scheme = isSecure ? "wss" : "ws"
        return "\(scheme)://127.0.0.1:\(ports[scheme] ?? 0)\(path)"
    }
}
#endif
