#if os(Linux)
import Foundation
import NetHTTP
import TestSupport

/// nginx on loopback with a test's configuration, until the end of the test.
struct NginxSite {
    static let program = Nginx.program.path

    let baseURL: BaseURL

    struct DidNotStart: Error { let log: String }

    /// Runs `body` with a client that trusts nginx, which serves `locations` over HTTP/2.
    static func withHTTP2<Value>(
        _ locations: String, settings: String = "", _ body: (HTTPClient, CurlTransport) async throws -> Value
    ) async throws -> Value {
        let certificates = try await Certificates.shared
        let keys = "ssl_certificate \(certificates.server); ssl_certificate_key \(certificates.serverKey);"
        return try await with("\(keys) \(locations)", listen: "ssl http2", settings: settings) { site in
            var configuration = CurlTransport.Configuration()
            configuration.tls.trust = .authorities(.text(try certificates.text(certificates.authority)))
            let transport = CurlTransport(configuration: configuration)
            let base = try BaseURL("https" + site.baseURL.description.dropFirst(4))
            let client = HTTPClient(baseURL: base, transport: transport)
            let value = try await body(client, transport)
            await client.shutdown()
            return value
        }
    }

    /// Runs `body` while nginx serves `locations`, the contents of its `server` block. `listen` is appended to its
    /// address, and `settings` are placed before the block.
    static func with<Value>(
        _ locations: String, listen: String = "", settings: String = "", _ body: (NginxSite) async throws -> Value
    ) async throws -> Value {
        for _ in 0..<3 {
            do {
                return try await attempt(locations, listen, settings, body)
            } catch is DidNotStart {
                // Another process took the free port before nginx did.
            }
        }
        return try await attempt(locations, listen, settings, body)
    }

    private static func attempt<Value>(
        _ locations: String, _ listen: String, _ settings: String, _ body: (NginxSite) async throws -> Value
    ) async throws -> Value {
        try await TemporaryFolder.with { folder in
            // A socket file in the folder would be simpler than a port, but libcurl has to see a host.
            let port = try Listener.freePort()
            try folder.write(
                """
                daemon off; pid \(folder.path("pid")); error_log \(folder.path("log")); events {}
                http { access_log off; client_body_temp_path \(folder.path("body"));
                proxy_temp_path \(folder.path("proxy")); fastcgi_temp_path \(folder.path("fcgi"));
                uwsgi_temp_path \(folder.path("uwsgi")); scgi_temp_path \(folder.path("scgi"));
                \(settings)
                server { listen 127.0.0.1:\(port) \(listen); \(locations) } }
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
            while !Listener.accepts(port: port) {
                guard process.isRunning, ContinuousClock.now < end else {
                    throw DidNotStart(log: (try? folder.text(of: "log")) ?? "")
                }
                try await Task.sleep(for: .milliseconds(5))
            }
            return try await body(NginxSite(baseURL: BaseURL(unchecked: "http://127.0.0.1:\(port)")))
        }
    }
}
#endif
