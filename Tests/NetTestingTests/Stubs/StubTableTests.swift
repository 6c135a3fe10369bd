import HTTPTypes
import NetCore
import Testing

@testable import NetTesting

struct StubTableTests {
    private func request(
        _ method: HTTPRequest.Method = .get, _ target: String, _ headers: HTTPFields = [:], _ body: String = ""
    ) -> StubRequest {
        StubRequest(method: method, target: target, headers: headers, body: Bytes(body.utf8))
    }

    @Test func theFirstOfEqualStubsAnswers() throws {
        let table = StubTable([Stub(.get, "/a/{x}", .text("1")), Stub(.get, "/a/b", .text("2"))])
        #expect(try table.match(request(.get, "/a/b")).stub.path.description == "/a/{x}")
    }

    @Test func theHighestPriorityAnswers() throws {
        let table = StubTable([Stub(.get, "/a/{x}", .text("1")), Stub(nil, "/a/b", .text("2")).priority(1)])
        #expect(try table.match(request(.get, "/a/b")).stub.path.description == "/a/b")
        #expect(try table.match(request(.get, "/a/c")).request.parameters == ["x": "c"])
    }

    @Test func aStubIsUsedUpAfterItsTimes() throws {
        let table = StubTable([Stub(.get, "/a", .text("1")).times(2), Stub(.get, "/{x}", .text("2"))])
        let paths = try (0..<3).map { _ in try table.match(request(.get, "/a")).stub.path.description }
        #expect(paths == ["/a", "/a", "/{x}"])
        #expect(table.unused.isEmpty)
    }

    @Test func queryFieldsAndBodyAreAsked() throws {
        let stub = Stub(.post, "/a", .text("1")).query("q", "x y").query("none", .absent)
            .header(.accept, .present).header(.contentType, .satisfying { $0.hasPrefix("application/") })
            .body(.json(["k": 1]))
        let table = StubTable([stub])
        let headers: HTTPFields = [.accept: "*/*", .contentType: "application/json"]
        _ = try table.match(request(.post, "/a?z=1&q=x+y", headers, #"{ "k": 1 }"#))
        for bad in [
            request(.put, "/a?q=x+y", headers, #"{"k":1}"#), request(.post, "/a?q=x", headers, #"{"k":1}"#),
            request(.post, "/a?q=x+y&none", headers, #"{"k":1}"#), request(.post, "/a?q=x+y", [:], #"{"k":1}"#),
            request(.post, "/a?q=x+y", headers, #"{"k":2}"#), request(.post, "/a?q=x+y", headers, "no JSON"),
        ] {
            #expect(throws: StubMiss.self) { try table.match(bad) }
        }
    }

    @Test func aFieldMayBeAskedToBeAbsent() throws {
        let table = StubTable([Stub(.get, "/a", .text("1")).header(.authorization, .absent)])
        _ = try table.match(request(.get, "/a"))
        let miss = #expect(throws: StubMiss.self) { try table.match(request(.get, "/a", [.authorization: "Bearer x"])) }
        #expect(miss?.nearest.first?.mismatches == ["field Authorization is <redacted>, it should be absent"])
    }

    @Test func aStrictQueryHasNothingThatIsNotAskedFor() throws {
        let table = StubTable([Stub(.get, "/a", .text("1")).query("page", .present).query("q", .absent).strictQuery()])
        _ = try table.match(request(.get, "/a?page=2"))
        _ = try table.match(request(.get, "/a?page=2&page=3"))
        let miss = #expect(throws: StubMiss.self) { try table.match(request(.get, "/a?page=2&token=x&b")) }
        #expect(
            miss?.nearest.first?.mismatches == [
                "query item b is not expected", "query item token is not expected",
            ])
        let bare = StubTable([Stub(.get, "/a", .text("1")).strictQuery()])
        _ = try bare.match(request(.get, "/a?"))
        #expect(throws: StubMiss.self) { try bare.match(request(.get, "/a?x")) }
    }

    @Test func anExactQueryIsComparedAsItIsEncodedInAnyOrder() throws {
        let table = StubTable([Stub(.get, "/a", .text("1")).exactQuery("b=x%20y&a=1&a=2")])
        _ = try table.match(request(.get, "/a?a=2&b=x%20y&a=1"))
        for query in ["", "?a=1&b=x%20y", "?a=1&a=2&b=x+y", "?a=1&a=2&b=x%20y&c=3", "?a=1&a=1&a=2&b=x%20y"] {
            #expect(throws: StubMiss.self, "\(query)") { try table.match(request(.get, "/a" + query)) }
        }
        let miss = #expect(throws: StubMiss.self) { try table.match(request(.get, "/a?token=PLANTED")) }
        #expect(
            miss?.nearest.first?.mismatches == [
                "the query is ?token=<redacted>, it should be ?b=x%20y&a=1&a=2 in any order"
            ])
    }

    @Test func aMissNamesTheNearestStubsAndWhatIsWrong() throws {
        let table = StubTable([
            Stub(.get, "/other/thing/deep", .text("1")), Stub(.get, "/users/{id}", .text("2")),
            Stub(.post, "/users", .text("3")).header(.accept, "text/plain"),
            Stub(.get, "/health", .text("4")).times(0), Stub(.get, "/zzz/yyy/xxx", .text("5")),
        ])
        let miss = #expect(throws: StubMiss.self) { try table.match(request(.get, "/users")) }
        #expect(miss?.nearest.count == 3)
        let first = try #require(miss?.nearest.first)
        #expect(first.stub == "POST /users")
        #expect(
            first.mismatches == ["the method is GET, not POST", "field Accept is absent, it should be \"text/plain\""])
        #expect(miss?.description.hasPrefix("no stub matches GET /users; nearest: POST /users: ") == true)
        let spent = #expect(throws: StubMiss.self) { try table.match(request(.get, "/health")) }
        #expect(spent?.description.contains("it has responded 0 times") == true)
    }

    @Test func aStreamingStubIsDecidedByTheHeadAlone() {
        let table = StubTable([
            .streaming(.post, "/up") { _, _ in .status(.ok) }, Stub(.post, "/down", .status(.ok)),
            Stub(.post, "/both", .status(.ok)).body(.present), .streaming(.post, "/both") { _, _ in .status(.ok) },
        ])
        let plans = [request(.post, "/up"), request(.post, "/down"), request(.post, "/both"), request(.get, "/up")]
            .map { request in
                switch table.plan(request) {
                case .stream: "stream"
                case .collect: "collect"
                case .miss: "miss"
                }
            }
        #expect(plans == ["stream", "collect", "collect", "miss"])
    }

    @Test func theRecordKeepsTheNewest() {
        let table = StubTable([], recordLimit: 3)
        for index in 0..<5 { table.record(request(.get, "/\(index)")) }
        #expect(table.recorded.map(\.target) == ["/2", "/3", "/4"])
        #expect(table.forgotten == 2)
    }

    @Test(arguments: [
        ("/a/b?x=1", "/a/b"), ("http://host:1/a?x", "/a"), ("http://host", "/"), ("*", "*"), ("host:443", "host:443"),
        ("/a:b://c", "/a:b://c"), ("", ""),
    ])
    func thePathOfATarget(_ target: String, _ path: String) {
        #expect(request(.get, target).path == path)
    }
}
