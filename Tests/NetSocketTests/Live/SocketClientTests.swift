import NetCore
import NetSocket
import NetSocketCore
import NetTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SocketClientTests {
    /// Waits for a state, whose name is the beginning of its description.
    private func wait(for name: String, _ client: SocketClient) async throws {
        for try await state in client.states where "\(state)".hasPrefix(name) { return }
        Issue.record("the session was never \(name)")
    }

    /// Lets time pass until the session is open again.
    private func reopen(_ client: SocketClient, _ clock: TestClock) async {
        while !client.state.isOpen {
            await clock.advance(by: .milliseconds(50))
            await Task.yield()
        }
    }

    // MARK: Commands

    @Test func aCommandReturnsItsReply() async throws {
        let server = WireServer()
        try await server.client().withConnection { client in
            #expect(try await client.send(Say(text: "hello")).text == "hello")
            try await client.notify(Said(text: "by the way"))
            #expect(try await client.send(Say(text: "again")).text == "again")
        }
        #expect(server.heard.count == 3)
    }

    /// Sockit registers the waiter after the command was sent: a quick reply is lost, and the caller waits for 30 s.
    @Test func manyRepliesThatComeAtOnceEachFindTheirCommand() async throws {
        try await WireServer().client().withConnection { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for n in 0..<200 {
                    group.addTask {
                        let reply = try await client.send(Say(text: "\(n)"))
                        #expect(reply.text == "\(n)")
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func whatTheServerRefusesIsRejected() async throws {
        let server = WireServer { signal, _ in
            guard case .request(let request) = signal, let id = request.id else { return [] }
            return [.reply(WireReply(id: id, event: request.event, .failure(SocketFailure("not_authorized", "no"))))]
        }
        try await server.client().withConnection { client in
            let error = await #expect(throws: SocketCommandError.self) { try await client.send(Say(text: "x")) }
            guard case .rejected(let failure)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(failure == SocketFailure("not_authorized", "no"))
        }
    }

    @Test func aReplyThatIsNoneIsADecodingError() async throws {
        let server = WireServer { signal, _ in
            guard case .request(let request) = signal, let id = request.id else { return [] }
            return [.reply(WireReply(id: id, event: request.event, .success(SocketPayload(json: "[1]"))))]
        }
        try await server.client().withConnection { client in
            let error = await #expect(throws: SocketCommandError.self) { try await client.send(Say(text: "x")) }
            guard case .failed(let failed)? = error else { return }
            #expect(failed.code == .decoding && !failed.mayHaveArrived)
        }
    }

    @Test func aReplyThatNeverComesIsATimeout() async throws {
        let clock = TestClock()
        let server = WireServer { _, _ in [] }
        try await server.client(on: clock).withConnection { client in
            let isOver = Mutex(false)
            let task = Task {
                defer { isOver.withLock { $0 = true } }
                return try await client.send(Say(text: "x"), timeout: .seconds(5))
            }
            while server.heard.isEmpty { await Task.yield() }
            while !isOver.withLock({ $0 }) {
                await clock.advance(by: .milliseconds(500))
                await Task.yield()
            }
            let error = await #expect(throws: SocketCommandError.self) { try await task.value }
            guard case .failed(let failed)? = error else { return }
            #expect(failed.isTimeout && failed.mayHaveArrived)
        }
    }

    @Test func cancellingACommandLeavesTheSessionAsItIs() async throws {
        let server = WireServer { signal, _ in
            guard case .request(let request) = signal, request.payload?.json?.contains("never") == false else {
                return []
            }
            return WireServer.echo(signal)
        }
        try await server.client().withConnection { client in
            let task = Task { try await client.send(Say(text: "never")) }
            try await wait(for: "open", client)
            while server.heard.isEmpty { await Task.yield() }
            task.cancel()
            let error = await #expect(throws: SocketCommandError.self) { try await task.value }
            guard case .failed(let failed)? = error else { return }
            #expect(failed.isCancellation)
            #expect(try await client.send(Say(text: "hello")).text == "hello")
        }
    }

    // MARK: Connections that end

    /// Sockit's waiters wait on when the heartbeat is lost, and for 30 s after `disconnect()`.
    @Test func theEndOfTheConnectionEndsWhatWaits() async throws {
        let server = WireServer { _, _ in [] }
        let clock = TestClock()
        try await server.client(on: clock).withConnection { client in
            let task = Task { try await client.send(Say(text: "x")) }
            while server.heard.isEmpty { await Task.yield() }
            await server.drop()
            let error = await #expect(throws: SocketCommandError.self) { try await task.value }
            guard case .failed(let failed)? = error else { return }
            #expect(failed.code == .connectionLost && failed.mayHaveArrived)
        }
    }

    @Test func itConnectsAgainAndSaysWhatWaited() async throws {
        let server = WireServer()
        let clock = TestClock()
        try await server.client(on: clock).withConnection { client in
            #expect(try await client.send(Say(text: "1")).text == "1")
            await server.drop()
            try await wait(for: "waiting", client)
            async let reply = client.send(Say(text: "2"))
            await reopen(client, clock)
            #expect(try await reply.text == "2")
            #expect(server.connections == 2)
        }
    }

    @Test func aFinalCloseCodeEndsTheSessionForEverybody() async throws {
        let server = WireServer { _, _ in [] }
        let client = server.client()
        client.start()
        let events = client.events()
        let task = Task { try await client.send(Say(text: "x")) }
        while server.heard.isEmpty { await Task.yield() }
        try await server.close(.policyViolation)
        await #expect(throws: SocketCommandError.self) { try await task.value }
        let error = await #expect(throws: NetError.self) { for try await _ in events {} }
        #expect(error?.closure?.code == .policyViolation)
        #expect(client.state.isOver)
        let late = await #expect(throws: SocketCommandError.self) { try await client.send(Say(text: "late")) }
        guard case .failed(let failed)? = late else { return }
        #expect(failed.code == .webSocketClosed)
    }

    @Test func theRequestOfEachAttemptIsMadeAnew() async throws {
        let server = WireServer()
        let transport = server.transport()
        let clock = TestClock()
        let count = Counter()
        let sockets = WebSocketClient(configuration: .init(clock: clock.netClock), transport: transport)
        let client = SocketClient("ws://a.test/socket", client: sockets) { $0.bearer = "token-\(count.next())" }
        try await client.withConnection { client in
            _ = try await client.send(Say(text: "1"))
            await server.drop()
            try await wait(for: "waiting", client)
            await reopen(client, clock)
            _ = try await client.send(Say(text: "2"))
        }
        #expect(
            transport.requests.map { $0.head.headerFields[.authorization] } == ["Bearer token-1", "Bearer token-2"])
    }

    @Test func pausingKeepsChannelsAndWhatWaits() async throws {
        let server = WireServer()
        try await server.client().withConnection { client in
            let room = try await client.join("room")
            client.pause()
            try await wait(for: "suspended", client)
            async let reply = room.send(Say(text: "later"))
            await Task.yield()
            client.resume()
            #expect(try await reply.text == "later")
            #expect(server.connections == 2)
        }
    }

    // MARK: Ways to own it

    @Test func leavingTheScopeClosesTheConnection() async throws {
        let server = WireServer()
        let client = server.client()
        struct Stop: Error {}
        await #expect(throws: Stop.self) {
            try await client.withConnection { client in
                _ = try await client.send(Say(text: "x"))
                throw Stop()
            }
        }
        #expect("\(client.state)" == "closed")
    }

    @Test func whatWasSaidLastIsWrittenBeforeTheEnd() async throws {
        for _ in 0..<20 {
            let server = WireServer()
            try await server.client().withConnection { client in
                _ = try await client.send(Say(text: "first"))
                for n in 0..<50 { try await client.notify(Said(text: "\(n)")) }
            }
            while server.heard.count < 51 { await Task.yield() }
        }
    }

    @Test func aPayloadThatIsNeverMadeHoldsNothingUp() async throws {
        let server = WireServer()
        let clock = TestClock()
        try await server.client(on: clock).withConnection { client in
            let task = Task {
                try await client.join("room") {
                    try await clock.netClock.sleep(for: .seconds(3600))
                    return ["a": 1]
                }
            }
            try await wait(for: "open", client)
            await Task.yield()
            client.close()
            await #expect(throws: SocketCommandError.self) { try await task.value }
        }
    }

    @Test func cancellingItsTaskClosesTheSession() async throws {
        let server = WireServer()
        let client = server.client()
        let task = Task { try await client.run() }
        _ = try await client.send(Say(text: "x"))
        task.cancel()
        let error = await #expect(throws: NetError.self) { try await task.value }
        #expect(error?.isCancellation == true)
        #expect("\(client.state)" == "closed")
        let second = await #expect(throws: NetError.self) { try await client.run() }
        #expect(second?.code == .invalidRequest)
    }

    @Test func aSessionThatNobodyHoldsClosesItsConnection() async throws {
        let server = WireServer()
        let transport = server.transport()
        do {
            let sockets = WebSocketClient(configuration: .init(clock: TestClock().netClock), transport: transport)
            let client = SocketClient("ws://a.test/socket", client: sockets)
            client.start()
            _ = try await client.send(Say(text: "x"))
        }
        while transport.sockets.first?.closure == nil { await Task.yield() }
        #expect(transport.sockets.first?.closure?.code == .normalClosure)
    }

    // MARK: Pushes and observers

    @Test func everyObserverSeesEverythingInOrder() async throws {
        let server = WireServer()
        try await server.client().withConnection { client in
            let observers = [client.pushes(of: Said.self), client.pushes(of: Said.self), client.pushes(of: Said.self)]
            _ = try await client.send(Say(text: "x"))
            for n in 0..<50 {
                let payload = try SocketPayload(Said(text: "\(n)"))
                try await server.say(.push(WirePush(event: "said", payload: payload)))
            }
            for observer in observers {
                var found: [String] = []
                for try await push in observer {
                    found.append(push.text)
                    if found.count == 50 { break }
                }
                #expect(found == (0..<50).map(String.init))
            }
        }
    }

    @Test func aSlowObserverLosesTheOldestAndIsToldHowMany() async throws {
        let server = WireServer()
        try await server.client().withConnection { client in
            let (oldest, latest) = (client.pushes(of: Said.self, .dropOldest(3)), client.pushes(of: Said.self, .latest))
            let all = client.pushes(of: Said.self)
            _ = try await client.send(Say(text: "x"))
            for n in 0..<10 {
                try await server.say(.push(WirePush(event: "said", payload: try SocketPayload(Said(text: "\(n)")))))
            }
            var iterator = all.makeAsyncIterator()
            for _ in 0..<10 { _ = try await iterator.next() }
            var (slow, newest) = (oldest.makeAsyncIterator(), latest.makeAsyncIterator())
            #expect(try await slow.next()?.text == "7")
            #expect(slow.dropped == 7)
            #expect(try await newest.next()?.text == "9")
        }
    }

    /// Reading waits for the slow one until it goes.
    @Test func anObserverThatLeavesHoldsNobodyUp() async throws {
        let server = WireServer()
        try await server.client().withConnection { client in
            let slow = Mutex<SocketSequence<Said>?>(client.pushes(of: Said.self, .suspend(1)))
            _ = try await client.send(Say(text: "x"))
            for n in 0..<5 {
                try await server.say(.push(WirePush(event: "said", payload: try SocketPayload(Said(text: "\(n)")))))
            }
            async let reply = client.send(Say(text: "y"))
            for _ in 0..<100 { await Task.yield() }
            slow.withLock { $0 = nil }
            #expect(try await reply.text == "y")
        }
    }

    @Test func whatTheWireCannotSayIsAnError() async throws {
        let server = WireServer(.phoenixV2)
        try await server.client().withConnection { client in
            let error = await #expect(throws: SocketCommandError.self) { try await client.notify(Said(text: "x")) }
            guard case .failed(let failed)? = error else { return }
            #expect(failed.code == .unsupported)
        }
    }

    @Test func whatCannotBeReadIsReported() async throws {
        let server = WireServer()
        try await server.client().withConnection { client in
            let events = client.events()
            let pushes = client.pushes(of: Said.self)
            _ = try await client.send(Say(text: "x"))
            try await server.say(.push(WirePush(event: "said", payload: SocketPayload(json: "7"))))
            try await server.say(.push(WirePush(event: "said", payload: SocketPayload(json: #"{"text":"good"}"#))))
            var iterator = pushes.makeAsyncIterator()
            #expect(try await iterator.next()?.text == "good")
            for try await event in events {
                if case .unreadable(let error) = event {
                    #expect(error.code == .decoding)
                    return
                }
            }
        }
    }

    // MARK: Channels

    @Test func aChannelIsJoinedAgainWithAPayloadOfItsOwn() async throws {
        let server = WireServer()
        let clock = TestClock()
        let count = Counter()
        try await server.client(on: clock).withConnection { client in
            let room = try await client.join("room:1") { ["visit": count.next()] }
            let events = room.events()
            await server.drop()
            try await wait(for: "waiting", client)
            await reopen(client, clock)
            _ = try await room.send(Say(text: "hello"))
            var names: [String] = []
            for try await event in events {
                names.append("\(event)".prefix { $0 != "(" }.description)
                if case .joined(let reply, let missed) = event {
                    #expect(reply?.json == #"{"topic":"room:1","visit":2}"# && missed == .unknown)
                    break
                }
            }
            #expect(names == ["interrupted", "joined"])
            try await room.leave()
        }
        let joins = server.heard.filter { if case .join = $0 { true } else { false } }
        #expect(joins.count == 2)
    }

    /// Sockit's client never sees that a join was refused.
    @Test func aRefusedJoinThrows() async throws {
        let server = WireServer { signal, _ in
            guard case .join(let join) = signal else { return [] }
            return [.joinRefused(join.id, topic: join.topic, SocketFailure("forbidden", "members only"))]
        }
        try await server.client().withConnection { client in
            let error = await #expect(throws: SocketCommandError.self) { try await client.join("room") }
            guard case .rejected(let failure)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(failure.message == "members only")
            let payloadError = await #expect(throws: SocketCommandError.self) {
                try await client.join("other") {
                    throw NetError(.authentication, phase: .preparing, message: "no token")
                }
            }
            guard case .failed(let failed)? = payloadError else { return }
            #expect(failed.code == .authentication)
        }
    }
}

/// Counts from 1.
private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
