#if Server
import NetCore
import NetSocket
import NetSocketServer
import TestSupport
import Testing

/// What is pushed while the first member of a channel joins it.
@Suite(.timeLimit(.minutes(1))) struct JoiningTests {
    /// Runs a server on which something is published just before each join ends; the client then says something itself.
    private func positions(_ rules: ChannelRules, coming: FanOutMessage) async throws -> [UInt64?] {
        try await ServerWorld.returning(ChannelTests.router(rules), on: BusyFanOut(coming)) { world in
            try await world.client().withConnection { client in
                var events = client.channel("room:1").events().makeAsyncIterator()
                try await client.join("room:1")
                try await world.server.channel("room:1").push(Said(text: "last"))
                var offsets: [UInt64?] = []
                while let event = try await events.next() {
                    if case .gap = event { Issue.record("a gap is told") }
                    guard case .push(let push) = event, push.event == Said.event else { continue }
                    offsets.append(push.offset)
                    if push.payload?.json?.contains("last") == true { break }
                }
                return offsets
            }
        }
    }

    private static let coming = FanOutMessage(
        id: "", node: "other", topic: "room:1",
        push: WirePush(event: Said.event, payload: SocketPayload(json: #"{"text":"coming"}"#), topic: "room:1"))

    @Test func `It has its position`() async throws {
        let found = try await positions(ChannelRules(history: 10), coming: Self.coming)
        #expect(found == [1, 2])
    }

    @Test func `It has none in a channel without positions`() async throws {
        let found = try await positions(ChannelRules(presence: "ada"), coming: Self.coming)
        #expect(found == [nil, nil])
    }
}

extension ServerWorld {
    /// Runs a server on an engine, and returns what `body` returns.
    fileprivate static func returning<Value: Sendable>(
        _ router: SocketRouter<User>, on engine: any FanOutEngine,
        body: @escaping @Sendable (ServerWorld) async throws -> Value
    ) async throws -> Value {
        let value = Locked<Value?>(nil)
        try await run(router) {
            $0.fanOut = engine
        } body: { world in
            let found = try await body(world)
            value.change { $0 = found }
        }
        return try #require(value.value)
    }
}

/// A memory in which something is published after the history was read, and before a member enters.
private final class BusyFanOut: FanOutEngine {
    private let memory = MemoryFanOut()
    private let coming: FanOutMessage

    init(_ coming: FanOutMessage) { self.coming = coming }

    func open(as node: String, _ receive: @escaping @Sendable (FanOutEvent) -> Void) async throws(NetError) {
        try await memory.open(as: node, receive)
    }
    func subscribe(to topic: String, keeping retention: FanOutRetention) async throws(NetError) {
        try await memory.subscribe(to: topic, keeping: retention)
    }
    func unsubscribe(from topic: String) async throws(NetError) { try await memory.unsubscribe(from: topic) }
    func publish(
        _ message: FanOutMessage, keeping retention: FanOutRetention?
    ) async throws(NetError) -> ChannelPosition {
        try await memory.publish(message, keeping: retention)
    }
    func history(of topic: String, after position: ChannelPosition?) async throws(NetError) -> FanOutHistory {
        let history = try await memory.history(of: topic, after: position)
        if topic == coming.topic { _ = try await memory.publish(coming, keeping: .unchanged) }
        return history
    }
    func enter(_ member: PresenceMember, in topic: String) async throws(NetError) {
        if topic == coming.topic { _ = try await memory.publish(coming, keeping: .unchanged) }
        try await memory.enter(member, in: topic)
    }
    func leave(_ member: PresenceMember, from topic: String) async throws(NetError) {
        try await memory.leave(member, from: topic)
    }
    func members(of topic: String) async throws(NetError) -> [PresenceMember] { try await memory.members(of: topic) }
    func close() async { await memory.close() }
}
#endif
