import NetCore
import NetSocket
import NetSocketCore
import NetTesting
import Synchronization
import Testing

/// For each defect of Simorgh's WebSockets and subscriptions, a test that it doesn't exist here.
///
/// Tests of the same elsewhere: pings without a pong (`LivenessTests`, `LivenessStateMachineTests`), an abandoned
/// subscription (`leavingTheLoopUnsubscribes`), a socket per subscription (`manyShareOneConnection`).
@Suite(.timeLimit(.minutes(1)))
struct SimorghDefectTests {
    private struct Count: Codable, Sendable { var count: Int }
    private static let operation = GraphQLSubscription("subscription { count }", as: Count.self)

    /// Any close by the server ended everything, although the documentation promised otherwise.
    @Test(arguments: [UInt16(1001), 1006, 1011, 1012, 1013, 3000])
    func aServerThatGoesAwayIsFoundAgain(code: UInt16) async throws {
        let (server, clock) = (SocketPeer(), TestClock())
        try await server.client(on: clock).withConnection { client in
            #expect(try await client.send(Say(text: "1")).text == "1")
            if code == 1006 { await server.drop() } else { try await server.close(WebSocketCloseCode(rawValue: code)) }
            try await client.wait(for: "waiting")
            await client.reopen(on: clock)
            #expect(try await client.send(Say(text: "2")).text == "2")
        }
        #expect(server.connections == 2)
    }

    /// A failed ping was ignored: a dead link stayed connected.
    @Test func aDeadLinkIsLeft() async throws {
        let clock = TestClock()
        let server = TextServer()
        try await server.client(on: clock).withConnection { client in
            try await client.wait(for: "open")
            await clock.advance { !client.state.isOpen || server.connections == 2 }
            #expect(clock.now < .seconds(65))
            await clock.advance { server.connections == 2 }
        }
    }

    /// Pings began before the handshake had ended.
    @Test func noHeartbeatBeginsBeforeTheHandshake() async throws {
        let (server, clock) = (SocketPeer(), TestClock())
        let isAllowed = Mutex(false)
        let stub = server.stub
        let transport = MockWebSocketTransport { _, _ in
            while !isAllowed.withLock({ $0 }), !Task.isCancelled { await Task.yield() }
            return stub
        }
        let client = SocketClient.over(transport, on: clock) { $0.heartbeatInterval = .seconds(2) }
        try await client.withConnection { client in
            while transport.requests.isEmpty, !Task.isCancelled { await Task.yield() }
            for _ in 0..<10 { await clock.advance(by: .milliseconds(500)) }
            isAllowed.withLock { $0 = true }
            try await client.wait(for: "open")
            let opened = clock.now
            await clock.advance { !server.received.isEmpty }
            #expect(clock.now - opened >= .seconds(2))
        }
    }

    /// A connection was cut after two minutes, regardless of its traffic.
    @Test func aQuietSessionOutlivesTheHour() async throws {
        let (server, clock) = (SocketPeer(), TestClock())
        try await server.client(on: clock) { $0.heartbeatInterval = .seconds(120) }.withConnection { client in
            try await client.wait(for: "open")
            for _ in 0..<30 {
                let count = server.received.count
                await clock.advance(by: .seconds(20)) { server.received.count > count }
            }
            #expect(clock.now >= .seconds(3600))
            #expect(server.connections == 1)
            #expect(try await client.send(Say(text: "x")).text == "x")
        }
    }

    /// Sequences requested after the end never finished.
    @Test func sequencesThatAreMadeAfterTheEndFinish() async throws {
        let client = SocketPeer().client()
        try await client.withConnection { _ = try await $0.send(Say(text: "x")) }
        for try await _ in client.events() {}
        for try await _ in client.pushes(of: Said.self) {}
        for try await _ in client.channel("room").events() {}
        for try await state in client.states { #expect(state.isOver) }
        let graph = SocketPeer(wire: .graphQLTransport).client()
        graph.close()
        for try await _ in graph.subscribe(Self.operation) {}
    }

    @Test func sequencesThatAreMadeAfterAFailureThrowIt() async throws {
        let server = SocketPeer()
        let client = server.client()
        client.start()
        _ = try await client.send(Say(text: "x"))
        try await server.close(.policyViolation)
        while !client.state.isOver, !Task.isCancelled { await Task.yield() }
        let error = await #expect(throws: NetError.self) { for try await _ in client.events() {} }
        #expect(error?.closure?.code == .policyViolation)
    }

    /// A subscription that was made too early or too late was never sent.
    @Test func aSubscriptionIsSentWhereverItIsMade() async throws {
        let server = SocketPeer(wire: .graphQLTransport) { signal, _ in
            switch signal {
            case .open: [.opened(WireOpened())]
            case .subscribe(let id, _):
                [.event(id, SocketPayload(json: #"{"data":{"count":1}}"#)), .completed(id, nil)]
            default: []
            }
        }
        let client = server.client()
        let early = Task { try await client.subscribe(Self.operation).reduce(0) { $0 + $1.count } }
        client.start()
        let between = Task { try await client.subscribe(Self.operation).reduce(0) { $0 + $1.count } }
        #expect(try await early.value == 1)
        #expect(try await between.value == 1)
        #expect(try await client.subscribe(Self.operation).reduce(0) { $0 + $1.count } == 1)
        client.close()
    }

    /// Signals of the server before and between events were decoded as events, and ended the subscription.
    @Test func onlyEventsAreEvents() async throws {
        let server = TextServer { text in
            if text.contains("connection_init") {
                return [#"{"type":"ping"}"#, #"{"type":"connection_ack","payload":{"count":"no"}}"#]
            }
            guard let id = text.firstMatch(of: /"id":"([^"]+)"/)?.1, text.contains(#""subscribe""#) else { return [] }
            return [
                #"{"type":"ping","payload":{}}"#, #"{"type":"next","id":"\#(id)","payload":{"data":{"count":5}}}"#,
                #"{"type":"pong"}"#, #"{"type":"complete","id":"\#(id)"}"#,
            ]
        }
        let client = server.client { $0.wire = .graphQLTransport }
        try await client.withConnection { client in
            var found: [Int] = []
            for try await event in client.subscribe(Self.operation) { found.append(event.count) }
            #expect(found == [5])
        }
    }
}
