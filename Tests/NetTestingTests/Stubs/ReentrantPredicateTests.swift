import HTTPTypes
import NetCore
import NetHTTP
import Synchronization
import Testing

@testable import NetTesting

/// The user's predicates run without a lock: one that reads or changes its own mock doesn't deadlock.
@Suite(.timeLimit(.minutes(1)))
struct ReentrantPredicateTests {
    private func send(_ transport: MockTransport, _ path: Path) async throws -> String {
        let client = HTTPClient(baseURL: "http://api.test", transport: transport)
        return try await client.send(
            Request<String>(path, method: .post, query: [QueryItem("q", "1")], body: .text("x"), serializer: .string))
    }

    @Test func predicatesMayUseTheMockTheyAreIn() async throws {
        let transport = MockTransport()
        let asked = Mutex<[Int]>([])
        @Sendable func ask() -> Bool {
            let uses = transport.stubUses.count
            asked.withLock { $0.append(uses + transport.recordedRequests.count) }
            transport.setState("asked", of: "predicates")
            return true
        }
        transport.add(
            Stub(.post, "/a", .text("answer")).header(.contentType, .satisfying { _ in ask() })
                .query("q", .satisfying { _ in ask() }).body(.satisfying { _ in ask() }))
        let answer = try await send(transport, "a")
        #expect(answer == "answer")
        #expect(asked.withLock { $0.count } >= 3)
        #expect(transport.state(of: "predicates") == "asked")
    }

    @Test func aStubThatItsOwnPredicateUsedUpDoesNotAnswer() async throws {
        let table = StubTable()
        let request = StubRequest(method: .get, target: "/a", headers: [.accept: "x"])
        let isInner = Mutex(false)
        table.add(
            Stub(.get, "/a", .text("once")).times(1).header(
                .accept,
                .satisfying { _ in
                    let isFirst = isInner.withLock { isInner in
                        defer { isInner = true }
                        return !isInner
                    }
                    if isFirst { _ = try? table.match(request) }
                    return true
                }))
        table.add(Stub(.get, "/a", .text("then")))
        let match = try table.match(request)
        #expect(match.stub.times == nil)
        #expect(table.uses.map(\.count) == [1, 1])
    }

    @Test func requestsAtOnceNeverUseAStubMoreOftenThanItsTimes() async throws {
        let table = StubTable([Stub(.get, "/a", .text("few")).times(50), Stub(.get, "/a", .text("rest"))])
        let request = StubRequest(method: .get, target: "/a")
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<100 { _ = try? table.match(request) } }
            }
        }
        #expect(table.uses.map(\.count) == [50, 750])
    }

    @Test func replacedStubsAreForgottenWithTheirStates() throws {
        let table = StubTable([Stub(.get, "/a", .text("1")).scenario("s", movesTo: "later")])
        _ = try table.match(StubRequest(method: .get, target: "/a"))
        #expect(table.state(of: "s") == "later")
        table.replaceAll(with: [Stub(.get, "/b", .text("2")).times(1)])
        #expect(table.state(of: "s") == Stub.Scenario.start)
        _ = try table.match(StubRequest(method: .get, target: "/b"))
        #expect(table.uses.map(\.count) == [1])
        #expect(table.unused.isEmpty)
        #expect(throws: StubMiss.self) { try table.match(StubRequest(method: .get, target: "/a")) }
    }
}
