#if os(Linux)
import Foundation
import Glibc

/// A listening socket on loopback, with operations for tests.
///
/// `@unchecked Sendable`: its constants are set before it is shared.
package final class Listener: @unchecked Sendable {
    package let descriptor: Int32
    package let port: Int

    /// - Parameter port: Default 0, which lets the kernel choose.
    package init(port: Int = 0, backlog: Int32 = 64, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = Self.loopback(port)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                bind(descriptor, raw, length) | listen(descriptor, backlog) | getsockname(descriptor, raw, &length)
            }
        }
        guard status == 0 else {
            close(descriptor)
            throw POSIXError(.EADDRINUSE)
        }
        self.port = Int(UInt16(bigEndian: address.sin_port))
    }

    package func stop() {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    /// Returns a port without a listener, for a peer that is started later; see ``FreePorts``.
    package static func freePort() throws -> Int { try FreePorts.take(1)[0] }

    /// Returns several ports without a listener, all different.
    package static func freePorts(_ count: Int) throws -> [Int] { try FreePorts.take(count) }

    /// Returns true if the port has a listener.
    package static func accepts(port: Int) -> Bool {
        let descriptor = open(port: port, isBlocking: true)
        defer { close(descriptor.socket) }
        return descriptor.isConnected
    }

    /// Begins a connection.
    package static func open(port: Int, isBlocking: Bool) -> (socket: Int32, isConnected: Bool) {
        let flags = Int32(SOCK_CLOEXEC.rawValue) | (isBlocking ? 0 : Int32(SOCK_NONBLOCK.rawValue))
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | flags, 0)
        var address = loopback(port)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return (descriptor, status == 0)
    }

    private static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }
}

/// A port that never accepts a connection: its backlog is full, so the kernel doesn't respond to a SYN. Works without a
/// network.
package final class BlackHole: Sendable {
    private let listener: Listener
    private let fillers: [Int32]

    package var port: Int { listener.port }

    package init() throws {
        listener = try Listener(backlog: 0)
        var fillers: [Int32] = []
        for _ in 0..<8 {
            let (descriptor, _) = Listener.open(port: listener.port, isBlocking: false)
            fillers.append(descriptor)
            var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            if poll(&poller, 1, 100) == 0 { break }
        }
        self.fillers = fillers
    }

    package func stop() {
        for descriptor in fillers { close(descriptor) }
        listener.stop()
    }
}
#endif
