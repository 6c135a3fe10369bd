#if os(Linux) && Server
import NetCore
import NetSocket
import NetTestServer
import NetTesting
import Synchronization
import Testing

/// Sessions against a real server, in virtual time.
@Suite(.timeLimit(.minutes(1)))
struct WebSocketSessionTests {
    private let policy = ReconnectPolicy(backoff: .constant(.seconds(5)))

    /// A client whose waits a test ends.
    private func withClient<Value>(_ body: (WebSocketClient, TestClock) async throws -> Value) async throws -> Value {
        var configuration = CurlWebSocketTransport.Configuration()
        configuration.proxy = .none
        let clock = TestClock()
        let client = WebSocketClient(
            configuration: .init(clock: clock.netClock),
            transport: CurlWebSocketTransport(configuration: configuration))
        do {
            let value = try await body(client, clock)
            await client.shutdown()
            return value
        } catch {
            await client.shutdown()
            throw error
        }
    }

    private func session(
        _ client: WebSocketClient, _ server: TestServer, _ path: String, policy: ReconnectPolicy? = nil
    ) -> WebSocketSession {
        WebSocketSession(client: client, url: server.webSocketURL + path, policy: policy ?? self.policy)
    }

    /// A peer that does something else at each connection, and echoes when the list is at its end.
    private func peer(_ path: PathTemplate, _ scripts: [[WebSocketStep]]) -> WebSocketStub {
        let next = SharedCounter()
        return WebSocketStub(path) { socket in
            let number = next.take()
            for step in number < scripts.count ? scripts[number] : [.echo] { try await socket.perform(step) }
            while try await socket.receive() != nil {}
        }
    }

    @Test func aLostConnectionIsOpenedAgainAfterTheWait() async throws {
        let server = try await TestServer.start(webSockets: [
            peer("/live", [[.text("one"), .drop(.close)], [.text("two"), .close(.serviceRestart)]])
        ])
        try await withClient { client, clock in
            let session = session(client, server, "/live")
            let log = Task { try await Self.log(of: session, count: 9) }
            try await clock.waitForSleepers(count: 1)
            await clock.advance(by: .seconds(5))
            try await clock.waitForSleepers(count: 1)
            await clock.advance(by: .seconds(5))
            try await session.send(.text("three"))
            let events = try await log.value
            #expect(
                events == [
                    "connected", "one", "lost connectionLost", "attempt 1 in 5.0 seconds", "connected", "two",
                    "lost webSocketClosed", "attempt 2 in 5.0 seconds", "connected",
                ])
            var iterator = session.events.makeAsyncIterator()
            let message = try await iterator.next()
            #expect(message.map(Self.name) == "three")
            await session.close()
            let end = try await iterator.next()
            #expect(end == nil)
        }
        await server.stop()
    }

    @Test func aConnectionThatStoodLongEnoughForgetsEarlierFailures() async throws {
        let server = try await TestServer.start(webSockets: [
            peer("/live", [[.drop(.close)], [.text("x"), .receive, .receive, .drop(.close)]])
        ])
        try await withClient { client, clock in
            let session = session(client, server, "/live")
            let log = Task { try await Self.log(of: session, count: 7) }
            try await clock.waitForSleepers(count: 1)
            await clock.advance(by: .seconds(5))
            try await session.send(.text("it stands"))
            await clock.advance(by: .seconds(10))
            try await session.send(.text("let go"))
            let names = try await log.value
            #expect(names.filter { $0.hasPrefix("attempt") } == Array(repeating: "attempt 1 in 5.0 seconds", count: 2))
        }
        await server.stop()
    }

    @Test func theServersNormalClosureEndsItAndAnotherFinalCodeThrows() async throws {
        let server = try await TestServer.start(webSockets: [
            WebSocketStub("/done", .close(.normalClosure)), WebSocketStub("/policy", .close(.policyViolation)),
        ])
        try await withClient { client, _ in
            let names = try await Self.log(of: session(client, server, "/done"), count: .max)
            #expect(names == ["connected", "lost webSocketClosed"])
            let error = await #expect(throws: NetError.self) {
                try await Self.log(of: session(client, server, "/policy"), count: .max)
            }
            #expect(error?.closure?.code == .policyViolation)
        }
        await server.stop()
    }

    @Test func theAttemptsEndWhereThePolicySays() async throws {
        let server = try await TestServer.start(webSockets: [])
        let url = server.webSocketURL
        await server.stop()
        try await withClient { client, clock in
            let session = WebSocketSession(
                client: client, url: url, policy: .constant(.seconds(1), maximumAttempts: 2))
            let log = Task { try await Self.log(of: session, count: .max) }
            for _ in 0..<2 {
                try await clock.waitForSleepers(count: 1)
                await clock.advance(by: .seconds(1))
            }
            let error = await #expect(throws: NetError.self) { try await log.value }
            #expect(error?.code == .connect)
            let send = await #expect(throws: NetError.self) { try await session.send(.text("late")) }
            #expect(send?.code == .webSocketClosed)
        }
    }

    @Test func aMessageWaitsForTheConnectionUnlessToldToFail() async throws {
        let server = try await TestServer.start(webSockets: [.echo("/echo")])
        try await withClient { client, _ in
            let url = server.webSocketURL + "/echo"
            let waiting = WebSocketSession(client: client, url: url)
            async let sent: Void = waiting.send(.text("early"))
            let names = try await Self.log(of: waiting, count: 2)
            try await sent
            #expect(names == ["connected", "early"])

            let failing = WebSocketSession(client: client, offline: .fail) { WebSocketRequest(url: url) }
            let error = await #expect(throws: NetError.self) { try await failing.send(.text("early")) }
            #expect(error?.code == .connectionLost)

            let cancelled = WebSocketSession(client: client, url: url)
            let task = Task { try await cancelled.send(.text("never")) }
            task.cancel()
            let cancellation = await #expect(throws: NetError.self) { try await task.value }
            #expect(cancellation?.code == .cancelled)
            await waiting.close()
        }
        await server.stop()
    }

    @Test func reconnectingByHandForgetsTheWaitAndTheFailures() async throws {
        let server = try await TestServer.start(webSockets: [peer("/live", [[.drop(.close)]])])
        try await withClient { client, clock in
            let session = session(client, server, "/live")
            let log = Task { try await Self.log(of: session, count: 5) }
            try await clock.waitForSleepers(count: 1)
            await session.reconnect()
            try await session.send(.text("x"))
            var names = try await log.value
            await session.reconnect()
            names += try await Self.log(of: session, count: 2)
            #expect(
                names.prefix(5) == ["connected", "lost connectionLost", "attempt 1 in 5.0 seconds", "connected", "x"])
            #expect(names.suffix(2) == ["lost webSocketClosed", "connected"])
            await session.close()
        }
        await server.stop()
    }

    @Test func closingWhileItWaitsWins() async throws {
        let server = try await TestServer.start(webSockets: [peer("/live", [[.drop(.close)]])])
        try await withClient { client, clock in
            let session = session(client, server, "/live")
            let log = Task { try await Self.log(of: session, count: .max) }
            try await clock.waitForSleepers(count: 1)
            await session.close()
            let names = try await log.value
            #expect(names == ["connected", "lost connectionLost", "attempt 1 in 5.0 seconds"])
            await clock.advance(by: .seconds(60))
            #expect(server.requests.count == 1)
        }
        await server.stop()
    }

    @Test func aReaderThatIsCancelledLeavesTheSessionToTheNext() async throws {
        let server = try await TestServer.start(webSockets: [.echo("/echo")])
        try await withClient { client, _ in
            let session = session(client, server, "/echo")
            let first = Task { try await Self.log(of: session, count: .max) }
            try await session.send(.text("before"))
            try await server.wait { requests, _ in requests.last?.webSocket?.messages.count == 1 }
            first.cancel()
            let error = await #expect(throws: NetError.self) { try await first.value }
            #expect(error?.code == .cancelled)
            try await session.send(.text("after"))
            var iterator = session.events.makeAsyncIterator()
            var names: [String] = []
            while names.last != "after", let event = try await iterator.next() { names.append(Self.name(event)) }
            #expect(names.last == "after")
            #expect(server.requests.count == 1)
            await session.close()
        }
        await server.stop()
    }

    @Test func theRequestIsMadeAnewForEachAttempt() async throws {
        let server = try await TestServer.start(webSockets: [peer("/live", [[.drop(.close)], [.text("in")]])])
        try await withClient { client, clock in
            let counter = SharedCounter()
            let session = WebSocketSession(client: client, policy: policy) {
                WebSocketRequest(url: server.webSocketURL + "/live?token=\(counter.take())")
            }
            let log = Task { try await Self.log(of: session, count: 5) }
            try await clock.waitForSleepers(count: 1)
            await clock.advance(by: .seconds(5))
            _ = try await log.value
            #expect(server.requests.map(\.target) == ["/live?token=0", "/live?token=1"])

            struct NoToken: Error {}
            let failing = WebSocketSession(client: client) { throw NoToken() }
            let error = await #expect(throws: NetError.self) { try await Self.log(of: failing, count: .max) }
            #expect(error?.code == .invalidRequest)
            #expect(error?.underlying is NoToken)
            await session.close()
        }
        await server.stop()
    }

    // MARK: Support

    private static func log(of session: WebSocketSession, count: Int) async throws -> [String] {
        var names: [String] = []
        for try await event in session.events {
            names.append(name(event))
            if names.count == count { break }
        }
        return names
    }

    private static func name(_ event: WebSocketSession.Event) -> String {
        switch event {
        case .connected: "connected"
        case .message(let message): message.text ?? "bytes"
        case .disconnected(let error): "lost \(error.code)"
        case .reconnecting(let attempt, let wait): "attempt \(attempt) in \(wait)"
        }
    }
}

private final class SharedCounter: Sendable {
    private let value = Atomic<Int>(0)

    func take() -> Int { value.add(1, ordering: .relaxed).oldValue }
}
#endif
