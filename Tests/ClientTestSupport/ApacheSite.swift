#if os(Linux)
import Foundation
import TestSupport

/// An Apache on loopback with a test's settings, until the end of this process.
struct ApacheSite: Sendable {
    static let program = SystemProgram("apache2")

    let port: Int
    /// The folder of its documents, which its user can read.
    let folder: String
    private let process: ChildProcess

    /// Starts it with modules, named as in `mod_NAME.so`, and with lines of its settings.
    init(modules: [String], settings: String) throws {
        port = try Listener.freePort()
        let name = "apache-\(port)"
        folder = ScratchFolder.file(name)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        chmod(folder, 0o755)
        let loaded = (["mpm_event", "authz_core"] + modules)
            .map { "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so" }.joined(separator: "\n")
        let file = try ScratchFolder.write(
            """
            ServerName localhost
            Listen 127.0.0.1:\(port)
            DefaultRuntimeDir \(ScratchFolder.path)
            PidFile \(ScratchFolder.file("\(name).pid"))
            ErrorLog /dev/null
            User nobody
            Group nogroup
            \(loaded)
            DocumentRoot \(folder)
            \(settings)

            """, to: "\(name).conf")
        process = try ChildProcess.daemon(Self.program.path ?? "apache2", ["-X", "-f", file])
        try ChildProcess.wait(forPorts: [port], of: "apache2")
    }
}
#endif
