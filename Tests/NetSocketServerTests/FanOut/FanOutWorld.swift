#if Server
import NetCore
import NetSocketServer
import Synchronization

/// Engines that share a backend, and its time.
struct FanOutWorld: Sendable {
    /// One engine for each server; none is open.
    var engines: [any FanOutEngine]
    /// Lets time pass for the engine, real or virtual.
    var elapse: @Sendable (Duration) async throws -> Void

    var first: any FanOutEngine { engines[0] }
    var second: any FanOutEngine { engines[1] }

    /// Opens the engines for servers with these names.
    func open(_ names: String...) async throws -> [FanOutInbox] {
        var inboxes: [FanOutInbox] = []
        for (name, engine) in zip(names, engines) {
            let inbox = FanOutInbox()
            try await engine.open(as: name) { inbox.add($0) }
            inboxes.append(inbox)
        }
        return inboxes
    }

    func close() async {
        for engine in engines { await engine.close() }
    }
}

/// The events received by a server.
final class FanOutInbox: Sendable {
    private struct State {
        var messages: [FanOutMessage] = []
        /// The events other than messages.
        var others: [FanOutEvent] = []
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var messages: [FanOutMessage] { state.withLock { $0.messages } }
    var events: [String] { messages.map(\.push.event) }

    var others: [FanOutEvent] { state.withLock { $0.others } }

    func add(_ event: FanOutEvent) {
        guard case .message(let message) = event else { return state.withLock { $0.others.append(event) } }
        let ready = state.withLock { state in
            state.messages.append(message)
            let count = state.messages.count
            defer { state.waiters.removeAll { $0.count <= count } }
            return state.waiters.filter { $0.count <= count }
        }
        for waiter in ready { waiter.continuation.resume() }
    }

    /// Waits until a condition holds for the events other than messages.
    func others(until condition: ([FanOutEvent]) -> Bool) async -> [FanOutEvent] {
        while !Task.isCancelled {
            let all = others
            if condition(all) { return all }
            try? await Task.sleep(for: .milliseconds(1))
        }
        return others
    }

    /// Waits until the given number of messages has arrived, and returns all that have.
    func messages(_ count: Int) async -> [FanOutMessage] {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.messages.count < count { state.waiters.append((count, continuation)) }
                return state.messages.count >= count
            }
            if isThere { continuation.resume() }
        }
        return messages
    }

    func events(_ count: Int) async -> [String] { await messages(count).map(\.push.event) }
}

extension FanOutMessage {
    /// A message whose event is the name.
    static func sample(
        _ event: String, to topic: String = "room", id: String = "", from node: String = "a", except: String? = nil
    ) -> FanOutMessage {
        FanOutMessage(
            id: id, node: node, topic: topic, except: except,
            push: WirePush(event: event, payload: SocketPayload(json: #"{"text":"hello"}"#), topic: topic))
    }
}
#endif
