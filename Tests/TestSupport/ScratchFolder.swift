#if os(Linux)
import Foundation

/// A folder of this process and test target for the files of its peers: certificates, settings, sockets, logs. Programs
/// running as other users can read it.
package enum ScratchFolder {
    package static let path: String = {
        let module = #fileID.prefix { $0 != "/" }
        let path = "/tmp/\(module)-\(getpid())"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        chmod(path, 0o755)
        atexit { try? FileManager.default.removeItem(atPath: ScratchFolder.path) }
        return path
    }()

    /// Returns the path of a file in it.
    package static func file(_ name: String) -> String { path + "/" + name }

    package static func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: file(name)))
        return file(name)
    }

    package static func read(_ name: String) throws -> String {
        try String(contentsOfFile: file(name), encoding: .utf8)
    }
}

/// A system program, looked up where Debian installs it.
package struct SystemProgram: Sendable {
    package let path: String?

    package init(_ name: String) {
        path = ["/usr/bin/", "/usr/sbin/", "/usr/local/bin/", "/usr/lib/squid/"].map { $0 + name }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
        if path == nil { print("skipped: no \(name); scripts/bootstrap --tests installs it") }
    }
}
#endif
