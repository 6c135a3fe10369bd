import NetCore
import NetSocket
import NetSocketCore
import NetTesting
import Synchronization
import Testing

/// For each defect of Comet's WebSockets, a test that it doesn't exist here.
///
/// Tests of the same elsewhere: the budget of attempts (`failuresCountUntilAConnectionWasStable`), jitter
/// (`waitsAtTheCapDiffer`), keep-alive (`aLostHeartbeatEndsEveryWaiter`), the end of an owner
/// (`aSessionThatNobodyHoldsClosesItsConnection`), back-pressure of one connection (`BackPressureTests`).
@Suite(.timeLimit(.minutes(1)))
struct CometSocketDefectTests {
    /// Each stream of events, and sending, used a separate connection.
    @Test func allObserversShareOneConnection() async throws {
        let server = SocketPeer()
        try await server.client().withConnection { client in
            let observers = (0..<5).map { _ in client.pushes(of: Said.self) }
            _ = (client.events(), client.states)
            try await client.join("room")
            _ = try await client.send(Say(text: "x"))
            try await server.send(.push(WirePush(event: "said", payload: try SocketPayload(Said(text: "y")))))
            for observer in observers {
                for try await push in observer {
                    #expect(push.text == "y")
                    break
                }
            }
        }
        #expect(server.connections == 1)
    }

    /// A connection that was replaced by another one was left open.
    @Test func aConnectionThatIsReplacedIsClosed() async throws {
        let server = SocketPeer()
        let transport = MockWebSocketTransport([server.stub])
        try await SocketClient.over(transport).withConnection { client in
            _ = try await client.send(Say(text: "1"))
            client.reconnect()
            _ = try await client.send(Say(text: "2"))
            while transport.sockets.first?.closure == nil, !Task.isCancelled { await Task.yield() }
        }
        #expect(transport.sockets.map { $0.closure?.code } == [.goingAway, .normalClosure])
    }

    /// After `close()`, sending opened another connection.
    @Test func nothingOpensASessionThatIsOver() async throws {
        let server = SocketPeer()
        let client = server.client()
        try await client.withConnection { _ = try await $0.send(Say(text: "x")) }
        let error = await #expect(throws: SocketCommandError.self) { try await client.send(Say(text: "y")) }
        #expect(error?.failure?.code == .webSocketClosed)
        await #expect(throws: SocketCommandError.self) { try await client.join("room") }
        client.start()
        client.resume()
        client.reconnect()
        for _ in 0..<100 { await Task.yield() }
        #expect(server.connections == 1)
        #expect(client.state.isOver)
    }

    /// After a normal close by the server, another connection was opened.
    @Test func anOrdinaryCloseIsTheEnd() async throws {
        let (server, clock) = (SocketPeer(), TestClock())
        let client = server.client(on: clock)
        client.start()
        _ = try await client.send(Say(text: "x"))
        try await server.close(.normalClosure)
        await clock.advance { client.state.isOver }
        for _ in 0..<5 { await clock.advance(by: .seconds(60)) }
        #expect(server.connections == 1)
    }

    /// All messages of a fast server were kept until they were read.
    @Test func theServerWaitsForASlowObserver() async throws {
        let sent = Atomic(0)
        let text = #"{"event":"said","payload":{"text":"\#(String(repeating: "x", count: 10_000))"}}"#
        let stub = WebSocketStub("/socket") { peer in
            for _ in 0..<2000 {
                try await peer.send(text)
                sent.add(1, ordering: .relaxed)
            }
        }
        try await SocketClient.over(MockWebSocketTransport([stub])).withConnection { client in
            var slow = client.pushes(of: Said.self, .suspend(4)).makeAsyncIterator()
            _ = try await slow.next()
            // Until no more messages arrive.
            var (last, quiet) = (0, 0)
            while quiet < 50 {
                for _ in 0..<2000 { await Task.yield() }
                let count = sent.load(ordering: .relaxed)
                quiet = count == last ? quiet + 1 : 0
                last = count
            }
            // Some are in the buffers between the two: about one MiB in each direction, and the messages read together
            // with them.
            #expect(last < 1000)
            for _ in 0..<1999 { _ = try await slow.next() }
        }
    }

    /// The test double threw if there was no message to receive: no test could wait.
    @Test func theDoubleWaitsForWhatComesLater() async throws {
        let server = TextServer()
        let isReceived = Mutex(false)
        let sockets = WebSocketClient(transport: MockWebSocketTransport([server.stub]))
        let socket = try await sockets.connect("ws://a.test/socket")
        let task = Task {
            defer { isReceived.withLock { $0 = true } }
            return try await socket.receive()
        }
        for _ in 0..<100 { await Task.yield() }
        #expect(!isReceived.withLock { $0 })
        while server.connections == 0, !Task.isCancelled { await Task.yield() }
        try await server.send("late")
        #expect(try await task.value.text == "late")
        await socket.close()
    }
}
