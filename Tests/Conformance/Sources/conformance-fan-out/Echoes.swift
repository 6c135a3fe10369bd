#if Redis
import Synchronization

/// Requests an echo from each server five times a second, on separate connections.
final class Echoes: Sendable {
    private let clients: [FleetClient]
    private let isOver = Mutex(false)

    init(_ fleet: Fleet) {
        clients = fleet.nodes.indices.map { fleet.observer("echo\($0)", home: $0) }
    }

    func stop() { isOver.withLock { $0 = true } }

    /// Returns the longest time until a response.
    func run() async throws -> Duration {
        try await withThrowingTaskGroup(of: Duration.self) { group in
            for client in clients { group.addTask { try await self.longest(client) } }
            return try await group.reduce(.zero) { max($0, $1) }
        }
    }

    private func longest(_ client: FleetClient) async throws -> Duration {
        _ = try await client.session.send(Echo(text: "first"))
        var longest = Duration.zero
        while !isOver.withLock({ $0 }) {
            let start = ContinuousClock.now
            _ = try await client.session.send(Echo(text: "echo"))
            longest = max(longest, ContinuousClock.now - start)
            try await Task.sleep(for: .milliseconds(200))
        }
        return longest
    }
}
#endif
