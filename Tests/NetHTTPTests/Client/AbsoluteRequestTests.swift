#if Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

/// Requests to absolute URLs, and requests in generic code: text, data and empty bodies are decoded as such.
@Suite(.timeLimit(.minutes(1))) struct AbsoluteRequestTests {
    private let stubs = [Stub(.get, "/hello", .text("hello")), Stub(.get, "/empty", .status(.noContent))]

    @Test func eachResponseIsReadByItsType() async throws {
        try await Fixture.run(stubs) { fixture in
            let url = "\(fixture.server.baseURL)/hello"
            let client = HTTPClient(configuration: .init())
            #expect(try await client.send(Request<String>(url: url)) == "hello")
            #expect(try await client.send(Request<Data>(url: url)) == Data("hello".utf8))
            #expect(try await client.send(Request<Bytes>(url: url)) == Bytes("hello".utf8))
            #expect(try await client.send(Request<ResponseBody>(url: url)).collect(upTo: 9) == Bytes("hello".utf8))
            try await client.send(Request<Void>(url: "\(fixture.server.baseURL)/empty"))
            await client.shutdown()
        }
    }

    private struct Get<Value: Decodable & Sendable>: APIRequest {
        typealias Response = Value
        let path: Path
    }

    private func value<Response: Decodable & Sendable>(_ path: Path, _ client: HTTPClient) async throws -> [Response] {
        [try await client.send(Get<Response>(path: path)), try await client.send(Request<Response>(path))]
    }

    @Test func genericCodeReadsThemAlike() async throws {
        try await Fixture.run(stubs) { fixture in
            let text: [String] = try await value("hello", fixture.client)
            #expect(text == ["hello", "hello"])
        }
    }

    @Test func aRejectionIsReadByItsTypeToo() async throws {
        try await Fixture.run([Stub(.get, "/no", .text("go away", status: .forbidden))]) { fixture in
            do {
                try await fixture.client.send(Request<Void>("no").rejected(as: String.self))
                Issue.record("it was not rejected")
            } catch let error as APIError<String> {
                guard case .rejected(let text, _) = error else { throw error }
                #expect(text == "go away")
            }
        }
    }

    /// The client's redaction applies wherever a request or a response is printed.
    @Test func theClientsRedactionHoldsForWhatIsPrinted() async throws {
        try await Fixture.run(stubs) { fixture in
            var redaction = RedactionPolicy.safeDefault
            redaction.queryNames.insert("sid")
            let client = HTTPClient(baseURL: fixture.server.baseURL) { $0.redaction = redaction }
            let request = Request<String>("hello", query: [QueryItem("sid", "s3cret")])
            let prepared = try client.prepare(request)
            let response = try await client.response(request)
            for shown in ["\(prepared)", prepared.curl(), "\(response)", String(reflecting: response)] {
                #expect(!shown.contains("s3cret"))
            }
            #expect(response.url?.contains("s3cret") == true)
            await client.shutdown()
        }
    }
}
#endif
