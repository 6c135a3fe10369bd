import HTTPTypes
import NetTesting
import TestSupport
import Testing

@testable import NetCore

/// Secrets planted in every part of a call don't appear in a captured attempt.
@Suite(.timeLimit(.minutes(1)))
struct CapturedSecretTests {
    private static let multipart = """
        --b\r
        Content-Disposition: form-data; name="password"\r
        \r
        PLANTED-part\r
        --b\r
        Content-Disposition: form-data; name="profile"; filename="a.json"\r
        Content-Type: application/json\r
        \r
        {"token":"PLANTED-file"}\r
        --b--\r

        """

    private static let bodies = [
        ("application/json", #"{"password":"PLANTED","a":{"api_key":["PLANTED"]},"url":"https://h/?token=PLANTED"}"#),
        ("application/json", #"{"text":"{\"secret\":\"PLANTED\"}","otp":12345}"#),
        ("application/x-www-form-urlencoded", "user=ada&pass%77ord=PLANTED&next=%2Fx%3Ftoken%3DPLANTED"),
        ("multipart/form-data; boundary=b", multipart),
        ("application/xml", #"<login token="PLANTED"><password>PLANTED</password></login>"#),
        ("text/event-stream", "data: {\"token\":\"PLANTED\"}\n\n"),
        ("application/x-ndjson", "{\"token\":\"PLANTED\"}\n{\"token\":\"PLANTED\"}\n"),
        ("text/plain", #"{"client_secret":"PLANTED"}"#),
    ]

    private static func marking() -> RedactionPolicy {
        var policy = RedactionPolicy.safeDefault
        policy.markKey = .process
        return policy
    }

    private func captured(
        _ type: String, _ text: String, limit: Int, _ policy: RedactionPolicy
    ) async throws -> CapturedExchange {
        let log = CaptureLog(limits: CaptureLimits(bodyBytes: limit))
        let answer = StubResponse(body: .chunks([StubChunk(text)]), trailers: ["X-Auth-Token": "PLANTED"])
            .header(.contentType, type).header(.setCookie, "session=PLANTED; Path=/")
            .header(.location, "https://ada:PLANTED@h/next?code=PLANTED")
        let call = CapturedCall(
            "/a;token=PLANTED?api_key=PLANTED&page=2", method: .post,
            headers: [
                .authorization: "Bearer PLANTED", .cookie: "session=PLANTED", .contentType: type,
                .referer: "https://h/?access_token=PLANTED",
            ], body: .bytes(Bytes(text.utf8)), redaction: policy, to: log)
        try await call.read(MockTransport([Stub(.post, "/{rest*}", answer)]))
        return try #require(log.exchanges.first)
    }

    @Test(arguments: bodies) func theyAreInNoPartOfIt(_ type: String, _ text: String) async throws {
        for policy in [RedactionPolicy.safeDefault, Self.marking()] {
            let exchange = try await captured(type, text, limit: 10_000, policy)
            #expect(
                !exchange.everything.contains("PLANTED"),
                "\(exchange.everything)")
            #expect(
                !exchange.everything.contains("12345"),
                "\(exchange.everything)")
            #expect(exchange.everything.contains("page=2"))
            #expect(exchange.response?.headers[.setCookie] != nil)
            #expect(exchange.request.body.keptCount > 0)
            #expect(exchange.response?.body.keptCount ?? 0 > 0)
            #expect(exchange.response?.trailers?.first?.value.hasPrefix("<redacted") == true)
        }
    }

    /// Cut at each position: not even the beginning of a secret is shown.
    @Test(arguments: bodies) func whereABodyIsCutNoPartOfASecretIsShown(_ type: String, _ text: String) async throws {
        for limit in 1..<text.utf8.count {
            let exchange = try await captured(type, text, limit: limit, .safeDefault)
            #expect(!exchange.everything.contains("PLA"), "cut at \(limit): \(exchange.everything)")
        }
    }

    @Test func thePolicyOfTheCallCounts() async throws {
        let log = CaptureLog()
        var policy = RedactionPolicy.safeDefault
        policy.queryNames.insert("invitation")
        try await CapturedCall("/x?invitation=PLANTED", redaction: policy, to: log).read(
            MockTransport { _, _ in .text("") })
        try await CapturedCall("/x?token=shown", redaction: .disabled, to: log).read(
            MockTransport { _, _ in .text("") })
        #expect(log.exchanges.map(\.request.url) == ["https://h/x?invitation=<redacted>", "https://h/x?token=shown"])
    }
}
