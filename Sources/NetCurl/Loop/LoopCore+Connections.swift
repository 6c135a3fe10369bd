#if os(Linux)
internal import CCurl
internal import Glibc
internal import NetCore

/// A request for the connections of a loop. Its response resumes a task.
final class ConnectionCount: Sendable {
    private let continuation: UnsafeContinuation<[HostConnections], Never>

    init(_ continuation: UnsafeContinuation<[HostConnections], Never>) { self.continuation = continuation }

    func finish(_ connections: [HostConnections]) { continuation.resume(returning: connections) }
}

extension LoopCore {
    /// Returns the connections for HTTP by origin. Computed on demand, so that calls pay only for the descriptors of
    /// new connections.
    func connectionsByOrigin() -> [HostConnections] {
        var hosts: [String: HostConnections] = [:]
        func change(_ origin: String, _ body: (inout HostConnections) -> Void) {
            body(&hosts[origin, default: HostConnections(origin: origin)])
        }
        for transfer in live where transfer.sending == 0 { change(transfer.request.origin) { $0.waiting += 1 } }
        let used = usedPorts
        for transfer in waiting.elements { change(transfer.request.origin) { $0.waiting += 1 } }
        for (descriptor, origin) in origins {
            let isIdle = isIdle(descriptor, usedPorts: used)
            change(origin) { host in
                host.open += 1
                if isIdle { host.idle += 1 }
            }
        }
        return hosts.values.sorted { $0.origin < $1.origin }
    }

    /// Prevents the reuse of the connections that are open now and of the looked-up names: they belong to a network
    /// that is gone.
    func renewConnections() {
        networkChange = now
        outdated = Set(origins.keys)
        retireOutdated()
    }

    /// Makes libcurl consider outdated connections dead at its next check, once they are idle.
    func retireOutdated() {
        let used = usedPorts
        for descriptor in outdated where isIdle(descriptor, usedPorts: used) {
            shutdown(descriptor, CInt(SHUT_RDWR))
            outdated.remove(descriptor)
        }
    }

    /// The local ports of connections in use, by which a transfer identifies its connection.
    private var usedPorts: Set<CInt> { Set(live.lazy.filter { $0.sending > 0 }.map(\.localPort)) }

    private func isIdle(_ descriptor: CInt, usedPorts: Set<CInt>) -> Bool {
        let wanted = sockets.indices.contains(Int(descriptor)) ? sockets[Int(descriptor)].wanted : 0
        let port = net_socket_local_port(descriptor)
        // A Unix socket has no port.
        guard port != 0 else { return wanted == 0 }
        return wanted & EPOLLOUT.rawValue == 0 && !usedPorts.contains(port)
    }
}
#endif
