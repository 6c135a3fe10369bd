import HTTPTypes
import NetHTTP
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport

/// The changes made by one request, and the end of a client.
@Suite(.timeLimit(.minutes(1))) struct ClientPartsTests {
    @Test func theActivityEndsWithTheClient() async throws {
        let client = HTTPClient(baseURL: "http://mock.test", transport: MockTransport([Stub(.get, "/x", .text("ok"))]))
        let events = client.activity
        try await client.send(Request<String>("x", serializer: .string))
        await client.shutdown()
        var count = 0
        for await _ in events { count += 1 }
        #expect(count > 0)
    }

    @Test func aRequestMayHaveRulesForRedirectsOfItsOwn() async throws {
        let transport = MockTransport([
            Stub(.get, "/x", .status(.found).header(.location, "/y")), Stub(.get, "/y", .text("ok")),
        ])
        let client = HTTPClient(baseURL: "http://mock.test", transport: transport)
        var request = Request<String>("x", serializer: .string)
        #expect(try await client.send(request) == "ok")
        request.options.redirects = .manual
        request.options.validation = .any
        #expect(try await client.response(request).head.status == .found)
    }
}
