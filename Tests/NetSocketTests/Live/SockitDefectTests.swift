import NetCore
import NetSocket
import NetSocketCore
import NetTesting
import Synchronization
import Testing

/// For each defect of Sockit's client, a test that it doesn't exist here.
///
/// Tests of the same elsewhere: replies that arrive together (`manyRepliesThatComeAtOnceEachFindTheirCommand`), a
/// rejected join (`aRefusedJoinThrows`), several consumers (`everyObserverSeesEverythingInOrder`), a token in a header
/// (`theRequestOfEachAttemptIsMadeAnew`), closing while it waits (`closingWinsOverAWaitForTheNextAttempt`), injected
/// time (`aRecordedListOfEventsLeadsToTheSameStates`).
@Suite(.timeLimit(.minutes(1)))
struct SockitDefectTests {
    /// Accepts joins, and replies to commands according to their payload.
    private static func answer(_ text: String) -> [String] {
        guard let id = text.firstMatch(of: /"requestId":"(\d+)"/)?.1 else { return [] }
        return [#"{"event":"reply","requestId":"\#(id)","status":"ok","payload":{"text":"done"}}"#]
    }

    // MARK: Messages of the server

    /// A scalar as the payload crashed the process.
    @Test(arguments: ["7", #""text""#, "null", "true", "[]", "1e400"])
    func aPushWithAScalarPayloadEndsNothing(payload: String) async throws {
        let server = TextServer(answer: Self.answer)
        try await server.client().withConnection { client in
            let events = client.events()
            _ = try await client.send(Say(text: "x"))
            try await server.send(#"{"event":"odd","payload":\#(payload)}"#)
            for try await event in events {
                guard case .push(let push) = event else { continue }
                #expect(push.event == "odd")
                #expect((push.payload?.json ?? "null") == payload)
                break
            }
            #expect(try await client.send(Say(text: "y")).text == "done")
        }
    }

    /// A message without a payload was dropped.
    @Test func aMessageWithoutAPayloadIsRead() async throws {
        struct Refresh: SocketCommand {
            static let event = "refresh"
            typealias Response = NoResponse
        }
        struct Tick: SocketPush { static let event = "tick" }
        let server = TextServer { text in
            guard let id = text.firstMatch(of: /"requestId":"(\d+)"/)?.1 else { return [] }
            return [#"{"event":"tick"}"#, #"{"event":"refresh","requestId":"\#(id)","status":"ok"}"#]
        }
        try await server.client().withConnection { client in
            var ticks = client.pushes(of: Tick.self).makeAsyncIterator()
            _ = try await client.send(Refresh())
            #expect(try await ticks.next() != nil)
        }
    }

    /// Numbers lost digits: integers beyond 64 bits with a sign, and decimals.
    @Test func numbersKeepTheirDigits() async throws {
        let payload = #"{"id":18446744073709551615,"price":0.10000000000000000001}"#
        let server = TextServer(answer: Self.answer)
        try await server.client().withConnection { client in
            let events = client.events()
            _ = try await client.send(Say(text: "x"))
            try await server.send(#"{"event":"big","payload":\#(payload)}"#)
            for try await event in events {
                if case .push(let push) = event {
                    #expect(push.payload?.json == payload)
                    break
                }
            }
        }
    }

    /// Each push arrived twice, and heartbeats and replies arrived as pushes.
    @Test func pushesComeOnceAndNothingElseIsOne() async throws {
        let server = SocketPeer()
        let clock = TestClock()
        try await server.client(on: clock).withConnection { client in
            let events = client.events()
            _ = try await client.send(Say(text: "x"))
            try await client.join("room").leave()
            await clock.advance { server.received.contains { if case .heartbeat = $0 { true } else { false } } }
            for n in 0..<3 {
                try await server.send(.push(WirePush(event: "said", payload: try SocketPayload(Said(text: "\(n)")))))
            }
            try await server.send(.push(WirePush(event: "last")))
            var names: [String] = []
            for try await event in events {
                guard case .push(let push) = event else { continue }
                names.append(push.event)
                if push.event == "last" { break }
            }
            #expect(names == ["said", "said", "said", "last"])
        }
    }

    /// A message that wasn't a reply was taken for one because of its form.
    @Test func aMessageWithAStatusAndNoNumberIsAPush() async throws {
        let server = TextServer(answer: Self.answer)
        try await server.client().withConnection { client in
            let events = client.events()
            _ = try await client.send(Say(text: "x"))
            try await server.send(#"{"event":"say","status":"ok","payload":{"text":"not a reply"}}"#)
            for try await event in events { if case .push(let push) = event, push.event == "say" { break } }
        }
    }

    // MARK: Channels

    /// Channels weren't joined again, and their pushes no longer arrived.
    @Test func channelsAreJoinedAgainAfterAReconnect() async throws {
        let server = SocketPeer()
        let clock = TestClock()
        try await server.client(on: clock).withConnection { client in
            for topic in ["a", "b", "c"] { try await client.join(topic) }
            let pushes = client.channel("b").pushes(of: Said.self)
            await server.drop()
            try await client.wait(for: "waiting")
            await client.reopen(on: clock)
            _ = try await client.channel("c").send(Say(text: "x"))
            try await server.send(
                .push(WirePush(event: "said", payload: try SocketPayload(Said(text: "y")), topic: "b")))
            for try await push in pushes {
                #expect(push.text == "y")
                break
            }
        }
        let joins = server.received.compactMap { if case .join(let join) = $0 { join.topic } else { nil } }
        #expect(joins == ["a", "b", "c", "a", "b", "c"])
    }

    /// A rejection without a status wasn't recognized: the channel was joining forever, and could not be joined again.
    @Test(arguments: ["join_rejected", "join_error"])
    func aRejectedJoinThrowsWhatTheServerSaid(event: String) async throws {
        let server = TextServer { text in
            guard let id = text.firstMatch(of: /"requestId":"(\d+)"/)?.1 else { return [] }
            return [#"{"event":"\#(event)","requestId":"\#(id)","payload":{"reason":"members only"}}"#]
        }
        try await server.client().withConnection { client in
            for _ in 0..<2 {
                let error = await #expect(throws: SocketCommandError.self) { try await client.join("room") }
                guard case .rejected(let failure)? = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                #expect(failure.message == "members only")
            }
        }
        #expect(server.received.count == 2)
    }

    /// The branch for an already joined channel was never reached.
    @Test func joiningAJoinedChannelSendsNothing() async throws {
        let server = SocketPeer()
        try await server.client().withConnection { client in
            for _ in 0..<3 { try await client.join("room") }
            _ = try await client.send(Say(text: "x"))
        }
        #expect(server.received.count == 2)
    }

    // MARK: Waiting

    /// When no heartbeat got a response, the waiting tasks were forgotten.
    @Test func aLostHeartbeatEndsEveryWaiter() async throws {
        let server = TextServer()
        let clock = TestClock()
        let client = server.client(on: clock) { $0.reconnect = .never }
        client.start()
        let ended = Counter()
        let tasks = (0..<3).map { n in
            Task {
                defer { _ = ended.next() }
                return try await client.send(Say(text: "\(n)"), timeout: .seconds(3600))
            }
        }
        while server.received.count < 3, !Task.isCancelled { await Task.yield() }
        await clock.advance(by: .seconds(1)) { client.state.isOver }
        for task in tasks {
            let error = await #expect(throws: SocketCommandError.self) { try await task.value }
            #expect(error?.failure?.code == .connectionLost)
            #expect(error?.failure?.mayHaveArrived == true)
        }
        #expect(clock.now < .seconds(120))
    }

    /// After `disconnect()`, waiting tasks had to wait for their timeouts.
    @Test func closingEndsEveryWaiterAtOnce() async throws {
        let server = TextServer()
        let clock = TestClock()
        let client = server.client(on: clock)
        client.start()
        let command = Task { try await client.send(Say(text: "x")) }
        let join = Task { try await client.join("room") }
        while server.received.count < 2, !Task.isCancelled { await Task.yield() }
        client.close()
        await #expect(throws: SocketCommandError.self) { try await command.value }
        await #expect(throws: SocketCommandError.self) { try await join.value }
        #expect(clock.now == .zero)
    }

    /// Messages sent without a connection were dropped silently.
    @Test func commandsSentWithoutAConnectionWaitOrThrow() async throws {
        let server = SocketPeer()
        let client = server.client()
        let error = await #expect(throws: SocketCommandError.self) {
            try await client.send(Say(text: "x"), offline: .fail)
        }
        #expect(error?.failure?.code == .connectionLost)
        #expect(error?.failure?.mayHaveArrived == false)
        let (command, join) = (Task { try await client.send(Say(text: "y")) }, Task { try await client.join("room") })
        client.start()
        #expect(try await command.value.text == "y")
        _ = try await join.value
        client.close()
    }

    /// The default for timeouts was never used.
    @Test func theDefaultForTimeoutsCounts() async throws {
        let server = TextServer()
        let clock = TestClock()
        let client = server.client(on: clock) { $0.requestTimeout = .seconds(3) }
        client.start()
        let ended = Counter()
        let task = Task {
            defer { _ = ended.next() }
            return try await client.send(Say(text: "x"))
        }
        while server.received.isEmpty, !Task.isCancelled { await Task.yield() }
        let count = Mutex(0)
        let waiting = Task {
            _ = await task.result
            count.withLock { $0 = 1 }
        }
        await clock.advance { count.withLock { $0 == 1 } }
        await waiting.value
        let error = await #expect(throws: SocketCommandError.self) { try await task.value }
        #expect(error?.failure?.isTimeout == true)
        #expect(clock.now < .seconds(10))
        client.close()
    }

    // MARK: Connecting

    /// If the first attempt failed, there was no other one, and the session was connecting forever.
    @Test func aFailedAttemptIsFollowedByAnother() async throws {
        let (server, clock) = (SocketPeer(), TestClock())
        let stub = server.stub
        let transport = MockWebSocketTransport { _, attempt in
            if (2...4).contains(attempt) { throw NetError(.connect, phase: .connecting, message: "refused") }
            return stub
        }
        try await SocketClient.over(transport, on: clock).withConnection { client in
            _ = try await client.send(Say(text: "1"))
            await server.drop()
            try await client.wait(for: "waiting")
            await client.reopen(on: clock)
            #expect(try await client.send(Say(text: "2")).text == "2")
        }
        #expect(transport.requests.count == 5)
    }

    /// A limit of five attempts meant four, and a limit of one none.
    @Test(arguments: [0, 1, 2, 5]) func theLimitOfAttemptsIsExact(limit: Int) async throws {
        let clock = TestClock()
        let transport = MockWebSocketTransport.failing(
            with: NetError(.connect, phase: .connecting, message: "refused"))
        let client = SocketClient.over(transport, on: clock) { $0.reconnect.maximumAttempts = limit }
        client.start()
        await clock.advance(by: .seconds(1)) { client.state.isOver }
        #expect(transport.requests.count == max(1, limit))
    }

    /// A connection on which no heartbeat got a response was left open.
    @Test func theConnectionThatFellSilentIsEnded() async throws {
        let clock = TestClock()
        let ends = Mutex(0)
        let transport = MockWebSocketTransport([
            WebSocketStub("/socket") { peer in
                while try await peer.receive() != nil {}
                ends.withLock { $0 += 1 }
            }
        ])
        try await SocketClient.over(transport, on: clock).withConnection { _ in
            await clock.advance { transport.sockets.count == 2 }
            await clock.advance { ends.withLock { $0 } == 1 }
        }
        #expect(transport.sockets.count == 2)
    }

    /// There was no way to set subprotocols, so none was offered.
    @Test func theSubprotocolOfTheWireIsOffered() async throws {
        let transport = MockWebSocketTransport([SocketPeer(wire: .graphQLTransport).stub])
        try await SocketClient.over(transport) { $0.wire = .graphQLTransport }.withConnection { _ in
            while transport.sockets.isEmpty, !Task.isCancelled { await Task.yield() }
        }
        #expect(transport.sockets.first?.subprotocol == "graphql-transport-ws")
    }

    /// The session was connected before the handshake had ended, and observers could see it connected before
    /// connecting.
    @Test func theSessionIsOpenAfterTheHandshake() async throws {
        let server = SocketPeer()
        let isAllowed = Mutex(false)
        let stub = server.stub
        let transport = MockWebSocketTransport { _, _ in
            while !isAllowed.withLock({ $0 }), !Task.isCancelled { await Task.yield() }
            return stub
        }
        try await SocketClient.over(transport).withConnection { client in
            let states = client.states
            while transport.requests.isEmpty, !Task.isCancelled { await Task.yield() }
            #expect("\(client.state)".hasPrefix("connecting"))
            isAllowed.withLock { $0 = true }
            var names: [String] = []
            for try await state in states {
                names.append("\(state)".prefix { $0 != "(" }.description)
                if state.isOpen { break }
            }
            #expect(names.drop { $0 == "idle" } == ["connecting", "open"])
        }
    }

    /// The jitter was applied before the cap: clients that had reached the cap all reconnected at the same time.
    @Test func waitsAtTheCapDiffer() {
        let backoff = ReconnectPolicy().backoff
        let waits = [0.1, 0.5, 0.9].map { backoff.delay(afterAttempt: 20, random: $0) }
        #expect(Set(waits).count == 3)
        #expect(waits.allSatisfy { $0 <= .seconds(30) })
    }
}
