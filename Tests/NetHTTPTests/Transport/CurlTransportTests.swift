#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

@Suite(.timeLimit(.minutes(2))) struct CurlTransportTests {
    private let ok = Request<String>("ok", serializer: .string)
    private let stubs = [Stub(.get, "/ok", .text("ok"))]

    @Test func callsOneAfterTheOtherShareAConnection() async throws {
        try await Fixture.run(stubs) { fixture in
            for index in 0..<20 {
                let response = try await fixture.client.response(ok)
                #expect(response.metrics?.isReused == (index > 0))
            }
            #expect(fixture.server.statistics.connections == 1)
            #expect(fixture.transport.statistics.openedConnections == 1)
        }
    }

    @Test func callsAtOnceShareAnHTTP2Connection() async throws {
        try await Fixture.run(stubs, over: .http2) { fixture in
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<100 { group.addTask { try await fixture.client.send(ok) } }
                for try await text in group { #expect(text == "ok") }
            }
            #expect(fixture.server.statistics.connections == 1)
        }
    }

    @Test func connectionsStayForTheNextRoundOfCalls() async throws {
        try await Fixture.run([Stub(.get, "/ok", .text("ok").delayed(by: .milliseconds(20)))]) { fixture in
            for _ in 0..<3 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<64 { group.addTask { try await fixture.client.send(ok) } }
                    try await group.waitForAll()
                }
            }
            #expect(fixture.server.statistics.connections <= 64)
        }
    }

    @Test func callsBeyondTheLimitWaitInLine() async throws {
        try await Fixture.run(stubs, with: .transport { $0.maximumTransfers = 3 }) { fixture in
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<500 { group.addTask { try await fixture.client.send(ok) } }
                for try await text in group { #expect(text == "ok") }
            }
            #expect(fixture.server.statistics.connections <= 3)
            #expect(fixture.transport.statistics.handles <= 3)
        }
    }

    @Test func aTaskMayRunOnTheTransportsThread() async throws {
        try await Fixture.run(stubs) { fixture in
            let executor = try #require(fixture.transport.executor)
            let texts = try await Task(executorPreference: executor) {
                var texts: [String] = []
                for _ in 0..<50 { texts.append(try await fixture.client.send(ok)) }
                return texts
            }.value
            #expect(texts.count == 50)
        }
    }

    @Test func aServerThatClosesBetweenCallsIsReachedAgain() async throws {
        try await Fixture.run(stubs) { fixture in
            for _ in 0..<5 {
                let text = try await fixture.client.send(ok)
                #expect(text == "ok")
                await fixture.server.resetConnections()
            }
        }
    }

    @Test func http2WithoutTLSByPriorKnowledge() async throws {
        try await Fixture.run(stubs, with: .transport { $0.version = .http2PriorKnowledge }) { fixture in
            for _ in 0..<3 {
                let version = try await fixture.client.response(ok).head.version
                #expect(version == "2")
            }
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<30 { group.addTask { try await fixture.client.send(ok) } }
                for try await text in group { #expect(text == "ok") }
            }
        }
    }

    @Test func droppingTheLastClientEndsTheThread() async throws {
        let server = try await TestServer.start(stubs)
        weak var engine: AnyObject?
        do {
            let transport = CurlTransport()
            let client = HTTPClient(baseURL: server.baseURL, transport: transport)
            #expect(try await client.send(ok) == "ok")
            engine = transport.executor as AnyObject?
            #expect(engine != nil)
        }
        for _ in 0..<500 where engine != nil { try await Task.sleep(for: .milliseconds(10)) }
        #expect(engine == nil)
        await server.stop()
    }
}
#endif
