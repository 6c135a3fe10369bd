import NetCore
@_spi(Generated) import NetOpenAPIRuntime
import NetTesting
import Testing

/// The forms of calling an operation of a generated client.
@Suite struct CallTests {
    private struct GetUser: APIRequest, Equatable {
        typealias Response = String
        var id = 1
        var path: Path { "users/\(id)" }
    }

    private let client = MockClient(over: nil)

    @Test func itIsCalledLikeAFunction() async throws {
        client.on(GetUser.self) { "user \($0.id) \($0.options.priority.rawValue)" }
        let getUser = Call<GetUser>(client)
        #expect(try await getUser(GetUser(id: 7)) == "user 7 0")
        #expect(try await getUser.response(GetUser(id: 8)).value == "user 8 0")
        let orDefault = DefaultCall(client, GetUser())
        #expect(try await orDefault() == "user 1 0")
        #expect(try await orDefault(GetUser(id: 3)) == "user 3 0")
        #expect(client.received(GetUser.self).map(\.id) == [7, 8, 1, 3])
    }

    @Test func optionsOfOneCallAreSetByAClosure() async throws {
        let seen = SeenClient()
        let getUser = Call<GetUser>(seen)
        let prepared = try getUser.prepare(GetUser(id: 7)) { $0.timeouts = .total(.seconds(5)) }
        #expect(prepared.options.timeouts?.total == .seconds(5))
        #expect(prepared.url == "https://h.test/users/7")
        #expect(try getUser.prepare(GetUser(id: 7)).options.timeouts == nil)
        let orDefault = DefaultCall(seen, GetUser())
        let fresh = try orDefault.prepare { $0.cachePolicy = .reload }
        #expect(fresh.options.cachePolicy == .reload)
        #expect(fresh.url == "https://h.test/users/1")
    }

    @Test func bytesAndStreamsAreCalledToo() async throws {
        client.onBytes(GetUser.self) { request in
            StreamedResponse(head: ResponseHead(status: .ok), body: ResponseBody(Bytes("\(request.id)".utf8)))
        }
        let getUser = Call<GetUser>(client)
        #expect(try await getUser.raw(GetUser(id: 7)).value == Bytes("7".utf8))
        let streamed = try await getUser.stream(GetUser(id: 8)) { $0.priority = .high }
        #expect(try await streamed.text() == "8")
        let orDefault = DefaultCall(client, GetUser())
        #expect(try await orDefault.stream().text() == "1")
        #expect(try await orDefault.raw { $0.priority = .low }.status == .ok)
    }

    @Test func pagesBeginWithTheRequest() async throws {
        client.on(GetUser.self) { "user \($0.id)" }
        var pages: [String] = []
        let paging = Paging<String> { _, _ in .end }
        for try await page in Call<GetUser>(client).pages(GetUser(id: 4), by: paging) { pages.append(page.value) }
        for try await page in DefaultCall(client, GetUser()).pages(by: paging) { pages.append(page.value) }
        #expect(pages == ["user 4", "user 1"])
    }
}

/// A client that only prepares requests.
private struct SeenClient: APIClient {
    private let builder = RequestBuilder(baseURL: "https://h.test", defaultHeaders: [:], coding: .standard)
    private let mock = MockClient()

    func prepare<R: APIRequest>(_ request: R) throws(NetError) -> PreparedRequest { try builder.prepare(request) }
    func response<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> Response<R.Response> {
        try await mock.response(request)
    }
    func response<R: APIRequest>(
        _ request: R, as prepared: PreparedRequest
    ) async throws(APIError<R.Failure>) -> Response<R.Response> { try await mock.response(request, as: prepared) }
    func stream<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> StreamedResponse {
        try await mock.stream(request)
    }
    func raw<R: APIRequest>(_ request: R) async throws(NetError) -> Response<Bytes> { try await mock.raw(request) }
}
