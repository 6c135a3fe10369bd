internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// A handler registered with ``SocketClient/on(_:perform:)-(Push.Type,_)`` or a similar function. Pass it to
/// ``SocketClient/off(_:)`` to remove the handler.
public struct SocketRegistration: Sendable, Hashable {
    let number: UInt64
}

/// The handlers of a session.
final class SocketHandlers: Sendable {
    /// A call of a handler, ready to be made.
    typealias Call = @Sendable () async -> Void

    struct Handler: Sendable {
        let number: UInt64
        /// The channel whose pushes the handler receives; nil for pushes of all channels, and of none.
        let topic: String?
        /// Reads the push; nil if it can't be read.
        let call: @Sendable (WirePush, inout PushCache) -> Call?
    }

    private struct State {
        var last: UInt64 = 0
        /// The handlers by event name, in the order of registration.
        var handlers: [String: [Handler]] = [:]
        var registered: Set<UInt64> = []
        /// The handlers of requests by event name, the newest last.
        var answerers: [String: [Answerer]] = [:]
        var isOver = false
    }

    struct Answerer: Sendable {
        let number: UInt64
        let topic: String?
        /// Throws a failure that is sent to the peer, or an error that isn't.
        let answer: @Sendable (WireRequest) async throws -> SocketPayload?
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
        let answerers = state.withLock { state in
            let old = state.answerers
            state.answerers = old.mapValues { $0.filter { $0.number != registration.number } }
            return old
        }
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
        // Released outside the lock: it may hold the last reference to a client.
        withExtendedLifetime((old, answerers)) {}
    }

    /// Removes all handlers when the session is over.
    func removeAll() {
        let old = state.withLock { state in
            defer { (state.handlers, state.answerers, state.registered, state.isOver) = ([:], [:], [], true) }
            return (state.handlers, state.answerers)
        }
        withExtendedLifetime(old) {}
    }

    /// Returns one call that makes the calls for a push in the order of registration; nil if there aren't any.
    func calls(for push: WirePush, _ cache: inout PushCache) -> Call? {
        let handlers = state.withLock { $0.handlers[push.event] ?? [] }
        var calls: [(UInt64, Call)] = []
        for handler in handlers where handler.topic.map(push.belongs) ?? true {
            if let call = handler.call(push, &cache) { calls.append((handler.number, call)) }
        }
        guard !calls.isEmpty else { return nil }
        return { [calls] in
            for (number, call) in calls where self.state.withLock({ $0.registered.contains(number) }) { await call() }
        }
    }

    func add(
        answering event: String, topic: String?,
        _ answer: @escaping @Sendable (WireRequest) async throws -> SocketPayload?
    ) -> SocketRegistration {
        state.withLock { state in
            state.last += 1
            if !state.isOver {
                state.answerers[event, default: []].append(
                    Answerer(number: state.last, topic: topic, answer: answer))
            }
            return SocketRegistration(number: state.last)
        }
    }

    /// Returns the handler of a request: the newest one of its channel, otherwise the newest one for all channels; nil
    /// if there isn't one.
    func answerer(of request: WireRequest) -> Answerer? {
        let answerers = state.withLock { $0.answerers[request.event] ?? [] }
        return answerers.last { $0.topic != nil && $0.topic == request.topic } ?? answerers.last { $0.topic == nil }
    }
}
