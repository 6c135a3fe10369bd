internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// A handler that was registered with ``SocketClient/on(_:perform:)-(Push.Type,_)`` and the like, to be removed by
/// ``SocketClient/off(_:)``.
public struct SocketRegistration: Sendable, Hashable {
    let number: UInt64
}

/// The handlers of a session.
final class SocketHandlers: Sendable {
    /// A call of a handler, ready to be made.
    typealias Call = @Sendable () async -> Void

    struct Handler: Sendable {
        let number: UInt64
        /// The channel whose pushes it wants; nil for those of all, and of none.
        let topic: String?
        /// Reads the push; nil if it can't be read.
        let call: @Sendable (WirePush, inout PushCache) -> Call?
    }

    private struct State {
        var last: UInt64 = 0
        /// By the name of their event, in the order of registration.
        var handlers: [String: [Handler]] = [:]
        var registered: Set<UInt64> = []
        var isOver = false
    }

    private let state = Mutex(State())

    func add(
        _ event: String, topic: String?, _ call: @escaping @Sendable (WirePush, inout PushCache) -> Call?
    ) -> SocketRegistration {
        state.withLock { state in
            state.last += 1
            if !state.isOver {
                state.handlers[event, default: []].append(Handler(number: state.last, topic: topic, call: call))
                state.registered.insert(state.last)
            }
            return SocketRegistration(number: state.last)
        }
    }

    func remove(_ registration: SocketRegistration) {
        let old = state.withLock { state -> [Handler] in
            guard state.registered.remove(registration.number) != nil else { return [] }
            for (event, handlers) in state.handlers {
                guard let index = handlers.firstIndex(where: { $0.number == registration.number }) else { continue }
                state.handlers[event]?.remove(at: index)
                if handlers.count == 1 { state.handlers[event] = nil }
                return [handlers[index]]
            }
            return []
        }
        // Let go outside of the lock: it may hold the last reference to a client.
        withExtendedLifetime(old) {}
    }

    /// The session is over.
    func removeAll() {
        let old = state.withLock { state in
            defer { (state.handlers, state.registered, state.isOver) = ([:], [], true) }
            return state.handlers
        }
        withExtendedLifetime(old) {}
    }

    /// Returns the calls that a push leads to, in the order of registration; nil for none.
    func calls(for push: WirePush, _ cache: inout PushCache) -> Call? {
        let handlers = state.withLock { $0.handlers[push.event] ?? [] }
        var calls: [(UInt64, Call)] = []
        for handler in handlers where handler.topic == nil || handler.topic == push.topic {
            if let call = handler.call(push, &cache) { calls.append((handler.number, call)) }
        }
        guard !calls.isEmpty else { return nil }
        return { [calls] in
            for (number, call) in calls where self.state.withLock({ $0.registered.contains(number) }) { await call() }
        }
    }
}

extension SessionDriver {
    func on<Push: SocketPush>(
        _ type: Push.Type, topic: String?, _ body: @escaping @Sendable (Push) async -> Void
    ) -> SocketRegistration {
        handlers.add(type.event, topic: topic) { [configuration, weak hub] push, cache in
            let value = cache.value(type, of: push, configuration.coding) { hub?.tell(.unreadable($0)) }
            guard let value else { return nil }
            return { await body(value) }
        }
    }

    func on(
        _ event: String, topic: String?, _ body: @escaping @Sendable (WirePush) async -> Void
    ) -> SocketRegistration {
        handlers.add(event, topic: topic) { push, _ in { await body(push) } }
    }

    /// The calls of handlers, from now on.
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
        // An error is that of the session, which `run()` throws.
        while !Task.isCancelled, let call = try? await iterator.next() { await call() }
    }
}
