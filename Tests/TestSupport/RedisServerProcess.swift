#if os(Linux)
import Foundation
import Glibc
import Synchronization

/// A redis-server on a free port of 127.0.0.1, with its own folder. It ends with this process, however that ends.
///
///     let server = try await RedisServerProcess.start("--appendonly", "yes", "--appendfsync", "always")
///     try await server.stop()
///     try await server.restart()  // with the previous data
///     try await server.stop()
package final class RedisServerProcess: Sendable {
    private struct Running {
        let server: ChildProcess
        /// A shell that kills the server when this process ends.
        let guardian: ChildProcess
    }

    package static let program = SystemProgram("redis-server")

    package let port: Int
    /// The port for TLS; nil without certificates.
    package let tlsPort: Int?
    /// The folder of its data, and its log.
    package let folder: String
    private let options: [String]
    private let running = Mutex<Running?>(nil)

    /// Starts a server with command-line options, and waits until it responds. Without options, it stores nothing on
    /// disk.
    ///
    /// - Parameter certificates: With these, it also listens for TLS on a second port.
    package static func start(
        certificates: Certificates? = nil, _ options: String...
    ) async throws -> RedisServerProcess {
        try await start(certificates: certificates, options)
    }

    package static func start(
        certificates: Certificates? = nil, _ options: [String]
    ) async throws -> RedisServerProcess {
        try await offPool {
            // Another program may have taken the port in between.
            for _ in 0..<4 {
                let server = try RedisServerProcess(certificates, options)
                if (try? server.launch()) != nil { return server }
            }
            let server = try RedisServerProcess(certificates, options)
            try server.launch()
            return server
        }
    }

    /// Starts a server, and stops it when `body` returns or throws.
    package static func with<Value: Sendable>(
        certificates: Certificates? = nil, _ options: String...,
        body: (RedisServerProcess) async throws -> Value
    ) async throws -> Value {
        let server = try await start(certificates: certificates, options)
        do {
            let value = try await body(server)
            try await server.stop()
            return value
        } catch {
            try await server.stop()
            throw error
        }
    }

    private init(_ certificates: Certificates?, _ options: [String]) throws {
        port = try Listener.freePort()
        folder = ScratchFolder.file("redis-\(port)")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var tls: [String] = []
        tlsPort = try certificates.map { _ in try Listener.freePort() }
        if let certificates, let tlsPort {
            tls = [
                "--tls-port", "\(tlsPort)", "--tls-cert-file", certificates.server, "--tls-key-file",
                certificates.serverKey, "--tls-ca-cert-file", certificates.authority, "--tls-auth-clients", "no",
            ]
        }
        self.options =
            ["--bind", "127.0.0.1", "--port", "\(port)", "--dir", folder, "--daemonize", "no", "--save", ""] + tls
            + options
    }

    deinit {
        if let running = running.withLock({ $0 }) { Self.end(running, by: SIGKILL) }
    }

    /// True if the server is running or paused.
    package var isRunning: Bool { running.withLock { $0 != nil } }

    /// Kills the server, like a crash, and waits for its end. Does nothing if it isn't running.
    package func stop() async throws { await stop(by: SIGKILL) }

    /// Asks the server to shut down, like an administrator: it saves the data according to its options. Waits for its
    /// end.
    package func stopGracefully() async throws { await stop(by: SIGTERM) }

    /// Starts the server again, on the same port and with the same folder; kills it first if it runs.
    package func restart() async throws {
        try await stop()
        try await offPool { try self.launch() }
    }

    /// Suspends the process, so that it doesn't respond, and its connections stay open.
    package func pause() { signal(SIGSTOP) }

    /// Continues a paused process.
    package func resume() { signal(SIGCONT) }

    private func signal(_ number: Int32) {
        running.withLock { running in
            if let running { kill(running.server.pid, number) }
        }
    }

    private func stop(by number: Int32) async {
        guard let running = running.withLock({ $0.take() }) else { return }
        _ = try? await offPool { Self.end(running, by: number) }
    }

    private static func end(_ running: Running, by number: Int32) {
        kill(running.server.pid, number)
        // A paused process handles only SIGKILL.
        kill(running.server.pid, SIGCONT)
        // Until the guardian has ended, the process ID must not be reused.
        var information = siginfo_t()
        waitid(P_PID, id_t(running.server.pid), &information, WEXITED | WNOWAIT)
        running.guardian.stop()
        running.server.wait()
    }

    /// Starts the program and waits until it responds. Blocks.
    private func launch() throws {
        let server = try ChildProcess(
            Self.program.path ?? "redis-server", options + ["--logfile", folder + "/log"])
        let running: Running
        do {
            let guardian = try ChildProcess("/bin/sh", ["-c", "read -r line; kill -KILL \(server.pid)"])
            running = Running(server: server, guardian: guardian)
        } catch {
            server.stop()
            throw error
        }
        for _ in 0..<400 where !answers() && !Self.hasEnded(server.pid) { usleep(25_000) }
        // Without its port, it ends, and another program may respond there.
        guard answers(), !Self.hasEnded(server.pid) else {
            Self.end(running, by: SIGKILL)
            let log = (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? ""
            throw ChildFailure(description: "redis-server doesn't answer: \(log.suffix(500))")
        }
        self.running.withLock { $0 = running }
    }

    private static func hasEnded(_ pid: pid_t) -> Bool {
        var information = siginfo_t()
        return waitid(P_PID, id_t(pid), &information, WEXITED | WNOHANG | WNOWAIT) != 0
            || information.si_signo == SIGCHLD
    }

    /// Returns true if the server responds to a PING; a request for a password counts as well. Blocks.
    private func answers() -> Bool {
        if let tlsPort, !Listener.accepts(port: tlsPort) { return false }
        let (descriptor, isConnected) = Listener.open(port: port, isBlocking: true)
        defer { close(descriptor) }
        guard isConnected else { return false }
        var timeout = timeval(tv_sec: 2, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        let ping = Array("PING\r\n".utf8)
        guard write(descriptor, ping, ping.count) == ping.count else { return false }
        var reply = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &reply, reply.count)
        guard count > 0 else { return false }
        let text = String(decoding: reply[..<count], as: UTF8.self)
        return text.hasPrefix("+PONG") || text.hasPrefix("-NOAUTH")
    }
}
#endif
