#if os(Linux)
internal import NetCore

/// Calls a closure whenever the path to the network has changed, until it is released.
final class NetworkFollower: Sendable {
    private let task: Task<Void, Never>

    init(_ network: any NetworkStatusProvider, onChange: @escaping @Sendable () -> Void) {
        task = Task {
            var known: NetworkStatus?
            for await status in network.statuses {
                defer { known = status }
                // Without a network, there is no new path to use.
                guard let old = known, !old.hasSamePath(as: status), status.reachability != .unreachable else {
                    continue
                }
                onChange()
            }
        }
    }

    deinit { task.cancel() }
}
#endif
