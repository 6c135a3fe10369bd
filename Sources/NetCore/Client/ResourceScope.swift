internal import Synchronization

/// The resources of the clients, transports and clocks that were created while the scope was open: calls, transfers,
/// sleeping tasks.
///
/// Used by `LeakCheck`. The scope is read once per client, never per call.
package final class ResourceScope: Sendable {
    @TaskLocal package static var current: ResourceScope?

    private struct Resource {
        let name: String
        let count: @Sendable () -> Int
    }

    private let resources = Mutex<[Resource]>([])

    package init() {}

    /// Counts resources under `name` from now on. The values that `count` captures live as long as the scope.
    package func watch(_ name: String, _ count: @escaping @Sendable () -> Int) {
        resources.withLock { $0.append(Resource(name: name, count: count)) }
    }

    /// The current number of resources by name, without those that are zero.
    package var held: [String: Int] {
        var held: [String: Int] = [:]
        for resource in resources.withLock({ $0 }) {
            let count = resource.count()
            if count != 0 { held[resource.name, default: 0] += count }
        }
        return held
    }
}
