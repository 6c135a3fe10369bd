import HTTPTypes
import NetHTTP
import NetTesting
import Testing

private struct GetUser: APIRequest, Equatable {
    struct Response: Decodable, Sendable, Equatable { var name: String }
    struct Failure: Decodable, Sendable, Equatable { var reason: String }
    var id: Int
    var path: Path { "users/\(id)" }
}

private struct ListUsers: APIRequest {
    typealias Response = [String]
    var path: Path { "users" }
}

/// Code under test: it doesn't know which client it uses.
private struct Directory {
    let client: any APIClient
    func name(_ id: Int) async throws -> String { try await client.send(GetUser(id: id)).name }
}

@Suite(.timeLimit(.minutes(1)))
struct MockClientTests {
    private let ada = GetUser.Response(name: "Ada")

    @Test func aRequestIsAnsweredByItsTypeWithAValueThatIsOnlyDecodable() async throws {
        let client = MockClient()
        client.on(GetUser.self) { GetUser.Response(name: "user \($0.id)") }
        let name = try await Directory(client: client).name(7)
        #expect(name == "user 7")
        #expect(client.received(GetUser.self) == [GetUser(id: 7)])
        #expect(client.received(ListUsers.self).isEmpty)
    }

    @Test func aWholeValueGoesBeforeItsTypeAndTheNewestBeforeTheOlder() async throws {
        let client = MockClient()
        client.on(GetUser(id: 7), return: GetUser.Response(name: "old"))
        client.on(GetUser(id: 7), return: ada)
        client.on(GetUser.self, return: GetUser.Response(name: "any"))
        let directory = Directory(client: client)
        let names = try await [directory.name(7), directory.name(8)]
        #expect(names == ["Ada", "any"])
    }

    @Test func typedFailuresAndErrorsArriveAsTheyAre() async throws {
        let client = MockClient()
        let head = ResponseHead(status: .notFound)
        client.on(GetUser.self, throw: .rejected(.init(reason: "gone"), RejectedResponse(head: head)))
        let rejected = await #expect(throws: APIError<GetUser.Failure>.self) { try await client.send(GetUser(id: 1)) }
        guard case .rejected(let failure, _) = rejected else {
            Issue.record("it is \(String(describing: rejected))")
            return
        }
        #expect(failure.reason == "gone")

        struct Odd: Error {}
        client.on(GetUser.self) { _ in throw Odd() }
        let odd = await #expect(throws: APIError<GetUser.Failure>.self) { try await client.send(GetUser(id: 1)) }
        #expect(odd?.netError?.code == .unknown)
        #expect(odd?.netError?.underlying is Odd)
        client.on(GetUser.self) { _ in throw NetError(.dns, phase: .resolving, message: "no such host") }
        let dns = await #expect(throws: APIError<GetUser.Failure>.self) { try await client.send(GetUser(id: 1)) }
        #expect(dns?.netError?.code == .dns)
        client.on(GetUser.self) { _ in throw CancellationError() }
        let cancelled = await #expect(throws: APIError<GetUser.Failure>.self) { try await client.send(GetUser(id: 1)) }
        #expect(cancelled?.netError?.isCancellation == true)
    }

    @Test func unmockedRequestsFailWithAnExplanation() async {
        let client = MockClient()
        let none = await #expect(throws: APIError<Never>.self) { try await client.send(ListUsers()) }
        #expect(
            none?.netError?.message == "the mock has no response for ListUsers; add client.on(ListUsers.self) { … }"
        )
        client.on(GetUser(id: 7), return: ada)
        let other = await #expect(throws: APIError<GetUser.Failure>.self) { try await client.send(GetUser(id: 8)) }
        #expect(other?.netError?.message == "the mock has no response for this GetUser, only for other values of it")
        #expect(other?.netError?.url == "users/8")
        let stream = await #expect(throws: APIError<Never>.self) { try await client.stream(ListUsers()) }
        #expect(stream?.netError?.code == .unsupported)
    }

    @Test func bytesAreAnsweredRawAndStreamed() async throws {
        let client = MockClient()
        client.onBytes(GetUser.self) { request in
            let status: HTTPResponse.Status = request.id == 0 ? .internalServerError : .ok
            return StreamedResponse(head: ResponseHead(status: status), body: ResponseBody(Bytes("\(request.id)".utf8)))
        }
        let any: any APIClient = client
        let raw = try await any.raw(GetUser(id: 0))
        #expect(raw.status.code == 500)
        #expect(raw.value == Bytes("0".utf8))
        let body = try await any.stream(GetUser(id: 7)).body.collect(upTo: 9)
        #expect(body == Bytes("7".utf8))
        let refused = await #expect(throws: APIError<GetUser.Failure>.self) { try await any.stream(GetUser(id: 0)) }
        #expect(refused?.netError?.code == .unacceptableStatus)
        #expect(refused?.netError?.status == 500)
        #expect(client.received(GetUser.self).map(\.id) == [0, 7, 0])
        let none = await #expect(throws: NetError.self) { try await any.raw(ListUsers()) }
        #expect(none?.code == .unsupported)
        #expect(none?.message.contains("onBytes(ListUsers.self)") == true)
        client.onBytes(ListUsers.self) { _ in throw CancellationError() }
        let cancelled = await #expect(throws: NetError.self) { try await any.raw(ListUsers()) }
        #expect(cancelled?.code == .cancelled)
    }

    @Test func aRequestIsPreparedAsTheClientBehindItWould() throws {
        let alone: any APIClient = MockClient()
        #expect(try alone.prepare(GetUser(id: 7)).url == "http://mock.test/users/7")
        let behind = HTTPClient(baseURL: "https://api.example.com/v1", transport: .mock())
        let client: any APIClient = MockClient(over: behind)
        #expect(try client.prepare(GetUser(id: 7)).url == "https://api.example.com/v1/users/7")
    }

    @Test func anErrorOfTheRequestIsThatOfItsBytesToo() async throws {
        let client = MockClient()
        client.onBytes(ListUsers.self) { _ in
            throw APIError<Never>.failed(NetError(.timeout, phase: .waiting, message: "slow"))
        }
        let raw = await #expect(throws: NetError.self) { try await client.raw(ListUsers()) }
        #expect(raw?.code == .timeout)
        let streamed = await #expect(throws: APIError<Never>.self) { try await client.stream(ListUsers()) }
        #expect(streamed?.netError?.code == .timeout)
    }

    @Test func theRestGoesToTheClientBehindIt() async throws {
        let behind = HTTPClient(
            baseURL: "http://mock.test",
            transport: .mock(Stub(.get, "/users", .json(["Grace"])), Stub(.get, "/users/{id}", .json(["name": "real"])))
        )
        let client = MockClient(over: behind)
        client.on(GetUser(id: 7), return: ada)
        let directory = Directory(client: client)
        let names = try await [directory.name(7), directory.name(8)]
        #expect(names == ["Ada", "real"])
        let list = try await client.send(ListUsers())
        #expect(list == ["Grace"])
        let raw = try await client.raw(ListUsers())
        #expect(raw.value == Bytes(#"["Grace"]"#.utf8))
        let streamed = try await client.stream(ListUsers()).body.collect(upTo: 100)
        #expect(streamed == Bytes(#"["Grace"]"#.utf8))
    }

    /// Each page is a prepared request, sent as the request made by the code under test.
    @Test func pagesAreAnsweredByTheirRequestOrReadFromTheClientBehind() async throws {
        let next = StubResponse.json(["Grace"]).header(.link, "</users?page=2>; rel=next")
        let behind = HTTPClient(
            baseURL: "http://mock.test",
            transport: .mock(Stub(.get, "/users") { $0.queryValue("page") == nil ? next : .json(["Mary"]) }))
        let client = MockClient(over: behind)
        var names: [String] = []
        for try await page in client.pages(ListUsers(), by: .link()) { names += page.value }
        #expect(names == ["Grace", "Mary"])
        client.on(ListUsers.self) { _ in ["Ada"] }
        let prepared = try client.prepare(ListUsers())
        #expect(try await client.response(ListUsers(), as: prepared).value == ["Ada"])
        #expect(client.received(ListUsers.self).count == 3)
        let alone = await #expect(throws: APIError<Never>.self) {
            try await MockClient().response(ListUsers(), as: prepared)
        }
        #expect(alone?.netError?.message.contains("ListUsers") == true)
    }
}
