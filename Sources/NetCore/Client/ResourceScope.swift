internal import Synchronization

/// What the clients, transports and clocks hold that were made while a scope was open: calls, transfers, sleeping tasks.
///
/// Made for `LeakCheck`. The scope is asked for once for each client, never for a call.
package final class ResourceScope: Sendable {
    @TaskLocal package static var current: ResourceScope?

    private struct Resource {
        let name: String
        let count: @Sendable () -> Int
    }

    private let resources = Mutex<[Resource]>([])

    package init() {}

    /// Counts `name` from now on. What `count` captures lives as long as the scope.
    package func watch(_ name: String, _ count: @escaping @Sendable () -> Int) {
        resources.withLock { $0.append(Resource(name: name, count: count)) }
    }

    /// What is held now, by name; nothing that is zero.
    package var held: [String: Int] {
        var held: [String: Int] = [:]
        for resource in resources.withLock({ $0 }) {
            let count = resource.count()
            if count != 0 { held[resource.name, default: 0] += count }
        }
        return held
    }
}
