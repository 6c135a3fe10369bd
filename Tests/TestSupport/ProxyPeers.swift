#if os(Linux)
import Foundation

/// Proxies, one of each for all tests of the process: two tinyproxies, one of which requires `ann` and `geheim`.
package struct ProxyPeers: Sendable {
    /// Forwards and tunnels for all clients; adds `Via: 1.1 open` to forwarded messages.
    package let open: Int
    /// Requires a user (Basic).
    package let closed: Int
    private let processes: [ChildProcess]

    package static let program = SystemProgram("tinyproxy")
    // Another program may have taken a port in between.
    private static let started = Task { try await offPool { try (try? ProxyPeers()) ?? ProxyPeers() } }

    package static var shared: ProxyPeers {
        get async throws { try await started.value }
    }

    private init() throws {
        let ports = try Listener.freePorts(2)
        (open, closed) = (ports[0], ports[1])
        processes = try zip(ports, ["open", "closed"]).map { port, name in
            let settings = try ScratchFolder.write(
                """
                Port \(port)
                Listen 127.0.0.1
                Allow 127.0.0.1
                Timeout 60
                MaxClients 100
                ViaProxyName "\(name)"
                LogLevel Connect
                LogFile "\(ScratchFolder.file("tinyproxy-\(name).log"))"
                \(name == "closed" ? "BasicAuth ann geheim" : "")

                """, to: "tinyproxy-\(name).conf")
            return try ChildProcess.daemon(Self.program.path ?? "tinyproxy", ["-d", "-c", settings])
        }
        try ChildProcess.wait(forPorts: ports, of: "tinyproxy")
    }

    /// Returns the lines of the open proxy's log about requests to a port.
    package func requests(to port: Int) -> [String] {
        let text = (try? ScratchFolder.read("tinyproxy-open.log")) ?? ""
        return text.split(separator: "\n").map(String.init).filter { $0.contains("Request") && $0.contains(":\(port)") }
    }
}

/// A squid that requires `ann` and `geheim` by Digest.
package struct SquidPeer: Sendable {
    package let port: Int
    private let process: ChildProcess

    package static let program = SystemProgram("squid")
    package static let helper = SystemProgram("digest_file_auth")
    // Another program may have taken the port in between.
    private static let started = Task { try await offPool { try (try? SquidPeer()) ?? SquidPeer() } }

    package static var shared: SquidPeer {
        get async throws { try await started.value }
    }

    private init() throws {
        port = try Listener.freePort()
        let users = try ScratchFolder.write("ann:geheim\n", to: "squid-users")
        let settings = try ScratchFolder.write(
            """
            http_port 127.0.0.1:\(port)
            auth_param digest program \(Self.helper.path ?? "digest_file_auth") \(users)
            auth_param digest realm tests
            auth_param digest children 1 startup=1 idle=1
            acl known proxy_auth REQUIRED
            http_access allow known
            http_access deny all
            cache deny all
            access_log none
            cache_log /dev/null
            cache_store_log none
            pid_filename none
            coredump_dir /tmp
            shutdown_lifetime 0 seconds

            """, to: "squid.conf")
        process = try ChildProcess.daemon(Self.program.path ?? "squid", ["-N", "-f", settings])
        try ChildProcess.wait(forPorts: [port], of: "squid")
    }
}
#endif
