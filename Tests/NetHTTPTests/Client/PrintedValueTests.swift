#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

/// The text of printed responses and values.
@Suite(.timeLimit(.minutes(1))) struct PrintedValueTests {
    private struct User: Codable, Sendable { let name: String }

    @Test func aResponseShowsItsValueAndWhereItCameFrom() async throws {
        try await Fixture.run([Stub(.get, "/users/7", .json(User(name: "Ann")))]) { fixture in
            let response = try await fixture.client.response(
                Request<User>("users/7", query: [QueryItem("token", "geheim")]))
            let base = fixture.server.baseURL
            #expect(
                "\(response)"
                    == "HTTP/1.1 200 OK (GET \(base)/users/7?token=<redacted>, attempt 1): User(name: \"Ann\")")
            let metrics = try #require(response.metrics)
            let address = base.authority
            #expect(
                "\(metrics)".hasPrefix(
                    "HTTP/1.1, new connection to \(address), 0 B sent, 14 B received, first byte after"))
        }
    }

    @Test func aJSONValueIsPrintedAsJSONWithoutSecrets() {
        let value: JSONValue = ["b": [1, 2.5, true, nil], "a": "x/y", "password": "geheim"]
        #expect("\(value)" == #"{"a":"x/y","b":[1,2.5,true,null],"password":"<redacted>"}"#)
        #expect("\(JSONValue.null) \(JSONValue.string("text"))" == #"null "text""#)
    }
}
#endif
