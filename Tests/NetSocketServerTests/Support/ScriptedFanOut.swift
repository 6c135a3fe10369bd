#if Server
import NetCore
import NetSocketServer
import Synchronization

/// A memory whose server can be sent any event, that fails on demand, and that waits where a test wants.
final class ScriptedFanOut: FanOutEngine {
    private struct State {
        var receive: (@Sendable (FanOutEvent) -> Void)?
        var isAway = false
        var lastRetention: FanOutRetention?
    }

    private let memory: MemoryFanOut
    private let state = Mutex(State())
    private let entered: @Sendable (_ topic: String) async -> Void
    private let leaving: @Sendable (_ topic: String) async -> Void
    private let left: @Sendable (_ topic: String) async -> Void

    /// - Parameters:
    ///   - entered: Called after each member that entered.
    ///   - leaving: Called before each member that leaves.
    ///   - left: Called after it.
    init(
        _ memory: MemoryFanOut = MemoryFanOut(),
        entered: @escaping @Sendable (_ topic: String) async -> Void = { _ in },
        leaving: @escaping @Sendable (_ topic: String) async -> Void = { _ in },
        left: @escaping @Sendable (_ topic: String) async -> Void = { _ in }
    ) {
        (self.memory, self.entered, self.leaving, self.left) = (memory, entered, leaving, left)
    }

    /// The retention of the last message.
    var lastRetention: FanOutRetention? { state.withLock { $0.lastRetention } }

    /// Sends an event to the server.
    func tell(_ event: FanOutEvent) { state.withLock { $0.receive }?(event) }

    /// Makes everything fail from now on, or nothing.
    func set(isAway: Bool) {
        state.withLock { $0.isAway = isAway }
        tell(isAway ? .away(reason: "the test says so") : .back)
    }

    private func check() throws(NetError) {
        guard state.withLock({ $0.isAway }) else { return }
        throw NetError(
            .connect, phase: .connecting, message: "the test says so",
            underlying: FanOutUnavailable(mayHaveArrived: false))
    }

    func open(as node: String, _ receive: @escaping @Sendable (FanOutEvent) -> Void) async throws(NetError) {
        state.withLock { $0.receive = receive }
        try await memory.open(as: node, receive)
    }
    func subscribe(to topic: String, keeping retention: FanOutRetention) async throws(NetError) {
        try check()
        try await memory.subscribe(to: topic, keeping: retention)
    }
    func unsubscribe(from topic: String) async throws(NetError) { try await memory.unsubscribe(from: topic) }
    func publish(
        _ message: FanOutMessage, keeping retention: FanOutRetention?
    ) async throws(NetError) -> ChannelPosition {
        try check()
        state.withLock { $0.lastRetention = retention }
        return try await memory.publish(message, keeping: retention)
    }
    func history(of topic: String, after position: ChannelPosition?) async throws(NetError) -> FanOutHistory {
        try check()
        return try await memory.history(of: topic, after: position)
    }
    func enter(_ member: PresenceMember, in topic: String) async throws(NetError) {
        try check()
        try await memory.enter(member, in: topic)
        await entered(topic)
    }
    func leave(_ member: PresenceMember, from topic: String) async throws(NetError) {
        await leaving(topic)
        try await memory.leave(member, from: topic)
        await left(topic)
    }
    func members(of topic: String) async throws(NetError) -> [PresenceMember] {
        try check()
        return try await memory.members(of: topic)
    }
    func close() async { await memory.close() }
}
#endif
