#if os(Linux)
import Foundation
import Glibc
import Synchronization

/// Ports for peers that listen a moment after their port was chosen.
///
/// Several processes run tests at the same time, so each one uses its own range of ports. All ranges are below 32,768, where the
/// kernel begins to choose ports for outgoing connections.
enum FreePorts {
    private static let size = 64
    private static let first = 12_000 + Int(getpid()) % ((32_000 - 12_000) / size) * size
    private static let count = Mutex(0)

    /// Returns ports without a listener, all different. Throws if the whole range is in use.
    static func take(_ wanted: Int) throws -> [Int] {
        var ports: [Int] = []
        for _ in 0..<size where ports.count < wanted {
            let port = count.withLock { count in
                defer { count += 1 }
                return first + count % size
            }
            guard let listener = try? Listener(port: port) else { continue }
            listener.stop()
            ports.append(port)
        }
        guard ports.count == wanted else { throw POSIXError(.EADDRINUSE) }
        return ports
    }
}
#endif
