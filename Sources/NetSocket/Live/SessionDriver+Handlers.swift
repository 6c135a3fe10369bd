internal import NetCore
internal import NetSocketCore
internal import Synchronization

extension SessionDriver {
    func on<Push: SocketPush>(
        _ type: Push.Type, topic: String?, _ body: @escaping @Sendable (Push) async -> Void
    ) -> SocketRegistration {
        handlers.add(type.event, topic: topic) { [configuration, weak self] push, cache in
            let value = cache.value(type, of: push, configuration.coding) { self?.tell(.unreadable($0)) }
            guard let value else { return nil }
            return { await body(value) }
        }
    }

    func on(
        _ event: String, topic: String?, _ body: @escaping @Sendable (WirePush) async -> Void
    ) -> SocketRegistration {
        handlers.add(event, topic: topic) { push, _ in { await body(push) } }
    }

    /// Returns the calls of handlers from now on.
    func observeForHandlers() -> SocketSequence<SocketHandlers.Call> {
        hub.observe(
            .standard,
            decoding: { [handlers] notice, cache in
                if case .push(let push) = notice { handlers.calls(for: push, &cache) } else { nil }
            })
    }

    /// Makes the calls, one after the other.
    static func call(_ calls: SocketSequence<SocketHandlers.Call>) async {
        var iterator = calls.makeAsyncIterator()
        // An error of the iterator is the session's error, which `run()` throws.
        while !Task.isCancelled, let call = try? await iterator.next() { await call() }
    }
}
