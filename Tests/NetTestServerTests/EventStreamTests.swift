#if Server
import HTTPTypes
import NetCore
import NetTesting
import TestSupport
import Testing

@testable import NetTestServer

@Suite(.timeLimit(.minutes(1)))
struct EventStreamTests {
    private static let request = "GET /events HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test func eachEventGoesOutAtOnce() async throws {
        let clock = TestClock()
        var configuration = TestServer.Configuration()
        configuration.clock = clock.netClock
        let events = (1...3).map { StubEvent("\($0)", after: .seconds(60)) }
        let server = try await TestServer.start([.serverSentEvents("/events", events)], configuration: configuration)
        let socket = try RawSocket(port: server.port)
        socket.send(Self.request)
        let head = try await offPool { try socket.receive { $0.contains("\r\n\r\n") } }
        #expect(head.contains("text/event-stream"))
        #expect(!head.contains("data:"))
        for number in 1...3 {
            try await clock.waitForSleepers(count: 1)
            await clock.advance(by: .seconds(60))
            let text = try await offPool { try socket.receive { $0.contains("data: ") } }
            #expect(text.contains("data: \(number)\n\n"))
        }
        await server.stop()
    }

    @Test(arguments: [false, true])
    func aClientThatLeavesEndsTheStreamOfTheStub(_ isReset: Bool) async throws {
        let (ended, isEnded) = AsyncStream<Void>.makeStream()
        let stub = Stub(.get, "/events") { _ in
            let (stream, feed) = AsyncStream<Bytes>.makeStream()
            feed.onTermination = { _ in isEnded.finish() }
            feed.yield(Bytes("data: 1\n\n".utf8))
            return StubResponse(headers: [.contentType: "text/event-stream"], body: .stream { stream })
        }
        let server = try await TestServer.start([stub])
        try await readFirstEvent(of: server, thenReset: isReset)
        for await _ in ended {}
        try await server.wait { requests, _ in requests.first?.outcome == .clientWentAway }
        await server.stop()
    }

    /// Reads the first event and leaves: the socket is closed when it is released.
    private func readFirstEvent(of server: TestServer, thenReset isReset: Bool) async throws {
        let socket = try RawSocket(port: server.port)
        let text = try await offPool {
            socket.send(Self.request)
            return try socket.receive { $0.contains("data: 1") }
        }
        #expect(text.contains("data: 1"))
        if isReset { await server.resetConnections() }
    }
}
#endif
