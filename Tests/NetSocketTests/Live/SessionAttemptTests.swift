import HTTPTypes
import NetCore
import NetSocket
import NetSocketCore
import NetTesting
import Synchronization
import Testing

/// The attempts of a session to connect, and calls before it runs.
@Suite(.timeLimit(.minutes(1)))
struct SessionAttemptTests {
    private static let refused = NetError(.connect, phase: .connecting, message: "refused")

    /// Advances the time until a session is over.
    private static func finish(_ client: SocketClient, on clock: TestClock) async {
        while !client.state.isOver, !Task.isCancelled {
            await clock.advance(by: .seconds(1))
            await Task.yield()
        }
    }

    private static func handshakes(
        _ status: HTTPResponse.Status, _ change: (inout SocketClient.Configuration) -> Void
    ) async -> (count: Int, state: SocketSessionState) {
        let (count, clock) = (Counter(), TestClock())
        let transport = MockWebSocketTransport(
            [],
            refusals: [
                Stub(nil, "/socket") { _ in
                    _ = count.next()
                    return StubResponse(status: status)
                }
            ])
        let client = SocketClient.over(transport, on: clock, change)
        client.start()
        await finish(client, on: clock)
        return (count.count, client.state)
    }

    // MARK: The number of attempts

    @Test(arguments: [(0, 1), (1, 1), (2, 2), (5, 5)])
    func theFirstConnectionIsTriedAsOftenAsAttemptsMayFail(_ maximum: Int, _ tries: Int) async {
        let (count, state) = await Self.handshakes(.serviceUnavailable) { $0.reconnect.maximumAttempts = maximum }
        #expect(count == tries)
        #expect("\(state)".hasPrefix("failed("))
    }

    @Test(arguments: [(0, 0), (1, 1), (3, 3)])
    func afterALossItIsTriedAsOftenAsAttemptsMayFail(_ maximum: Int, _ tries: Int) async throws {
        let (server, clock, later) = (SocketPeer(), TestClock(), Counter())
        let isGone = Mutex(false)
        let sockets = WebSocketClient(configuration: .init(clock: clock.netClock), transport: server.transport())
        var configuration = SocketClient.Configuration(heartbeatInterval: nil)
        configuration.reconnect.maximumAttempts = maximum
        let client = SocketClient("ws://a.test/socket", client: sockets, configuration: configuration) { _ in
            guard isGone.withLock({ $0 }) else { return }
            _ = later.next()
            throw Self.refused
        }
        client.start()
        try await client.waitUntilOpen(at: server)
        await clock.advance(by: .seconds(60))
        isGone.withLock { $0 = true }
        await server.drop()
        await Self.finish(client, on: clock)
        #expect(later.count == tries)
    }

    @Test func aStateHasOneCountOfAttempts() async throws {
        let clock = TestClock()
        let client = SocketClient.over(.failing(with: Self.refused), on: clock)
        client.start()
        let states = client.states
        for try await state in states {
            guard case .waiting(2, _, _) = state else { continue }
            #expect("\(state)".ranges(of: "attempt").count == 1, "\(state)")
            break
        }
        client.close()
    }

    // MARK: Credentials

    @Test func anUnauthorizedHandshakeIsNotRepeatedWithTheSameCredential() async {
        let (count, state) = await Self.handshakes(.unauthorized) { _ in }
        #expect(count == 1)
        #expect("\(state)".contains("401"))
    }

    @Test func anUnauthorizedHandshakeIsRepeatedWithANewerCredential() async {
        let attempts = Mutex<[String]>([])
        let clock = TestClock()
        let transport = MockWebSocketTransport(
            [],
            refusals: [
                Stub(nil, "/socket") { request in
                    attempts.withLock { $0.append(request.headers[.authorization] ?? "") }
                    return StubResponse(status: .unauthorized)
                }
            ])
        let sockets = WebSocketClient(configuration: .init(clock: clock.netClock), transport: transport)
        let number = Counter()
        let client = SocketClient("ws://a.test/socket", client: sockets) { $0.bearer = "t\(number.next())" }
        client.start()
        await Self.finish(client, on: clock)
        #expect(attempts.withLock { $0 } == ["Bearer t1", "Bearer t2"])
    }

    // MARK: Before it runs

    @Test func aPauseBeforeTheStartIsKept() async throws {
        for _ in 0..<10 {
            let server = SocketPeer()
            let client = server.client()
            client.start()
            client.pause()
            try await client.wait(for: "suspended")
            // The session may have begun to connect before the pause; then it leaves that connection.
            for _ in 0..<50 { await Task.yield() }
            #expect("\(client.state)" == "suspended")
            client.resume()
            try await client.waitUntilOpen(at: server)
            client.close()
        }
    }

    @Test func aPauseIsKeptWhileAConnectionIsLost() async throws {
        let (server, clock) = (SocketPeer(), TestClock())
        let client = server.client(on: clock)
        client.pause()
        client.resume()
        client.start()
        try await client.waitUntilOpen(at: server)
        await server.drop()
        try await client.wait(for: "waiting")
        client.pause()
        await clock.advance(by: .seconds(120))
        try await client.wait(for: "suspended")
        #expect(server.connections == 1)
        client.resume()
        #expect(try await client.send(Say(text: "again")).text == "again")
        client.close()
    }

    @Test func callsOnASessionThatHasFailedSayWhy() async throws {
        let client = SocketClient("ftp://a.test/socket", client: WebSocketClient(transport: SocketPeer().transport()))
        client.start()
        while !client.state.isOver, !Task.isCancelled { await Task.yield() }
        let errors = [
            await #expect(throws: SocketCommandError.self) { try await client.send(Say(text: "x")) },
            await #expect(throws: SocketCommandError.self) { try await client.notify(Said(text: "x")) },
            await #expect(throws: SocketCommandError.self) { try await client.join("room") },
        ]
        for error in errors {
            guard case .failed(let failed)? = error else {
                Issue.record("\(error as Any)")
                continue
            }
            #expect(failed.code == .invalidRequest)
            #expect(failed.message.contains("wss://"), "\(failed)")
            #expect(!failed.mayHaveArrived)
        }
    }

    @Test func aPathContinuesTheClientsBaseURL() async throws {
        let server = SocketPeer("/v1/socket")
        let sockets = WebSocketClient(
            configuration: .init(baseURL: "ws://a.test/v1"), transport: server.transport())
        try await SocketClient("/socket", client: sockets).withConnection { client in
            let reply = try await client.send(Say(text: "hello"))
            #expect(reply.text == "hello")
        }
    }

    // MARK: A regular closure

    @Test(arguments: [true, false]) func aRegularClosureIsALossForASessionInAChannel(_ isJoined: Bool) async throws {
        let (server, clock) = (SocketPeer(), TestClock())
        let client = server.client(on: clock)
        client.start()
        try await client.waitUntilOpen(at: server)
        if isJoined { try await client.join("room") }
        try await server.close(.normalClosure)
        if isJoined {
            await client.reopen(on: clock)
            #expect(try await client.send(Say(text: "again")).text == "again")
        } else {
            while !client.state.isOver, !Task.isCancelled { await Task.yield() }
            #expect("\(client.state)".hasPrefix("failed("))
        }
        client.close()
    }
}
