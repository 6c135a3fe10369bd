#if Server
import NetCore
import NetSocket
import NetSocketServer
import Testing

/// Pushes while the first member of a channel joins it.
@Suite(.timeLimit(.minutes(5))) struct JoiningTests {
    private static let coming = FanOutMessage(
        id: "", node: "other", topic: "room:1",
        push: WirePush(event: Said.event, payload: SocketPayload(json: #"{"text":"coming"}"#), topic: "room:1"))

    /// Joins while a message is published, then pushes another, and compares the positions of both.
    private func check(_ rules: ChannelRules, has positions: [UInt64?]) async throws {
        try await ServerWorld.run(ChannelTests.router(rules)) {
            $0.fanOut = BusyFanOut(Self.coming)
        } body: { world in
            try await world.client().withConnection { client in
                var events = client.channel("room:1").events().makeAsyncIterator()
                try await client.join("room:1")
                try await world.server.channel("room:1").push(Said(text: "last"))
                var found: [UInt64?] = []
                var isOver = false
                while !isOver, let event = try await events.next() {
                    if case .gap = event { Issue.record("a gap is told") }
                    guard case .push(let push) = event, push.event == Said.event else { continue }
                    found.append(push.offset)
                    isOver = push.payload?.json?.contains("last") == true
                }
                #expect(found == positions)
            }
        }
    }

    @Test func `It has its position`() async throws {
        try await check(ChannelRules(history: 10), has: [1, 2])
    }

    @Test func `It has none in a channel without positions`() async throws {
        try await check(ChannelRules(presence: "ada"), has: [nil, nil])
    }

    @Test func `A connection that misses too much while it joins is closed, and is no member`() async throws {
        let memory = MemoryFanOut()
        let engine = ScriptedFanOut(
            memory,
            entered: { topic in
                guard topic == "room:1" else { return }
                for _ in 0...1000 { _ = try? await memory.publish(Self.coming, keeping: .unchanged) }
            })
        try await ServerWorld.run(ChannelTests.router(ChannelRules(presence: "ada"))) {
            $0.fanOut = engine
        } body: { world in
            let socket = try await world.socket()
            try await socket.send(.text(RawFrame.join("room:1")))
            let error = await #expect(throws: NetError.self) { while true { _ = try await socket.receive() } }
            #expect(error?.closure?.code == .tryAgainLater)
            let channel = world.server.channel("room:1")
            for _ in 0..<10_000 where try await !channel.members().isEmpty { await Task.yield() }
            #expect(try await channel.members().isEmpty)
        }
    }
}

/// A memory in which a message is published after the history was read, and before a member enters.
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
