import HTTPTypes
import NetCore
import NetTesting
import Testing

private struct Problem: Decodable, Sendable, Equatable { let title: String }

private struct Create: APIRequest {
    typealias Response = [String: Int]
    let path: Path = "stock"
    let method = HTTPRequest.Method.post
    var headers: HTTPFields { [.te: "x"] }
    var query: QueryItems { QueryItem("q", 1) }
    var body: RequestBody { .text("b") }
    var options: RequestOptions { RequestOptions(idempotencyKey: "k") }
}

@Suite struct RejectableRequestTests {
    private let builder = RequestBuilder(
        baseURL: "https://h", defaultHeaders: [:], coding: .standard)

    @Test func theWireSeesNoDifference() throws {
        let plain = try builder.prepare(Create())
        let typed = try builder.prepare(Create().rejected(as: Problem.self))
        #expect(typed.head == plain.head)
        #expect(typed.url == plain.url)
        #expect(typed.options.idempotencyKey == "k")
    }

    @Test func theFailureIsReadWithTheGivenSerializer() throws {
        let request = Create().rejected(as: Problem.self)
        let body = Bytes(#"{"title":"no"}"#.utf8)
        let head = ResponseHead(status: .unprocessableContent)
        let read = try request.failureSerializer?.convert(head, body, SerializationContext())
        #expect(read == Problem(title: "no"))
        let text = try Create().rejected(with: .string).failureSerializer?.convert(head, body, SerializationContext())
        #expect(text == #"{"title":"no"}"#)
    }
}
