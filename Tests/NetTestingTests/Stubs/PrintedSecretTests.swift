import HTTPTypes
import NetCore
import NetTesting
import Testing

/// A test's printed requests and stubs contain no secrets, however they are printed.
struct PrintedSecretTests {
    private static func printed(_ value: some Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        return "\(value) \(String(describing: value)) \(String(reflecting: value)) \([value]) \(dumped)"
    }

    private static let json = StubRequest(
        method: .post, target: "/login?api_key=PLANTED-1&page=2", authority: "api.test",
        headers: [.authorization: "Bearer PLANTED-2", .cookie: "s=PLANTED-3", .contentType: "application/json"],
        body: Bytes(#"{"password":"PLANTED-4","user":"ada"}"#.utf8), parameters: ["token": "PLANTED-5", "id": "7"])
    private static let form = StubRequest(
        method: .post, target: "/form", headers: [.contentType: "application/x-www-form-urlencoded"],
        body: Bytes("client_secret=PLANTED-6&user=ada".utf8))
    private static let multipart = StubRequest(
        method: .post, target: "/photo", headers: [.contentType: "multipart/form-data; boundary=b"],
        body: Bytes("--b\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\nPLANTED-7\r\n--b--".utf8))
    private static let text = StubRequest(
        method: .put, target: "/note", headers: [.contentType: "text/plain"], body: Bytes("PLANTED-8".utf8))

    @Test func aRequestIsPrintedWithoutSecrets() {
        for request in [Self.json, Self.form, Self.multipart, Self.text] {
            #expect(!Self.printed(request).contains("PLANTED"), "\(request.target)")
        }
        #expect(
            Self.json.description == "POST /login?api_key=<redacted>&page=2 [Authorization: <redacted>, "
                + "Cookie: <redacted>, Content-Type: application/json], "
                + #"37 bytes: "{\"password\":\"<redacted>\",\"user\":\"ada\"}""#)
        #expect(Self.form.description.contains("user=ada"))
        #expect(Self.text.description.hasSuffix("9 bytes"))
        // Code can access the values.
        #expect(Self.json.queryValue("api_key") == "PLANTED-1")
        #expect(Self.json.parameters["token"] == "PLANTED-5")
    }

    @Test func theJournalAndWhatItsChecksSayHoldNoSecret() async throws {
        let transport = MockTransport([Stub(.post, "/login", .status(.ok)).query("api_key", "PLANTED-9").times(2)])
        for path in ["/login?api_key=PLANTED-9", "/logins?api_key=PLANTED-10"] {
            let request = PreparedRequest(
                head: HTTPRequest(
                    method: .post, scheme: "http", authority: "api.test", path: path,
                    headerFields: Self.json.headers), body: .bytes(Self.json.body))
            let context = CallContext(
                for: request, delivery: .collected(upTo: 1000), timeouts: Timeouts(),
                environment: CallContext.Environment(clock: TestClock().netClock))
            _ = try? await transport.execute(request, context: context)
        }
        #expect(transport.journal.requests.count == 2)
        let unused = #expect(throws: UnusedStubs.self) { try transport.verify() }
        let often = #expect(throws: UnmetExpectation.self) { try transport.expectReceived(.post, "/login", times: 2) }
        let never = #expect(throws: UnmetExpectation.self) { try transport.expectReceived(.get, "/login") }
        for text in [
            Self.printed(transport.journal), Self.printed(unused as Any), Self.printed(often as Any),
            Self.printed(never as Any), Self.printed(transport.stubUses),
        ] {
            #expect(!text.contains("PLANTED"))
            #expect(!text.isEmpty)
        }
        #expect(transport.journal.description.contains("page") == false)
    }

    @Test func anEchoIsPrintedWithoutSecrets() async throws {
        let transport = MockTransport([.echo("/{path*}")])
        let request = PreparedRequest(
            head: HTTPRequest(
                method: .post, scheme: "http", authority: "api.test", path: Self.json.target,
                headerFields: Self.json.headers), body: .bytes(Self.json.body))
        let context = CallContext(
            for: request, delivery: .collected(upTo: 1 << 16), timeouts: Timeouts(),
            environment: CallContext.Environment(clock: TestClock().netClock))
        let body = try await transport.execute(request, context: context).body.collect(upTo: 1 << 16)
        let echoed = try JSONCoding.standard.decode(EchoedRequest.self, from: body)
        #expect(echoed.headers.contains { $0.value == "Bearer PLANTED-2" })
        #expect(!Self.printed(echoed).contains("PLANTED"))
        #expect(echoed.description.contains("POST /login"))
    }
}
