import NetCore
import NetSocket
import NetSocketCore
import NetTesting
import Synchronization
import Testing

/// Sessions with at-least-once delivery, in memory.
@Suite(.timeLimit(.minutes(1)))
struct SessionDeliveryTests {
    private static func client(
        _ peer: SocketPeer, on clock: TestClock = TestClock(), wire: SocketWire = .numberedJSON,
        limits: SocketDelivery = SocketDelivery()
    ) -> SocketClient {
        let sockets = WebSocketClient(
            configuration: .init(clock: clock.netClock), transport: MockWebSocketTransport([peer.stub]))
        return SocketClient("ws://a.test/socket", client: sockets, configuration: .init(wire: wire, delivery: limits))
    }

    private static func texts(_ signals: [WireSignal]) -> [String] {
        signals.compactMap { signal in
            switch signal {
            case .request(let request): try? request.payload?.decoded(as: Said.self).text
            case .push(let push): try? push.payload?.decoded(as: Said.self).text
            default: nil
            }
        }
    }

    @Test func aCommandWhoseConnectionIsLostGetsItsReplyOnTheNextOne() async throws {
        let clock = TestClock()
        let calls = Counter()
        let peer = SocketPeer(wire: .numberedJSON)
        peer.on(Say.self) { [weak peer] command in
            // The reply is kept until the client is back.
            if calls.next() == 1 { await peer?.drop() }
            return .init(text: command.text)
        }
        try await Self.client(peer, on: clock).withConnection { client in
            try await client.wait(for: "open")
            async let reply = client.send(Say(text: "hello"))
            while peer.connections < 2 || !client.state.isOpen {
                await clock.advance(by: .milliseconds(50))
                await Task.yield()
            }
            #expect(try await reply.text == "hello")
        }
        #expect(calls.next() == 2, "the handler ran once")
    }

    /// A peer whose handler waits until the gate opens: messages after the command aren't read.
    private static func deafPeer(_ gate: Gate) -> SocketPeer {
        let peer = SocketPeer(wire: .numberedJSON)
        peer.on(Say.self) { command in
            await gate.wait()
            return .init(text: command.text)
        }
        return peer
    }

    /// Sends a command and two messages that the peer doesn't acknowledge.
    private static func sayThreeThings(_ client: SocketClient, to peer: SocketPeer) async throws -> Task<
        String, any Error
    > {
        try await client.wait(for: "open")
        let command = Task { try await client.send(Say(text: "0")).text }
        while peer.received.isEmpty, !Task.isCancelled { await Task.yield() }
        try await client.notify(Said(text: "1"))
        try await client.notify(Said(text: "2"))
        return command
    }

    @Test func aServerThatHasForgottenTheSessionLosesNothingInSilence() async throws {
        let (clock, gate) = (TestClock(), Gate())
        let peer = Self.deafPeer(gate)
        let lost = try await Self.client(peer, on: clock).withConnection { client in
            let events = client.events()
            let command = try await Self.sayThreeThings(client, to: peer)
            await peer.forgetSessions()
            await gate.open()
            let lost = Task {
                for try await event in events { if case .undelivered(let lost) = event { return lost } }
                return []
            }
            while peer.connections < 2 || !client.state.isOpen {
                await clock.advance(by: .milliseconds(50))
                await Task.yield()
            }
            let error = await #expect(throws: SocketCommandError.self) { _ = try await command.value }
            guard case .failed(let failed)? = error else { return [WireRequest]() }
            #expect(failed.mayHaveArrived)
            #expect(failed.code == .connectionLost)
            return try await lost.value
        }
        #expect(Self.texts(lost.map { .request($0) }) == ["0", "1", "2"])
    }

    @Test func aSessionThatIsClosedTellsWhatWasNotAcknowledged() async throws {
        let gate = Gate()
        let peer = Self.deafPeer(gate)
        let client = Self.client(peer)
        let events = client.events()
        try await client.withConnection { client in
            let command = try await Self.sayThreeThings(client, to: peer)
            client.close()
            _ = await command.result
            await gate.open()
        }
        var lost: [WireRequest] = []
        for try await event in events { if case .undelivered(let requests) = event { lost = requests } }
        #expect(Self.texts(lost.map { .request($0) }) == ["0", "1", "2"])
    }

    @Test func moreThanTheLimitWaitsForAcknowledgments() async throws {
        let gate = Gate()
        let limits = SocketDelivery(maximumCount: 2)
        let peer = Self.deafPeer(gate)
        try await Self.client(peer, limits: limits).withConnection { client in
            try await client.wait(for: "open")
            let command = Task { try await client.send(Say(text: "0")).text }
            while peer.received.isEmpty, !Task.isCancelled { await Task.yield() }
            try await client.notify(Said(text: "1"))
            let error = await #expect(throws: SocketCommandError.self) {
                try await client.notify(Said(text: "refused"), offline: .fail)
            }
            guard case .failed(let failed)? = error else { return }
            #expect(failed.code == .limited)
            async let waiting: Void = client.notify(Said(text: "2"))
            await gate.open()
            try await waiting
            #expect(try await command.value == "0")
            while peer.received.count < 3, !Task.isCancelled { await Task.yield() }
        }
        #expect(Self.texts(peer.received) == ["0", "1", "2"])
    }

    @Test func aMessageThatCannotBeWrittenLeavesNoHole() async throws {
        var wire = SocketWire.numberedJSON
        wire.makeMachine = { role in PickyMachine(machine: SocketWire.numberedJSON.makeMachine(role)) }
        let peer = SocketPeer(wire: .numberedJSON)
        try await Self.client(peer, wire: wire).withConnection { client in
            try await client.wait(for: "open")
            for text in ["0", PickyMachine.unwritable] {
                do { try await client.notify(Said(text: text)) } catch {
                    #expect(text == PickyMachine.unwritable, "\(error)")
                }
            }
            _ = try? await client.send(Say(text: PickyMachine.unwritable))
            let reply = try await client.send(Say(text: "1"))
            #expect(reply.text == "1")
            #expect(client.state.isOpen)
        }
        #expect(Self.texts(peer.received) == ["0", "1"])
        #expect(peer.connections == 1)
    }

    // MARK: Agreement

    @Test func aWireWithoutNumbersIsRefusedBeforeAnythingIsSent() async throws {
        let peer = SocketPeer()
        let client = Self.client(peer, wire: .json)
        let error = await #expect(throws: NetError.self) { try await client.run() }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("numberedJSON") == true)
        #expect(peer.connections == 0)
    }

    @Test func aServerThatDoesNotAgreeEndsTheSession() async throws {
        let peer = SocketPeer(wire: .json)
        let client = Self.client(peer)
        let error = await #expect(throws: NetError.self) { try await client.run() }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("swift-net.json.v1") == true)
        #expect(peer.received.isEmpty)
    }

    @Test func withoutDeliveryAServerThatDoesNotAgreeIsSpokenToPlainly() async throws {
        let peer = SocketPeer(wire: .json)
        let sockets = WebSocketClient(transport: MockWebSocketTransport([peer.stub]))
        let client = SocketClient("ws://a.test/socket", client: sockets, configuration: .init(wire: .numberedJSON))
        try await client.withConnection { client in
            let reply = try await client.send(Say(text: "hello"))
            #expect(reply.text == "hello")
        }
    }

    // MARK: Channels

    @Test(arguments: [(10, MissedPushes.nothing, ["1", "2", "3"]), (1, .some, ["1"])])
    func aChannelRecoversWhatItHasMissedOrTellsTheHole(
        history: Int, missed: MissedPushes, texts: [String]
    ) async throws {
        let clock = TestClock()
        let peer = SocketPeer(wire: .numberedJSON, history: history)
        let sockets = WebSocketClient(
            configuration: .init(clock: clock.netClock), transport: MockWebSocketTransport([peer.stub]))
        let client = SocketClient("ws://a.test/socket", client: sockets, configuration: .init(wire: .numberedJSON))
        try await client.withConnection { client in
            let room = try await client.join("room")
            let pushes = room.pushes(of: Said.self)
            try await peer.push(Said(text: "1"), to: "room")
            var iterator = pushes.makeAsyncIterator()
            #expect(try await iterator.next()?.text == "1")
            await peer.drop()
            while client.state.isOpen, !Task.isCancelled { await Task.yield() }
            for text in ["2", "3"] { try await peer.push(Said(text: text), to: "room") }
            let joins = Self.joins(of: client)
            await client.reopen(on: clock)
            #expect(await joins.value == missed)
            for text in texts.dropFirst() {
                let push = try await iterator.next()
                #expect(push?.text == text)
            }
        }
    }

    /// Returns the missed pushes of the next join.
    private static func joins(of client: SocketClient) -> Task<MissedPushes?, Never> {
        let events = client.events()
        return Task {
            do {
                for try await event in events { if case .joined(_, _, let missed) = event { return missed } }
            } catch {}
            return nil
        }
    }
}

/// Blocks tasks until it is opened.
actor Gate {
    private var isOpen = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    func wait() async {
        if !isOpen { await withCheckedContinuation { waiters.append($0) } }
    }

    func open() {
        isOpen = true
        for waiter in waiters { waiter.resume() }
        waiters = []
    }
}

/// A wire protocol that can't encode one particular text.
private struct PickyMachine: WireMachine {
    static let unwritable = "not a word"
    var machine: any WireMachine

    mutating func encode(_ signal: WireSignal) throws(NetError) -> [WebSocketMessage] {
        if case .numbered(_, .request(let request)) = signal, "\(request.payload?.json ?? "")".contains(Self.unwritable)
        {
            throw NetError(.invalidRequest, phase: .preparing, message: "it can't be said")
        }
        return try machine.encode(signal)
    }

    mutating func decode(_ message: WebSocketMessage) throws(NetError) -> WireReading { try machine.decode(message) }
    mutating func agree(on subprotocol: String?) { machine.agree(on: subprotocol) }
}
