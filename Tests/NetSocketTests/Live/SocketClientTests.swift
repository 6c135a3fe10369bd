import NetCore
import NetSocket
import NetSocketCore
import NetTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SocketClientTests {
    // MARK: Commands

    @Test func aCommandReturnsItsReply() async throws {
        let server = SocketPeer()
        try await server.client().withConnection { client in
            #expect(try await client.send(Say(text: "hello")).text == "hello")
            try await client.notify(Said(text: "by the way"))
            #expect(try await client.send(Say(text: "again")).text == "again")
        }
        #expect(server.received.count == 3)
    }

    /// The consumer is notified of the end although the reading task and the writer wait for the peer to read.
    @Test func aConnectionThatIsLostWhileMuchWaitsIsReplaced() async throws {
        let clock = TestClock()
        let connections = Mutex(0)
        let (drops, drop) = AsyncStream<Void>.makeStream()
        let stub = WebSocketStub("/socket") { peer in
            let isFirst = connections.withLock { count in
                count += 1
                return count == 1
            }
            if isFirst {
                for await _ in drops { break }
                await peer.drop()
            }
            while try await peer.receive() != nil {}
        }
        let sockets = WebSocketClient(
            configuration: .init(clock: clock.netClock), transport: MockWebSocketTransport([stub]))
        let client = SocketClient("ws://a.test/socket", client: sockets)
        try await client.withConnection { client in
            try await client.wait(for: "open")
            let text = String(repeating: "x", count: 100_000)
            let senders = (0..<60).map { _ in Task { try await client.notify(Said(text: text)) } }
            for _ in 0..<1000 { await Task.yield() }
            drop.yield()
            while connections.withLock({ $0 }) < 2 || !client.state.isOpen {
                await clock.advance(by: .milliseconds(50))
                await Task.yield()
            }
            for sender in senders { _ = await sender.result }
        }
    }

    /// Sockit registers the waiting task after the command was sent: a quick reply is lost, and the caller waits for 30
    /// s.
    @Test func manyRepliesThatComeAtOnceEachFindTheirCommand() async throws {
        try await SocketPeer().client().withConnection { client in
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

    @Test func aFailureReplyRejectsTheCommand() async throws {
        let server = SocketPeer { signal, _ in
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
        let server = SocketPeer { signal, _ in
            guard case .request(let request) = signal, let id = request.id else { return [] }
            return [.reply(WireReply(id: id, event: request.event, .success(SocketPayload(json: "[1]"))))]
        }
        try await server.client().withConnection { client in
            let error = await #expect(throws: SocketCommandError.self) { try await client.send(Say(text: "x")) }
            guard case .failed(let failed)? = error else { return }
            #expect(failed.code == .decoding)
            #expect(failed.mayHaveArrived)
        }
    }

    @Test func aReplyThatNeverComesIsATimeout() async throws {
        let clock = TestClock()
        let server = SocketPeer { _, _ in [] }
        try await server.client(on: clock).withConnection { client in
            let isOver = Mutex(false)
            let task = Task {
                defer { isOver.withLock { $0 = true } }
                return try await client.send(Say(text: "x"), timeout: .seconds(5))
            }
            while server.received.isEmpty, !Task.isCancelled { await Task.yield() }
            while !isOver.withLock({ $0 }) {
                await clock.advance(by: .milliseconds(500))
                await Task.yield()
            }
            let error = await #expect(throws: SocketCommandError.self) { try await task.value }
            guard case .failed(let failed)? = error else { return }
            #expect(failed.isTimeout)
            #expect(failed.mayHaveArrived)
        }
    }

    @Test func cancellingACommandLeavesTheSessionAsItIs() async throws {
        let server = SocketPeer { signal, _ in
            guard case .request(let request) = signal, request.payload?.json?.contains("never") == false else {
                return []
            }
            return SocketPeer.echo(signal)
        }
        try await server.client().withConnection { client in
            let task = Task { try await client.send(Say(text: "never")) }
            try await client.wait(for: "open")
            while server.received.isEmpty, !Task.isCancelled { await Task.yield() }
            task.cancel()
            let error = await #expect(throws: SocketCommandError.self) { try await task.value }
            guard case .failed(let failed)? = error else { return }
            #expect(failed.isCancellation)
            #expect(failed.mayHaveArrived)
            #expect(try await client.send(Say(text: "hello")).text == "hello")
        }
    }

    @Test func aCommandThatIsCancelledBeforeItIsSentHasNotArrived() async throws {
        let (server, clock) = (SocketPeer(), TestClock())
        try await server.client(on: clock).withConnection { client in
            try await client.waitUntilOpen(at: server)
            await server.drop()
            try await client.wait(for: "waiting")
            let task = Task { try await client.send(Say(text: "never")) }
            for _ in 0..<50 { await Task.yield() }
            task.cancel()
            let error = await #expect(throws: SocketCommandError.self) { try await task.value }
            guard case .failed(let failed)? = error else { return }
            #expect(failed.isCancellation)
            #expect(!failed.mayHaveArrived)
        }
        #expect(server.received.isEmpty)
    }

    // MARK: Ended connections

    /// Sockit's tasks keep waiting when the heartbeat is lost, and for 30 s after `disconnect()`.
    @Test func theEndOfTheConnectionEndsWhatWaits() async throws {
        let server = SocketPeer { _, _ in [] }
        let clock = TestClock()
        try await server.client(on: clock).withConnection { client in
            let task = Task { try await client.send(Say(text: "x")) }
            while server.received.isEmpty, !Task.isCancelled { await Task.yield() }
            await server.drop()
            let error = await #expect(throws: SocketCommandError.self) { try await task.value }
            guard case .failed(let failed)? = error else { return }
            #expect(failed.code == .connectionLost)
            #expect(failed.mayHaveArrived)
        }
    }

    @Test func itConnectsAgainAndSaysWhatWaited() async throws {
        let server = SocketPeer()
        let clock = TestClock()
        try await server.client(on: clock).withConnection { client in
            #expect(try await client.send(Say(text: "1")).text == "1")
            await server.drop()
            try await client.wait(for: "waiting")
            async let reply = client.send(Say(text: "2"))
            await client.reopen(on: clock)
            #expect(try await reply.text == "2")
            #expect(server.connections == 2)
        }
    }

    @Test func aFinalCloseCodeEndsTheSessionForEverybody() async throws {
        let server = SocketPeer { _, _ in [] }
        let client = server.client()
        client.start()
        let events = client.events()
        let task = Task { try await client.send(Say(text: "x")) }
        while server.received.isEmpty, !Task.isCancelled { await Task.yield() }
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
        let server = SocketPeer()
        let transport = server.transport()
        let clock = TestClock()
        let count = Counter()
        let sockets = WebSocketClient(configuration: .init(clock: clock.netClock), transport: transport)
        let client = SocketClient("ws://a.test/socket", client: sockets) { $0.bearer = "token-\(count.next())" }
        try await client.withConnection { client in
            _ = try await client.send(Say(text: "1"))
            await server.drop()
            try await client.wait(for: "waiting")
            await client.reopen(on: clock)
            _ = try await client.send(Say(text: "2"))
        }
        #expect(
            transport.requests.map { $0.head.headerFields[.authorization] } == ["Bearer token-1", "Bearer token-2"])
    }

    @Test func pausingKeepsChannelsAndWhatWaits() async throws {
        let server = SocketPeer()
        try await server.client().withConnection { client in
            let room = try await client.join("room")
            client.pause()
            try await client.wait(for: "suspended")
            async let reply = room.send(Say(text: "later"))
            await Task.yield()
            client.resume()
            #expect(try await reply.text == "later")
            #expect(server.connections == 2)
        }
    }

    // MARK: Ownership

    @Test func leavingTheScopeClosesTheConnection() async throws {
        let server = SocketPeer()
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

    @Test func queuedNotificationsAreWrittenBeforeClosing() async throws {
        for _ in 0..<20 {
            let server = SocketPeer()
            try await server.client().withConnection { client in
                _ = try await client.send(Say(text: "first"))
                for n in 0..<50 { try await client.notify(Said(text: "\(n)")) }
            }
            while server.received.count < 51, !Task.isCancelled { await Task.yield() }
        }
    }

    @Test func aPayloadThatIsNeverMadeHoldsNothingUp() async throws {
        let server = SocketPeer()
        let clock = TestClock()
        try await server.client(on: clock).withConnection { client in
            let task = Task {
                try await client.join("room") {
                    try await clock.netClock.sleep(for: .seconds(3600))
                    return ["a": 1]
                }
            }
            try await client.wait(for: "open")
            await Task.yield()
            client.close()
            await #expect(throws: SocketCommandError.self) { try await task.value }
        }
    }

    @Test func cancellingItsTaskClosesTheSession() async throws {
        let server = SocketPeer()
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
        let server = SocketPeer()
        let transport = server.transport()
        do {
            let sockets = WebSocketClient(configuration: .init(clock: TestClock().netClock), transport: transport)
            let client = SocketClient("ws://a.test/socket", client: sockets)
            client.start()
            _ = try await client.send(Say(text: "x"))
        }
        while transport.sockets.first?.closure == nil, !Task.isCancelled { await Task.yield() }
        #expect(transport.sockets.first?.closure?.code == .normalClosure)
    }
}
