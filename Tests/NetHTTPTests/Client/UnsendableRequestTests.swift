#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetCore
import NetHTTP
import NetTestServer
import NetTesting
import Testing

/// Requests that would wait for a response in vain are rejected before a connection is made, including those that
/// became so only through a middleware.
@Suite(.timeLimit(.minutes(1))) struct UnsendableRequestTests {
    private struct Change: Middleware {
        let method: HTTPRequest.Method

        func intercept(
            _ request: PreparedRequest, context: CallContext, next: Next
        ) async throws -> StreamedResponse {
            var request = request
            request.head.method = method
            return try await next(request, context)
        }
    }

    private func refusal(
        _ method: HTTPRequest.Method, _ body: RequestBody, over wire: Wire
    ) async throws -> NetError {
        try await Fixture.run([.echo()], over: wire, with: .client { $0.middleware = [Change(method: method)] }) {
            fixture in
            let error = try await failure {
                try await fixture.client.send(Request<Bytes>("echo", method: .post, body: body, serializer: .bytes))
            }
            #expect(error.code == .unsupported, "\(error)")
            #expect(error.phase == .preparing, "\(error)")
            #expect(fixture.server.requests.isEmpty)
            return error
        }
    }

    @Test(arguments: Wire.allCases) func aHeadHasNoBody(wire: Wire) async throws {
        let chunks = AsyncStream<Bytes> { $0.finish() }
        for body in [RequestBody.text("a"), .stream(chunks)] {
            #expect(try await refusal(.head, body, over: wire).message.contains("HEAD"))
        }
    }

    @Test(arguments: Wire.allCases) func aTunnelIsNoRequest(wire: Wire) async throws {
        #expect(try await refusal(.connect, .none, over: wire).message.contains("proxy"))
    }

    @Test func preparationErrorsIdentifyTheRequest() async throws {
        let client = HTTPClient(baseURL: "https://h.test", transport: .mock())
        var request = Request<Bytes>(
            "users/7", method: .connect, query: [QueryItem("token", "SECRET")], serializer: .bytes)
        request.options.metadata.name = "friends"
        let (made, text) = (request, "(CONNECT users/7?token=<redacted>, friends, attempt 1)")
        let failed = try await failure { try await client.send(made) }
        #expect(failed.description.contains(text.dropLast() + ", after "), "\(failed)")
        let error = #expect(throws: NetError.self) { try client.prepare(made) }
        #expect(error?.description.hasSuffix(text) == true)
    }
}
#endif
