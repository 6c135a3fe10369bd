#if os(Linux)
import Foundation

/// An nginx with several servers, one for all tests of the process. Each responds with one line about the connection:
///
///     PLACE ADDRESS PORT PROTOCOL CIPHER "CLIENT'S NAME" HOST
package struct Nginx: Sendable {
    /// Without TLS.
    package let plain: Int
    /// Each with a single version of TLS.
    package let tls12: Int
    package let tls13: Int
    /// With both versions; requests a client certificate, and responds with status 400 if there is none.
    package let asks: Int
    /// A Unix socket.
    package let socket = ScratchFolder.file("nginx.sock")
    private let process: ChildProcess

    package static let program = SystemProgram("nginx")
    private static let started = Task {
        let certificates = try await Certificates.shared
        // Another program may have taken a port in between.
        return try await offPool { try (try? Nginx(certificates)) ?? Nginx(certificates) }
    }

    package static var shared: Nginx {
        get async throws { try await started.value }
    }

    private init(_ certificates: Certificates) throws {
        let ports = try Listener.freePorts(4)
        (plain, tls12, tls13, asks) = (ports[0], ports[1], ports[2], ports[3])
        func server(_ place: String, _ lines: String) -> String {
            let line = "$remote_addr $remote_port $ssl_protocol $ssl_cipher \"$ssl_client_s_dn\" $http_host"
            return "server { \(lines) location / { return 200 '\(place) \(line)'; } }"
        }
        let tls = "ssl_certificate \(certificates.server); ssl_certificate_key \(certificates.serverKey);"
        let servers = [
            server("plain", "listen 127.0.0.1:\(plain); listen [::1]:\(plain);"),
            server("tls12", "listen 127.0.0.1:\(tls12) ssl; ssl_protocols TLSv1.2; \(tls)"),
            server("tls13", "listen 127.0.0.1:\(tls13) ssl; ssl_protocols TLSv1.3; \(tls)"),
            server(
                "asks",
                "listen 127.0.0.1:\(asks) ssl; \(tls) ssl_verify_client on; ssl_client_certificate \(certificates.authority);"
            ),
            server("unix", "listen unix:\(socket);"),
        ]
        let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(ScratchFolder.file("nginx-\($0)"));" }.joined(separator: " ")
        let settings = try ScratchFolder.write(
            """
            daemon off; worker_processes 1; pid \(ScratchFolder.file("nginx.pid")); error_log /dev/null crit;
            events { worker_connections 256; }
            http { access_log off; keepalive_timeout 60; \(folders)
            \(servers.joined(separator: "\n"))
            }

            """, to: "nginx.conf")
        // An nginx that didn't get a port leaves its socket.
        try? FileManager.default.removeItem(atPath: socket)
        process = try ChildProcess.daemon(Self.program.path ?? "nginx", ["-c", settings])
        try ChildProcess.wait(forPorts: ports, of: "nginx")
    }
}

extension ChildProcess {
    /// Starts an independent program; a shell ends it when this process ends, in any way.
    package static func daemon(_ path: String, _ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(
            "/bin/sh",
            [
                "-c",
                #""$0" "$@" >/dev/null 2>&1 </dev/null & child=$!; trap 'kill $child' TERM; read line; kill $child"#,
                path,
            ] + arguments)
    }

    /// Blocks until all of the ports have a listener; throws after ten seconds.
    package static func wait(forPorts ports: [Int], of name: String) throws {
        for port in ports {
            for _ in 0..<200 where !Listener.accepts(port: port) { usleep(50_000) }
            guard Listener.accepts(port: port) else { throw ChildFailure(description: "\(name) does not listen") }
        }
    }
}
#endif
