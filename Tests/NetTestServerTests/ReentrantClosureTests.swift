#if Server
import HTTPTypes
import NetCore
import NetTesting
import Synchronization
import TestSupport
import Testing

@testable import NetTestServer

/// No closure of the user runs while a lock of the server is held.
@Suite(.timeLimit(.minutes(1)))
struct ReentrantClosureTests {
    /// The server that a closure uses, set once it runs.
    private final class Place: Sendable {
        let server = Mutex<TestServer?>(nil)
        func ask() -> Bool {
            guard let server = server.withLock({ $0 }) else { return false }
            server.setState("asked", of: "predicates")
            return server.stubUses.count + server.requests.count + server.statistics.requests > 0
        }
    }

    @Test func predicatesMayUseTheServerTheyAreIn() async throws {
        let place = Place()
        let stub = Stub(.post, "/a", .text("answer")).header(.accept, .satisfying { _ in place.ask() })
            .query("q", .satisfying { _ in place.ask() }).body(.satisfying { _ in place.ask() })
        let server = try await TestServer.start([stub])
        place.server.withLock { $0 = server }
        #expect(try await Tool.curl("-d", "x", server.baseURL.description + "/a?q=1").text == "answer")
        #expect(server.state(of: "predicates") == "asked")
        // A mismatch calls them as well, to explain itself.
        #expect(try await Tool.curl("-d", "x", server.baseURL.description + "/b?q=1").text.contains("no stub matches"))
        place.server.withLock { $0 = nil }
        await server.stop()
    }

    @Test func aConditionMayAskTheServerItWaitsFor() async throws {
        let server = try await TestServer.start([Stub(.get, "/", .text("x"))])
        let waiter = Task {
            try await server.wait { requests, statistics in
                server.requests.count == requests.count && server.statistics == statistics && requests.count == 2
            }
        }
        for _ in 0..<2 { _ = try await Tool.curl(server.baseURL.description) }
        try await waiter.value
        await server.stop()
    }

    @Test func aWaitThatIsCancelledEnds() async throws {
        let server = try await TestServer.start()
        let waiter = Task { try await server.wait { _, _ in false } }
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
        await server.stop()
    }
}
#endif
