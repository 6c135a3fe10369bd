import NetCore
import NetSocket
import NetSocketCore
import NetTesting
import Synchronization
import Testing

/// Time limits of sessions and connections whose peer doesn't respond, or isn't there.
@Suite(.timeLimit(.minutes(1)))
struct SessionTimeLimitTests {
    private let clock = TestClock()

    private func sockets(_ stubs: [WebSocketStub]) -> WebSocketClient {
        WebSocketClient(configuration: .init(clock: clock.netClock), transport: MockWebSocketTransport(stubs))
    }

    /// Returns both ends of a connection, whose peer gets nothing.
    private func silentPair() -> WebSocketPair {
        var configuration = WebSocketPair.Configuration(clock: clock.netClock)
        configuration.faults = .both(.silence(after: .frames(0)))
        return WebSocketPair(configuration: configuration)
    }

    /// No attempt to open a connection succeeds.
    private let unreachable = MockWebSocketTransport.failing(
        with: NetError(.connect, phase: .connecting, message: "there is no server"))

    private func join(_ client: SocketClient) async -> NetError? {
        do throws(SocketCommandError) { _ = try await client.join("room") } catch {
            if case .failed(let failure) = error { return failure }
        }
        return nil
    }

    // MARK: Joins

    @Test func `A join ends at its time limit though no connection opens`() async throws {
        var configuration = SocketClient.Configuration()
        configuration.joinTimeout = .seconds(1)
        let sockets = WebSocketClient(configuration: .init(clock: clock.netClock), transport: unreachable)
        let client = SocketClient("ws://a.test/nowhere", client: sockets, configuration: configuration)
        client.start()
        let hasEnded = Mutex(false)
        let watch = Task {
            let error = await join(client)
            hasEnded.withLock { $0 = true }
            return error
        }
        while !hasEnded.withLock({ $0 }), clock.now < .seconds(60) {
            await clock.advance(by: .milliseconds(100))
            for _ in 0..<10 { await Task.yield() }
        }
        client.close()
        let error = await watch.value
        #expect(error?.code == .timeout)
        #expect(error?.isTimeout == true)
    }

    @Test func `A join in real time, too`() async throws {
        var configuration = SocketClient.Configuration()
        configuration.joinTimeout = .milliseconds(100)
        let sockets = WebSocketClient(configuration: .init(), transport: unreachable)
        let client = SocketClient("ws://a.test/nowhere", client: sockets, configuration: configuration)
        client.start()
        let error = await join(client)
        #expect(error?.code == .timeout)
        client.close()
    }

    // MARK: Pings

    @Test func `A ping without a pong ends at its time limit`() async throws {
        let pair = silentPair()
        defer { pair.server.drop() }
        let socket = WebSocketConnection(pair.client, clock: clock.netClock)
        for (limit, time) in [(nil, Duration.seconds(15)), (Duration.seconds(2), .seconds(2))] {
            let start = clock.now
            let error = await #expect(throws: NetError.self) {
                try await clock.run {
                    if let limit { try await socket.ping(timeout: limit) } else { try await socket.ping() }
                }
            }
            #expect(error?.code == .timeout)
            #expect(clock.now - start == time)
        }
        // It has no other effect.
        try await socket.send("still open")
    }

    @Test func `A client's connection measures pings by the client's clock`() async throws {
        let socket = try await sockets([WebSocketStub("/deaf", .drop(.stall), .receive)]).connect("ws://a.test/deaf")
        let error = await #expect(throws: NetError.self) {
            try await clock.run { try await socket.ping(timeout: .seconds(3)) }
        }
        #expect(error?.code == .timeout)
        #expect(clock.now == .seconds(3))
    }

    @Test func `A cancelled ping throws that, not its time limit`() async throws {
        let pair = silentPair()
        defer { pair.server.drop() }
        let socket = WebSocketConnection(pair.client, clock: clock.netClock)
        let ping = Task { try await socket.ping() }
        try await clock.waitForSleepers(count: 1)
        ping.cancel()
        let error = await #expect(throws: NetError.self) { try await ping.value }
        #expect(error?.code == .cancelled)
    }

    // MARK: Closing

    /// The clock stands still: nothing may wait for it.
    @Test(arguments: [true, false])
    func `A cancelled session doesn't wait for a peer that doesn't respond to the close frame`(
        isScope: Bool
    ) async throws {
        let client = SocketClient(
            "ws://a.test/deaf", client: sockets([WebSocketStub("/deaf", .drop(.stall), .receive)]))
        let task = Task {
            if isScope {
                try await client.withConnection { client in
                    try await client.wait(for: "open")
                    try await Task.sleep(for: .seconds(3600))
                }
            } else {
                try await client.run()
            }
        }
        try await client.wait(for: "open")
        task.cancel()
        _ = await task.result
        #expect(clock.now == .zero)
    }

    @Test func `A scope that is cancelled while it closes ends immediately`() async throws {
        let client = SocketClient(
            "ws://a.test/deaf", client: sockets([WebSocketStub("/deaf", .drop(.stall), .receive)]))
        let hasLeft = Mutex(false)
        let task = Task {
            try await client.withConnection { client in try await client.wait(for: "open") }
            hasLeft.withLock { $0 = true }
        }
        while !client.state.isOver { await Task.yield() }
        for _ in 0..<200 { await Task.yield() }
        #expect(!hasLeft.withLock { $0 })
        task.cancel()
        _ = await task.result
        #expect(clock.now == .zero)
    }

    @Test func `A session that is cancelled still writes what waits`() async throws {
        let received = Mutex<[String]>([])
        let (ends, end) = AsyncStream<Void>.makeStream()
        let stub = WebSocketStub("/socket") { peer in
            while let message = try await peer.receive() { received.withLock { $0.append(message.text ?? "") } }
            end.finish()
        }
        let client = SocketClient("ws://a.test/socket", client: sockets([stub]))
        let task = Task { try await client.run() }
        try await client.wait(for: "open")
        for number in 0..<20 { try await client.notify(Said(text: "\(number)")) }
        task.cancel()
        _ = await task.result
        for await _ in ends {}
        #expect(received.withLock { $0.count } == 20)
        #expect(clock.now == .zero)
    }
}
