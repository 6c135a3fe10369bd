import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// nginx on loopback with a configuration of the test, for its life.
struct NginxSite {
    static let program = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    let baseURL: String

    struct DidNotStart: Error { let log: String }

    /// Runs `body` while nginx serves `locations`, what stands in its `server` block.
    static func with<Value>(
        _ locations: String, _ body: (NginxSite) async throws -> Value
    ) async throws -> Value {
        try await TemporaryFolder.with { folder in
            // A name in the folder would be simpler than a port, but libcurl is to see a host.
            let port = try freePort()
            try folder.write(
                """
                daemon off; pid \(folder.path("pid")); error_log \(folder.path("log")); events {}
                http { access_log off; client_body_temp_path \(folder.path("body"));
                proxy_temp_path \(folder.path("proxy")); fastcgi_temp_path \(folder.path("fcgi"));
                uwsgi_temp_path \(folder.path("uwsgi")); scgi_temp_path \(folder.path("scgi"));
                server { listen 127.0.0.1:\(port); \(locations) } }
                """, to: "nginx.conf")
            let process = Process()
            process.executableURL = URL(filePath: program ?? "/usr/sbin/nginx")
            process.arguments = ["-p", folder.url.path(), "-c", folder.path("nginx.conf"), "-e", folder.path("log")]
            process.standardError = FileHandle.nullDevice
            try process.run()
            defer {
                process.terminate()
                process.waitUntilExit()
            }
            let end = ContinuousClock.now + .seconds(10)
            while !answers(port) {
                guard process.isRunning, ContinuousClock.now < end else {
                    throw DidNotStart(log: (try? folder.text(of: "log")) ?? "")
                }
                try await Task.sleep(for: .milliseconds(5))
            }
            return try await body(NginxSite(baseURL: "http://127.0.0.1:\(port)"))
        }
    }

    private static func freePort() throws -> Int {
        let peer = try RawPeer("")
        defer { peer.stop() }
        return peer.port
    }

    private static func answers(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
