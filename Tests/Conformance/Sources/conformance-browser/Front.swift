#if Server
import Foundation
import Glibc
import Synchronization

/// A proxy in front of several servers: each new connection goes to the first of them that accepts it.
final class Front: Sendable {
    private struct State {
        /// The ports of the servers, the preferred one first.
        var ports: [Int]
        /// The open connections to each.
        var open: [Int: Int] = [:]
    }

    private let listener: Int32
    private let state: Mutex<State>
    let port: Int

    init(to ports: [Int]) throws {
        (listener, port) = try Self.listen()
        state = Mutex(State(ports: ports))
        Thread.detachNewThread { [weak self, listener] in
            while case let client = accept(listener, nil, nil), client >= 0 {
                guard let self else { break }
                Thread.detachNewThread { self.serve(client) }
            }
        }
    }

    deinit { stop() }

    /// Makes this server the first choice for connections accepted from now on.
    func prefer(_ port: Int) {
        state.withLock { $0.ports.sort { first, second in first == port && second != port } }
    }

    func openConnections(to port: Int) -> Int { state.withLock { $0.open[port] ?? 0 } }

    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    /// Returns a port without a listener.
    static func freePort() throws -> Int {
        let (listener, port) = try listen()
        Glibc.close(listener)
        return port
    }

    // MARK: Connections

    private func serve(_ client: Int32) {
        defer { Glibc.close(client) }
        for port in state.withLock({ $0.ports }) {
            guard let server = Self.connect(port) else { continue }
            count(port, 1)
            let back = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                Self.pump(from: server, to: client)
                back.signal()
            }
            Self.pump(from: client, to: server)
            back.wait()
            Glibc.close(server)
            return count(port, -1)
        }
    }

    private func count(_ port: Int, _ change: Int) { state.withLock { $0.open[port, default: 0] += change } }

    /// Forwards bytes until they end, then closes both directions.
    private static func pump(from source: Int32, to target: Int32) {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        reading: while true {
            let count = recv(source, &bytes, bytes.count, 0)
            guard count > 0 else { break }
            var sent = 0
            while sent < count {
                let written = bytes[sent..<count].withUnsafeBytes {
                    send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard written > 0 else { break reading }
                sent += written
            }
        }
        for end in [source, target] { shutdown(end, Int32(SHUT_RDWR)) }
    }

    // MARK: Sockets

    private static func connect(_ port: Int) -> Int32? {
        let descriptor = makeSocket()
        if (with(port) { Glibc.connect(descriptor, $0, $1) }) == 0 { return descriptor }
        Glibc.close(descriptor)
        return nil
    }

    private static func listen() throws -> (descriptor: Int32, port: Int) {
        let descriptor = makeSocket()
        guard (with(0) { bind(descriptor, $0, $1) }) == 0, Glibc.listen(descriptor, 64) == 0 else {
            throw Failure("the front can't listen")
        }
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    private static func makeSocket() -> Int32 {
        socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    }

    /// Calls a function with an address on 127.0.0.1.
    private static func with(_ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
#endif
