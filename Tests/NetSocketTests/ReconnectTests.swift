#if os(Linux) && Server
import NetCore
import NetSocket
import NetSocketCore
import NetTestServer
import NetTesting
import Testing

/// Sessions that reconnect to a real server, in virtual time.
@Suite(.timeLimit(.minutes(1)))
struct ReconnectTests {
    /// Runs `body` with a server, a session and the session's clock. Each delay is 5 s.
    private func withSession(
        _ policy: ReconnectPolicy = .constant(.seconds(5)),
        _ body: (SocketClient, SocketPeer, TestServer, TestClock) async throws -> Void
    ) async throws {
        let (wire, clock) = (SocketPeer(), TestClock())
        let server = try await TestServer.start(webSockets: [wire.stub])
        try await Fixture.run(on: clock.netClock) { fixture in
            let client = SocketClient(
                server.webSocketURL + "/socket", client: fixture.client,
                configuration: .init(reconnect: policy, heartbeatInterval: nil))
            try await client.withConnection { client in try await body(client, wire, server, clock) }
        }
        await server.stop()
    }

    private static func name(_ state: SocketSessionState) -> String {
        switch state {
        case .idle: "idle"
        case .connecting(let attempt): "connecting \(attempt)"
        case .open: "open"
        case .waiting(let attempt, let wait, let error):
            "\(error.code), attempt \(attempt) in \(wait.map { "\($0)" } ?? "?")"
        case .suspended: "suspended"
        case .failed(let error): "failed \(error.code)"
        case .closed: "closed"
        }
    }

    /// Returns the states up to one whose name begins as given.
    private static func read(
        _ states: inout SocketSequence<SocketSessionState>.Iterator, to last: String
    ) async throws -> [String] {
        var names: [String] = []
        while names.last?.hasPrefix(last) != true, let state = try await states.next() { names.append(name(state)) }
        return names
    }

    @Test func itsStatesComeInOrderAndAStableConnectionForgetsFailures() async throws {
        try await withSession { client, wire, _, clock in
            var states = client.states.makeAsyncIterator()
            _ = try await Self.read(&states, to: "open")
            #expect(try await client.send(Say(text: "one")).text == "one")
            await wire.drop()
            #expect(try await Self.read(&states, to: "connectionLost") == ["connectionLost, attempt 2 in 5.0 seconds"])
            await clock.advance(by: .seconds(5))
            #expect(try await Self.read(&states, to: "open") == ["connecting 2", "open"])
            #expect(try await client.send(Say(text: "two")).text == "two")
            try await wire.close(.serviceRestart)
            #expect(
                try await Self.read(&states, to: "webSocketClosed") == ["webSocketClosed, attempt 3 in 5.0 seconds"])
            await clock.advance(by: .seconds(5))
            #expect(try await Self.read(&states, to: "open") == ["connecting 3", "open"])
            #expect(try await client.send(Say(text: "three")).text == "three")
            await clock.advance(by: .seconds(10))
            await wire.drop()
            #expect(try await Self.read(&states, to: "connectionLost") == ["connectionLost, attempt 2 in 5.0 seconds"])
            client.close()
            #expect(try await Self.read(&states, to: "closed") == ["closed"])
            #expect(try await states.next() == nil)
        }
    }

    @Test(arguments: [1001, 1011, 1012, 1013, 1014, 3000, 3999] as [UInt16])
    func itConnectsAgainAfterTheCode(_ code: UInt16) async throws {
        try await withSession { client, wire, _, clock in
            _ = try await client.send(Say(text: "one"))
            try await wire.close(WebSocketCloseCode(rawValue: code))
            for try await state in client.states {
                guard case .waiting(2, .seconds(5), let error) = state else { continue }
                #expect(error.closure?.code.rawValue == code)
                #expect(error.closure?.isByPeer == true)
                break
            }
            await clock.advance(by: .seconds(5))
            #expect(try await client.send(Say(text: "two")).text == "two")
            #expect(wire.connections == 2)
        }
    }

    @Test(arguments: [1000, 1002, 1003, 1007, 1008, 1010, 4000, 4999] as [UInt16])
    func itEndsWithTheCode(_ code: UInt16) async throws {
        try await withSession { client, wire, server, clock in
            _ = try await client.send(Say(text: "one"))
            let states = client.states
            try await wire.close(WebSocketCloseCode(rawValue: code))
            let error = await #expect(throws: NetError.self) { for try await _ in states {} }
            #expect(error?.closure?.code.rawValue == code)
            #expect(error?.closure?.isByPeer == true)
            await clock.advance(by: .seconds(60))
            let late = await #expect(throws: SocketCommandError.self) { try await client.send(Say(text: "late")) }
            guard case .failed(let failed)? = late else { return }
            #expect(failed.code == .webSocketClosed)
            #expect(!failed.mayHaveArrived)
            #expect(server.requests.count == 1)
        }
    }

    @Test func reconnectingByHandForgetsTheWaitAndTheFailures() async throws {
        try await withSession { client, wire, _, clock in
            var states = client.states.makeAsyncIterator()
            _ = try await Self.read(&states, to: "open")
            _ = try await client.send(Say(text: "one"))
            await wire.drop()
            _ = try await Self.read(&states, to: "connectionLost")
            client.reconnect()
            #expect(try await Self.read(&states, to: "open") == ["connecting 1", "open"])
            #expect(try await client.send(Say(text: "two")).text == "two")
            client.reconnect()
            #expect(try await Self.read(&states, to: "open") == ["connecting 1", "open"])
            #expect(try await client.send(Say(text: "three")).text == "three")
            #expect(wire.connections == 3)
            #expect(clock.now == .zero)
        }
    }

    @Test func closingWhileItWaitsWins() async throws {
        try await withSession { client, wire, server, clock in
            var states = client.states.makeAsyncIterator()
            _ = try await Self.read(&states, to: "open")
            _ = try await client.send(Say(text: "one"))
            await wire.drop()
            _ = try await Self.read(&states, to: "connectionLost")
            client.close()
            #expect(try await Self.read(&states, to: "closed") == ["closed"])
            await clock.advance(by: .seconds(60))
            #expect(try await states.next() == nil)
            #expect(server.requests.count == 1)
        }
    }

    @Test func itsAttemptsEndWhereThePolicySays() async throws {
        try await withSession(.constant(.seconds(5), maximumAttempts: 2)) { client, wire, server, clock in
            var states = client.states.makeAsyncIterator()
            _ = try await Self.read(&states, to: "open")
            _ = try await client.send(Say(text: "one"))
            await server.stop()
            _ = try await Self.read(&states, to: "connectionLost")
            for attempt in 2...3 {
                await clock.advance(by: .seconds(5))
                let name = try await Self.read(&states, to: attempt == 2 ? "connect, " : "failed").last
                #expect(name == (attempt == 2 ? "connect, attempt 3 in 5.0 seconds" : "failed connect"))
            }
            #expect(wire.connections == 1)
        }
    }

    @Test func commandsThatMayNotBeQueuedFailWhileReconnecting() async throws {
        try await withSession { client, wire, _, clock in
            var states = client.states.makeAsyncIterator()
            _ = try await Self.read(&states, to: "open")
            _ = try await client.send(Say(text: "one"))
            await wire.drop()
            _ = try await Self.read(&states, to: "connectionLost")
            let error = await #expect(throws: SocketCommandError.self) {
                try await client.send(Say(text: "now"), offline: .fail)
            }
            guard case .failed(let failed)? = error else { return }
            #expect(failed.code == .connectionLost)
            #expect(!failed.mayHaveArrived)
            async let waiting = client.send(Say(text: "later"))
            await clock.advance(by: .seconds(5))
            #expect(try await waiting.text == "later")
        }
    }

    @Test func aRequestThatCannotBeMadeEndsTheSession() async throws {
        struct NoToken: Error {}
        try await Fixture.run { fixture in
            let client = SocketClient("ws://127.0.0.1:9/", client: fixture.client) { _ in throw NoToken() }
            let error = await #expect(throws: NetError.self) { try await client.run() }
            #expect(error?.code == .invalidRequest)
            #expect(error?.underlying is NoToken)
        }
    }
}
#endif
