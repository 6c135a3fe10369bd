import NetCore
import NetSocket
import NetSocketCore
import NetTesting
import Testing

/// The guarantees of the test server for sessions that number their messages.
@Suite(.timeLimit(.minutes(1)))
struct SocketPeerTests {
    private static func client(_ peer: SocketPeer, on clock: TestClock = TestClock()) -> SocketClient {
        peer.client(on: clock) { $0.delivery = SocketDelivery() }
    }

    @Test func aCancelledTaskWritesWhatItHasSaid() async throws {
        let peer = SocketPeer(wire: .numberedJSON)
        try await Self.client(peer).withConnection { client in
            try await client.waitUntilOpen(at: peer)
            var pushes = client.pushes(of: Said.self).makeAsyncIterator()
            let gate = Gate()
            let cancelled = Task {
                await gate.wait()
                try await peer.push(Said(text: "1"))
            }
            cancelled.cancel()
            await gate.open()
            _ = await cancelled.result
            try await peer.push(Said(text: "2"))
            for text in ["1", "2"] { #expect(try await pushes.next()?.text == text) }
        }
    }

    @Test func aHandlerOutlivesItsConnection() async throws {
        let (clock, gate) = (TestClock(), Gate())
        let peer = SocketPeer(wire: .numberedJSON)
        peer.on(Say.self) { command in
            await gate.wait()
            try Task.checkCancellation()
            return .init(text: command.text)
        }
        try await Self.client(peer, on: clock).withConnection { client in
            try await client.waitUntilOpen(at: peer)
            var pushes = client.pushes(of: Said.self).makeAsyncIterator()
            async let reply = client.send(Say(text: "hello"))
            while peer.received.isEmpty, !Task.isCancelled { await Task.yield() }
            await peer.drop()
            await clock.advance(by: .milliseconds(50)) { peer.connections == 2 && client.state.isOpen }
            await gate.open()
            #expect(try await reply.text == "hello")
            try await peer.push(Said(text: "after"))
            #expect(try await pushes.next()?.text == "after")
        }
    }

    @Test func aHandlerPushesMoreThanTheLimit() async throws {
        let peer = SocketPeer(wire: .numberedJSON, delivery: SocketDelivery(maximumCount: 2))
        peer.on(Say.self) { [weak peer] command in
            for number in 1...5 { try await peer?.push(Said(text: "\(number)")) }
            return .init(text: command.text)
        }
        try await Self.client(peer).withConnection { client in
            try await client.waitUntilOpen(at: peer)
            var pushes = client.pushes(of: Said.self).makeAsyncIterator()
            let reply = try await client.send(Say(text: "hello"))
            #expect(reply.text == "hello")
            for number in 1...5 { #expect(try await pushes.next()?.text == "\(number)") }
        }
    }

    @Test func aMessageThatTheWireCannotCarryTakesNoNumber() async throws {
        let clock = TestClock()
        let peer = SocketPeer(wire: .numberedJSON)
        let unwritable = WireSignal.push(WirePush(event: Said.event, payload: SocketPayload(bytes: [255])))
        try await Self.client(peer, on: clock).withConnection { client in
            try await client.waitUntilOpen(at: peer)
            var pushes = client.pushes(of: Said.self).makeAsyncIterator()
            await #expect(throws: NetError.self) { try await peer.send(unwritable) }
            try await peer.push(Said(text: "1"))
            #expect(try await pushes.next()?.text == "1")
            await peer.drop()
            while client.state.isOpen, !Task.isCancelled { await Task.yield() }
            await #expect(throws: NetError.self) { try await peer.send(unwritable) }
            try await peer.push(Said(text: "2"))
            await client.reopen(on: clock)
            #expect(try await pushes.next()?.text == "2")
        }
    }

    @Test func pushingToAForgottenSessionThrows() async throws {
        let peer = SocketPeer(wire: .numberedJSON)
        try await Self.client(peer).withConnection { client in
            try await client.waitUntilOpen(at: peer)
            await peer.forgetSessions()
            await #expect(throws: WebSocketPeerFailure.self) { try await peer.push(Said(text: "lost")) }
        }
    }

    // MARK: Clients with arbitrary messages

    @Test func aConnectionResumesOneSession() async throws {
        let client = try await RawClient(SocketPeer(wire: .numberedJSON))
        #expect(try await client.resume("a").received == 0)
        let error = await #expect(throws: NetError.self) { _ = try await client.resume("b") }
        #expect(error?.closure?.code == .internalError)
    }

    @Test func aReplacedConnectionIsNotBelieved() async throws {
        let peer = SocketPeer(wire: .numberedJSON)
        let transport = MockWebSocketTransport([peer.stub])
        let first = try await RawClient(transport)
        let epoch = try await first.resume("a").epoch
        try await peer.push(Said(text: "1"))
        let second = try await RawClient(transport)
        #expect(try await second.resume("a", in: epoch).epoch == epoch)
        try await first.say(.acknowledge(1))
        try await first.say(.join(WireJoin(id: 1, topic: "room")))
        try await first.say(.heartbeat(nil))
        while try await first.next() != .alive(nil) {}
        #expect(peer.received == [])
        let third = try await RawClient(transport)
        #expect(try await third.resume("a", in: epoch).epoch == epoch)
        guard case .numbered(1, .push) = try await third.next() else {
            Issue.record("the push wasn't sent again")
            return
        }
    }

    @Test func pushesAreKeptUntilTheClientResumes() async throws {
        let peer = SocketPeer(wire: .numberedJSON)
        let transport = MockWebSocketTransport([peer.stub])
        let epoch = try await RawClient(transport).resume("a").epoch
        let client = try await RawClient(transport)
        while peer.connections < 2, !Task.isCancelled { await Task.yield() }
        try await peer.push(Said(text: "1"))
        try await client.say(.resume(WireResume(session: "a", epoch: epoch)))
        #expect(try await client.next() == .resumed(WireResumed(epoch: epoch, received: 0)))
        let push = WirePush(event: Said.event, payload: SocketPayload(json: #"{"text":"1"}"#))
        #expect(try await client.next() == .numbered(1, .push(push)))
    }

    @Test func pushesAreSaidInTheOrderOfTheirOffsetsAndAfterTheJoin() async throws {
        let peer = SocketPeer(wire: .numberedJSON, delivery: SocketDelivery(maximumCount: 2), history: 1000)
        let client = try await RawClient(peer)
        _ = try await client.resume("a")
        try await withThrowingTaskGroup { group in
            for number in 1...300 {
                group.addTask { try await peer.push(Said(text: "\(number)"), to: "room") }
                if number == 50 { try await client.say(.join(WireJoin(id: 1, topic: "room"))) }
            }
            guard case .joined(let joined) = try await client.next(), var offset = joined.position?.offset else {
                Issue.record("the first message isn't the answer to the join")
                return
            }
            while offset < 300 {
                guard case .numbered(let number, .push(let push)) = try await client.next() else { continue }
                #expect(push.offset == offset + 1)
                offset += 1
                try await client.say(.acknowledge(number))
            }
            try await group.waitForAll()
        }
    }
}

/// A client that sends the given texts.
private final class RawClient {
    private let socket: WebSocketConnection
    private var machine = SocketWire.numberedJSON.makeMachine(.client)
    private var signals: [WireSignal] = []

    init(_ transport: MockWebSocketTransport) async throws {
        var request = WebSocketRequest(url: "ws://a.test/socket")
        request.subprotocols = SocketWire.numberedJSON.subprotocols
        socket = try await WebSocketClient(transport: transport).connect(request)
        machine.agree(on: socket.subprotocol)
    }

    convenience init(_ peer: SocketPeer) async throws { try await self.init(MockWebSocketTransport([peer.stub])) }

    func say(_ signal: WireSignal) async throws {
        for message in try machine.encode(signal) { try await socket.send(message) }
    }

    func next() async throws -> WireSignal {
        while signals.isEmpty { signals = try machine.decode(try await socket.receive()).signals }
        return signals.removeFirst()
    }

    func resume(_ session: String, in epoch: String? = nil) async throws -> WireResumed {
        try await say(.resume(WireResume(session: session, epoch: epoch)))
        while true {
            if case .resumed(let resumed) = try await next() { return resumed }
        }
    }
}
