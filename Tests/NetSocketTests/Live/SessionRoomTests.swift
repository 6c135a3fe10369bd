import NetCore
import NetSocketCore
import NetTesting
import Synchronization
import Testing

@testable import NetSocket

/// Sessions whose peer doesn't read, and those that don't read themselves.
@Suite(.timeLimit(.minutes(1)))
struct SessionRoomTests {
    private static let text = String(repeating: "x", count: 100_000)
    private static func settle() async { for _ in 0..<500 { await Task.yield() } }

    /// Reads nothing before the gate opens, and sends the given texts.
    private static func client(_ gate: Gate, on clock: TestClock, says: AsyncStream<String>) -> SocketClient {
        let stub = WebSocketStub("/socket") { peer in
            for await text in says { try await peer.send(text) }
            await gate.wait()
            while try await peer.receive() != nil {}
        }
        return SocketClient.over(MockWebSocketTransport([stub]), on: clock) { $0.heartbeatInterval = nil }
    }

    @Test func sendersWaitForAPeerThatDoesNotRead() async throws {
        let (gate, clock) = (Gate(), TestClock())
        let (says, feed) = AsyncStream.makeStream(of: String.self)
        try await Self.client(gate, on: clock, says: says).withConnection { client in
            try await client.wait(for: "open")
            let sent = Mutex(0)
            let sender = Task {
                for _ in 0..<60 {
                    try await client.notify(Said(text: Self.text))
                    sent.withLock { $0 += 1 }
                }
            }
            // Permanently: the writer sends all messages as long as the peer has room.
            var quiet = 0
            while quiet < 50_000, !Task.isCancelled {
                await Task.yield()
                let isFull = client.driver.state.withLock { $0.connection }?.outbox.isFull == true
                quiet = isFull ? quiet + 1 : 0
            }
            #expect(sent.withLock { $0 } < 40)
            // Messages are received nevertheless.
            var pushes = client.pushes(of: Said.self).makeAsyncIterator()
            for number in 0..<3 {
                feed.yield(#"{"event":"said","payload":{"text":"\#(number)"}}"#)
                #expect(try await pushes.next()?.text == "\(number)")
            }
            // A command waits for room no longer than for its reply.
            let ended = Counter()
            let commands = [
                Task {
                    defer { _ = ended.next() }
                    _ = try await client.send("late", timeout: .seconds(5))
                },
                Task {
                    defer { _ = ended.next() }
                    _ = try await client.post(Say(text: "late"), timeout: .seconds(5))
                },
            ]
            await clock.advance { ended.count == 2 }
            for command in commands {
                let error = await #expect(throws: SocketCommandError.self) { try await command.value }
                #expect(error?.failure?.code == .timeout)
                #expect(error?.failure?.phase == .queued)
                #expect(error?.failure?.mayHaveArrived == false)
            }
            feed.finish()
            await gate.open()
            try await sender.value
            #expect(sent.withLock { $0 } == 60)
        }
    }

    /// A wire protocol that replies to each message by itself.
    private struct Answering: WireMachine {
        let asked: Counter
        func encode(_ signal: WireSignal) throws(NetError) -> [WebSocketMessage] { [] }
        func decode(_ message: WebSocketMessage) throws(NetError) -> WireReading {
            _ = asked.next()
            return WireReading([], responses: [.text(SessionRoomTests.text)])
        }
    }

    /// Only the reading task waits for room for the replies of a wire protocol.
    @Test func aPeerThatAsksAndDoesNotReadIsNotReadEither() async throws {
        let (gate, asked) = (Gate(), Counter())
        let isStill = Mutex(false)
        let stub = WebSocketStub("/socket") { peer in
            // Until the session stops reading.
            for number in 1...100 where !isStill.withLock({ $0 }) {
                try await peer.send("ask")
                for _ in 0..<2000 where asked.count < number { await Task.yield() }
                if asked.count < number || number == 100 { isStill.withLock { $0 = true } }
            }
            await gate.wait()
            while try await peer.receive() != nil {}
        }
        let wire = SocketWire("answering", features: []) { _ in Answering(asked: asked) }
        let client = SocketClient.over(MockWebSocketTransport([stub])) { $0.wire = wire }
        try await client.withConnection { _ in
            while !isStill.withLock({ $0 }), !Task.isCancelled { await Task.yield() }
            #expect(asked.count < 60)
            await gate.open()
        }
    }

    // MARK: Observers that don't read

    /// In this state, the server's silence has no meaning.
    @Test func aSessionThatDoesNotReadKeepsItsConnection() async throws {
        let (server, clock) = (SocketPeer(), TestClock())
        try await server.client(on: clock).withConnection { client in
            _ = try await client.send(Say(text: "x"))
            var slow = client.pushes(of: Said.self, .suspend(1)).makeAsyncIterator()
            for number in 0..<3 { try await server.push(Said(text: "\(number)")) }
            while !client.driver.state.withLock({ $0.isHeld }), !Task.isCancelled { await Task.yield() }
            for _ in 0..<5 {
                await clock.advance(by: .seconds(30))
                await Self.settle()
            }
            #expect(client.state.isOpen)
            #expect(server.connections == 1)
            for number in 0..<3 { #expect(try await slow.next()?.text == "\(number)") }
            while client.driver.state.withLock({ $0.isHeld }), !Task.isCancelled { await Task.yield() }
        }
    }

    @Test func aSessionThatDoesNotReadMissesNoAnswerToAProbe() async throws {
        let (server, clock) = (SocketPeer(), TestClock())
        let network = NetworkStatusFeed(NetworkStatus(.reachable, interfaces: [.wifi]))
        var stub = server.stub
        stub.faults.toClient = .silence(after: .frames(4))
        let client = SocketClient.over(MockWebSocketTransport([stub]), on: clock) {
            ($0.heartbeatInterval, $0.network) = (nil, network)
        }
        let closing = Mutex<Task<Void, Never>?>(nil)
        try await client.withConnection { client in
            _ = try await client.send(Say(text: "x"))
            var slow = client.pushes(of: Said.self, .suspend(1)).makeAsyncIterator()
            for number in 0..<3 { try await server.push(Said(text: "\(number)")) }
            while !client.driver.state.withLock({ $0.isHeld }), !Task.isCancelled { await Task.yield() }
            network.update(NetworkStatus(.reachable, interfaces: [.cellular]))
            await Self.settle()
            for _ in 0..<12 {
                await clock.advance(by: .milliseconds(500))
                await Self.settle()
            }
            #expect(client.state.isOpen)
            #expect(server.connections == 1)
            #expect(try await slow.next()?.text == "0")
            // The closing handshake gets no response either.
            closing.withLock { $0 = Task { await clock.advance(until: { false }) } }
        }
        closing.withLock { $0 }?.cancel()
    }

    /// Its outcome reaches observers without the reading task.
    @Test func postingWaitsForASlowObserver() async throws {
        let server = SocketPeer { _, _ in [] }
        try await server.client().withConnection { client in
            try await client.waitUntilOpen(at: server)
            let slow = Mutex<SocketSequence<Said>?>(client.pushes(of: Said.self, .suspend(1)))
            try await server.push(Said(text: "1"))
            while !client.driver.state.withLock({ $0.isHeld }), !Task.isCancelled { await Task.yield() }
            let isPosted = Mutex(false)
            let posting = Task {
                _ = try await client.post(Say(text: "x"))
                isPosted.withLock { $0 = true }
            }
            await Self.settle()
            #expect(!isPosted.withLock { $0 })
            #expect(server.received.isEmpty)
            slow.withLock { $0 = nil }
            try await posting.value
            let gate = Gate()
            let cancelled = Task {
                await gate.wait()
                _ = try await client.post(Say(text: "y"))
            }
            cancelled.cancel()
            await gate.open()
            let error = await #expect(throws: SocketCommandError.self) { try await cancelled.value }
            #expect(error?.failure?.code == .cancelled)
        }
    }
}
