#if os(Linux)
import Foundation
import Glibc
import TestSupport

/// A tinyproxy that tunnels to every port of loopback, one for all tests of the process.
struct Tinyproxy: Sendable {
    let port: Int
    private let log: String
    private let process: ChildProcess

    static let program = ["/usr/bin/tinyproxy", "/usr/sbin/tinyproxy", "/usr/local/bin/tinyproxy"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    static var isInstalled: Bool {
        if program == nil { print("skipped: no tinyproxy; scripts/bootstrap --tests installs it") }
        return program != nil
    }

    private static let start = Task { try await offPool { try Tinyproxy() } }

    static var shared: Tinyproxy {
        get async throws { try await start.value }
    }

    private init() throws {
        port = try Listener.freePort()
        let base = FileManager.default.temporaryDirectory.appending(path: "net-tinyproxy-\(getpid())").path
        log = base + ".log"
        let settings = """
            Port \(port)
            Listen 127.0.0.1
            Allow 127.0.0.1
            Timeout 60
            MaxClients 100
            LogLevel Connect
            LogFile "\(log)"

            """
        try Data(settings.utf8).write(to: URL(filePath: base + ".conf"))
        // The shell ends the proxy when this process ends, in any way.
        process = try ChildProcess(
            "/bin/sh",
            [
                "-c", #""$0" -d -c "$1" >/dev/null 2>&1 & child=$!; trap 'kill $child' TERM; read line; kill $child"#,
                Self.program ?? "tinyproxy", base + ".conf",
            ])
        for _ in 0..<100 where !Listener.accepts(port: port) { usleep(50_000) }
        try? FileManager.default.removeItem(atPath: base + ".conf")
        guard Listener.accepts(port: port) else { throw ChildFailure(description: "tinyproxy does not listen") }
    }

    var url: String { "http://127.0.0.1:\(port)" }

    /// Returns the number of tunnels to a port, according to the log.
    func tunnels(to port: Int) -> Int {
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").count { $0.contains("CONNECT 127.0.0.1:\(port) HTTP/1.") }
    }
}
#endif
