#if os(Linux)
import Foundation
import Glibc

/// A port of ::1 that never accepts a connection: its backlog is full, so the kernel doesn't respond to a SYN.
final class IPv6Hole: Sendable {
    private let descriptors: [Int32]

    init(port: Int) throws {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = in_port_t(UInt16(port).bigEndian)
        address.sin6_addr = in6addr_loopback
        let length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        func with(_ descriptor: Int32, _ call: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32) -> Int32 {
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call(descriptor, $0, length) }
            }
        }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let listener = socket(AF_INET6, kind, 0)
        var descriptors = [listener]
        guard with(listener, bind) == 0, listen(listener, 0) == 0 else { throw POSIXError(.EADDRINUSE) }
        for _ in 0..<8 {
            let filler = socket(AF_INET6, kind | Int32(SOCK_NONBLOCK.rawValue), 0)
            descriptors.append(filler)
            _ = with(filler, connect)
            var poller = pollfd(fd: filler, events: Int16(POLLOUT), revents: 0)
            if poll(&poller, 1, 100) == 0 { break }
        }
        self.descriptors = descriptors
    }

    func stop() {
        for descriptor in descriptors { close(descriptor) }
    }
}
#endif
