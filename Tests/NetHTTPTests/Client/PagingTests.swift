#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct PagingTests {
    private struct Page: Codable, Sendable, Equatable {
        var items: [Int]
        var next: String?
    }

    private let request = Request<Page>("items", query: [QueryItem("q", "a b&c"), QueryItem("size", 2)])

    /// Returns five numbers, two per page, for every kind of paging.
    private static func respond(_ request: StubRequest) -> StubResponse {
        let number = request.queryValue("page").flatMap { Int($0) } ?? 1
        let start =
            request.queryValue("offset").flatMap { Int($0) } ?? request.queryValue("cursor").flatMap {
                Int($0.dropFirst(2))
            }
            ?? (number - 1) * 2
        let items = Array((start..<(start + 2)).prefix { $0 < 5 })
        let hasNext = start + 2 < 5
        let page = Page(items: items, next: hasNext ? "c&\(start + 2)" : nil)
        let response = StubResponse.json(page)
        guard hasNext else { return response }
        return response.header(
            .link,
            "</other>; rel=prev, <?q=a%20b%26c&page=\(number + 1)>; rel=\"x next\", <http://h/>; rel=next; anchor=\"#\""
        )
    }

    private func run(
        _ stubs: [Stub] = [Stub(.get, "/items") { PagingTests.respond($0) }],
        _ body: (Fixture) async throws -> Void
    ) async throws {
        try await Fixture.run(stubs, body)
    }

    private func all(_ client: HTTPClient, _ paging: Paging<Page>) async throws -> [Int] {
        var items: [Int] = []
        for try await page in client.pages(request, by: paging) { items += page.value.items }
        return items
    }

    @Test func everyWayOfPagingReadsThemAll() async throws {
        try await run { fixture in
            let ways: [(Paging<Page>, [String])] = [
                (.link(), ["q=a%20b%26c&size=2", "q=a%20b%26c&page=2", "q=a%20b%26c&page=3"]),
                (
                    .cursor(in: "cursor") { $0.next },
                    ["q=a%20b%26c&size=2", "q=a%20b%26c&size=2&cursor=c%262", "q=a%20b%26c&size=2&cursor=c%264"]
                ),
                (
                    .number(in: "page") { $0.items.count < 2 },
                    ["q=a%20b%26c&size=2", "q=a%20b%26c&size=2&page=2", "q=a%20b%26c&size=2&page=3"]
                ),
                (
                    .offset(in: "offset") { $0.items.count },
                    [
                        "q=a%20b%26c&size=2", "q=a%20b%26c&size=2&offset=2", "q=a%20b%26c&size=2&offset=4",
                        "q=a%20b%26c&size=2&offset=5",
                    ]
                ),
                (
                    .url { $0.next.map { "/items?cursor=c%26\($0.dropFirst(2))#top" } },
                    ["q=a%20b%26c&size=2", "cursor=c%262", "cursor=c%264"]
                ),
            ]
            var seen = 0
            for (paging, queries) in ways {
                let items = try await all(fixture.client, paging)
                #expect(items == [0, 1, 2, 3, 4])
                let requests = fixture.server.requests.dropFirst(seen)
                #expect(requests.map { String($0.target.drop { $0 != "?" }.dropFirst()) } == queries)
                seen += requests.count
            }
        }
    }

    @Test func aPageIsAskedForWhenItIsReadAndNotBefore() async throws {
        try await run { fixture in
            var iterator = fixture.client.pages(request, by: .link()).makeAsyncIterator()
            #expect(fixture.server.requests.isEmpty)
            let first = try await iterator.next()
            #expect(first?.value.items == [0, 1])
            #expect(first?.head.status == .ok)
            #expect(fixture.server.requests.count == 1)
        }
    }

    @Test func aLinkToAnotherOriginIsNotFollowed() async throws {
        try await Fixture.run([Stub(nil, "/items", StubResponse.json(Page(items: [])))]) { other in
            for link in [
                "<\(other.server.baseURL)/items>; rel=next", "<//elsewhere/items>; rel=next", "<ftp://h/>; rel=next",
            ] {
                let stub = Stub(.get, "/items", StubResponse.json(Page(items: [1])).header(.link, link))
                try await run([stub]) { fixture in
                    var withSecret = request
                    withSecret.headers.authorization = try .bearer("SECRET")
                    var iterator = fixture.client.pages(withSecret, by: .link()).makeAsyncIterator()
                    _ = try await iterator.next()
                    let error = await pagingError { _ = try await iterator.next() }
                    #expect(error?.code == .paging)
                    #expect(error?.message.contains("SECRET") == false)
                    let after = try await iterator.next()
                    #expect(after == nil)
                    #expect(fixture.server.requests.count == 1)
                }
            }
            #expect(other.server.requests.isEmpty)
        }
    }

    @Test func pagesInACircleAndPagesWithoutEndStop() async throws {
        let circle = Stub(
            .get, "/items", StubResponse.json(Page(items: [1])).header(.link, "</items?size=2&page=1>; rel=next"))
        try await run([circle]) { fixture in
            let error = await pagingError { _ = try await all(fixture.client, .link()) }
            #expect(error?.code == .paging)
            #expect(error?.message.contains("already read") == true)
            #expect(fixture.server.requests.count == 2)
        }
        try await run([Stub(.get, "/items", StubResponse.json(Page(items: [1])))]) { fixture in
            let pages = fixture.client.pages(request, by: .number(in: "page") { _ in false }, limit: 5)
            let error = await pagingError { for try await _ in pages {} }
            #expect(error?.code == .paging)
            #expect(error?.message.contains("5 pages") == true)
            #expect(fixture.server.requests.count == 5)
        }
    }

    @Test func aFailureEndsThePagesWithItsTypedError() async throws {
        let stubs = [
            Stub(.get, "/items") { PagingTests.respond($0) }.times(1),
            Stub(.get, "/items", .json(text: "{\"why\":\"enough\"}", status: .tooManyRequests)),
        ]
        try await run(stubs) { fixture in
            let rejectable = request.rejected(as: [String: String].self)
            var iterator = fixture.client.pages(rejectable, by: .link()).makeAsyncIterator()
            _ = try await iterator.next()
            do {
                _ = try await iterator.next()
                Issue.record("the second page is an error")
            } catch let error as APIError<[String: String]> {
                guard case .rejected(let why, _) = error else { throw error }
                #expect(why == ["why": "enough"])
            }
            let after = try await iterator.next()
            #expect(after == nil)
            #expect(fixture.client.unfinishedCalls == 0)
        }
    }

    private func pagingError(_ body: () async throws -> Void) async -> NetError? {
        do {
            try await body()
            return nil
        } catch {
            return NetError(error)
        }
    }
}
#endif
