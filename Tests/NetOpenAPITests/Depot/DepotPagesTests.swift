#if Server
import HTTPTypes
import NetHTTP
import NetOpenAPIRuntime
import NetTestServer
import NetTesting
import Testing

/// Pagination as declared by the document.
@Suite(.timeLimit(.minutes(5))) struct DepotPagesTests {
    private static func list(_ names: [String]) -> StubResponse {
        .json(text: "[\(names.map { "\"\($0)\"" }.joined(separator: ","))]")
    }

    @Test func aCursorInThePageIsSentInTheNextRequest() async throws {
        let stub = Stub(.get, "/parcels") { request in
            let cursor = request.queryValue("cursor")
            let next = cursor == nil ? #""a/b""# : "null"
            return .json(
                text:
                    #"{"items":[{"id":1,"town":"\#(cursor ?? "first")","weight":"1"}],"paging":{"next_cursor":\#(next)}}"#
            )
        }
        try await DepotSite.run([stub]) { site async throws in
            var towns: [String] = []
            for try await page in site.api.parcels.listParcels.pages() { towns += page.value.items.map(\.town) }
            #expect(towns == ["first", "a/b"])
            #expect(site.server.requests.map(\.target) == ["/parcels?limit=2", "/parcels?limit=2&cursor=a%2Fb"])
        }
    }

    @Test func numbersGoOnFromTheOneOfTheRequest() async throws {
        let stub = Stub(.get, "/drivers") { request in
            let page = request.queryValue("page") ?? ""
            return Self.list(page == "5" ? [] : [page])
        }
        try await DepotSite.run([stub]) { site async throws in
            var drivers: [String] = []
            for try await page in site.api.lists.listDrivers.pages(.init(page: 3)) { drivers += page.value }
            #expect(drivers == ["3", "4"])
        }
    }

    @Test func offsetsCountTheElements() async throws {
        let stub = Stub(.get, "/routes") { request in
            let skip = request.queryValue("skip").flatMap { Int($0) } ?? 0
            return .json(text: #"{"data":[\#(skip < 4 ? #""a","b""# : "")]}"#)
        }
        try await DepotSite.run([stub]) { site async throws in
            for try await _ in site.api.lists.listRoutes.pages() {}
            #expect(site.server.requests.map(\.target) == ["/routes", "/routes?skip=2", "/routes?skip=4"])
        }
    }

    @Test func aDeclaredLinkHeaderIsFollowed() async throws {
        let stub = Stub(.get, "/depots") { request in
            var response = Self.list([request.target])
            if request.query == nil { response.headers["Link"] = "</depots?p=2>; rel=next" }
            return response
        }
        try await DepotSite.run([stub]) { site async throws in
            var depots: [String] = []
            for try await page in site.api.lists.listDepots.pages() { depots += page.value }
            #expect(depots == ["/depots", "/depots?p=2"])
        }
    }

    @Test func anExtensionNamesTheURLOfTheNextPage() async throws {
        let stub = Stub(.get, "/events") { request in
            .json(text: request.query == nil ? #"{"links":{"next":"/events?after=1"}}"# : "{}")
        }
        try await DepotSite.run([stub]) { site async throws in
            for try await _ in site.api.lists.listEvents.pages() {}
            #expect(site.server.requests.map(\.target) == ["/events", "/events?after=1"])
        }
    }
}
#endif
