import NetCore
import NetTesting
import Testing

@Suite struct ConfiguredRequestTests {
    private struct Problem: Decodable, Sendable, Equatable { let title: String }

    private struct GetUser: APIRequest, Equatable {
        typealias Response = String
        typealias Failure = Problem
        let id: Int
        var path: Path { "users/\(id)" }
        var query: QueryItems { ["full": true] }
        var options: RequestOptions { RequestOptions(idempotencyKey: "k") }
    }

    @Test func onlyTheOptionsDiffer() throws {
        let request = GetUser(id: 7).with {
            $0.timeouts = .total(.seconds(5))
            $0.cachePolicy = .reload
            $0.priority = .high
        }
        let builder = RequestBuilder(baseURL: "https://h.test", defaultHeaders: [:], coding: .standard)
        let prepared = try builder.prepare(request)
        #expect(prepared.url == "https://h.test/users/7?full=true")
        #expect(request.base == GetUser(id: 7))
        #expect(prepared.options.timeouts?.total == .seconds(5))
        #expect(prepared.options.idempotencyKey == "k")
        #expect(prepared.options.cachePolicy == .reload)
        #expect(prepared.options.priority == .high)
    }

    @Test func aMockAnswersItLikeTheRequestThatItWraps() async throws {
        let client = MockClient()
        client.on(GetUser.self) { "user \($0.id)" }
        client.on(GetUser(id: 8), return: "Ada")
        #expect(try await client.send(GetUser(id: 7).with { $0.priority = .high }) == "user 7")
        #expect(try await client.send(GetUser(id: 8).with { $0.priority = .high }) == "Ada")
        #expect(client.received(GetUser.self).map(\.id) == [7, 8])
    }
}
