import HTTPTypes
import NetCore
import Testing

private let tenant = HTTPField.Name("X-Tenant")
private let keyName = HTTPField.Name("Idempotency-Key")

@Suite struct RequestBuilderTests {
    private func builder(
        _ base: String? = "https://api.example.com/v1?key=x", headers: HTTPFields = [:],
        redaction: RedactionPolicy = .safeDefault
    ) throws -> RequestBuilder {
        RequestBuilder(
            baseURL: try base.map { try BaseURL($0) }, defaultHeaders: headers, coding: .standard, redaction: redaction)
    }

    private func request(
        _ path: Path, query: [QueryItem] = [], headers: HTTPFields = [:], body: RequestBody = .none,
        options: RequestOptions = RequestOptions()
    ) -> Request<Empty> {
        Request(path, method: .post, query: query, headers: headers, body: body, options: options, serializer: .discard)
    }

    @Test("Base path, version, path and both queries are joined", arguments: [
        ("https://h", "a", nil, "https://h/a"), ("https://h/", "a/", nil, "https://h/a/"),
        ("https://h/v1", "", nil, "https://h/v1"), ("https://h", "", nil, "https://h/"),
        ("https://h/v1/", "/a", nil, "https://h/v1/a"), ("https://h/v1?k=1", "a", nil, "https://h/v1/a?k=1"),
        ("https://h/api", "a", "v2", "https://h/api/v2/a"), ("https://h/api", "a", "v 2/b", "https://h/api/v%202%2Fb/a"),
        ("https://h/a%2Fb", "c", nil, "https://h/a%2Fb/c"),
    ])
    func joining(base: String, path: String, version: String?, url: String) throws {
        let made = try builder(base).prepare(request(Path(path), options: RequestOptions(apiVersion: version)))
        #expect(made.url == url)
    }

    @Test func theRequestsQueryFollowsTheBaseQuery() throws {
        let made = try builder().prepare(request("a", query: [QueryItem("q", "x y"), .flag("on")]))
        #expect(made.url == "https://api.example.com/v1/a?key=x&q=x%20y&on")
    }

    @Test func aLaterSourceReplacesAllFieldsOfItsName() throws {
        let tenant = try #require(tenant)
        var defaults: HTTPFields = [.accept: "a/b", .contentType: "client/type", tenant: "one"]
        defaults.append(HTTPField(name: tenant, value: "two"))
        let plain = try builder(headers: defaults).prepare(request("a", body: .text("x")))
        #expect(plain.head.headerFields[values: tenant] == ["one", "two"])
        #expect(plain.head.headerFields[.contentType] == "text/plain; charset=utf-8")
        var own: HTTPFields = [tenant: "three", .contentType: "own/type"]
        own.append(HTTPField(name: tenant, value: "four"))
        let made = try builder(headers: defaults).prepare(request("a", headers: own, body: .text("x")))
        #expect(made.head.headerFields[values: tenant] == ["three", "four"])
        #expect(made.head.headerFields[values: .contentType] == ["own/type"])
        #expect(made.head.headerFields[.accept] == "a/b")
    }

    @Test func theSerializersAcceptIsSentOnlyWhereNobodySaidOne() throws {
        let json = Request<[String: Int]>("a")
        #expect(try builder().prepare(json).head.headerFields[.accept] == "application/json")
        #expect(try builder(headers: [.accept: "x/y"]).prepare(json).head.headerFields[.accept] == "x/y")
    }

    @Test func theIdempotencyKeyComesLast() throws {
        let keyName = try #require(keyName)
        let options = RequestOptions(idempotencyKey: "k1")
        let made = try builder(headers: [keyName: "client"]).prepare(
            request("a", headers: [keyName: "own"], options: options))
        #expect(made.head.headerFields[values: keyName] == ["k1"])
    }

    @Test("A key that cannot be a field value is refused", arguments: ["a\r\nX: y", "a\nb", "", " ", "a\0", " a"])
    func badKey(key: String) throws {
        let builder = try builder()
        let error = #expect(throws: NetError.self) {
            try builder.prepare(request("a", options: RequestOptions(idempotencyKey: key)))
        }
        #expect(error?.code == .invalidRequest)
    }

    @Test func lineEndsInFieldsReachNobody() throws {
        let tenant = try #require(tenant)
        let made = try builder(headers: [tenant: "a\r\nEvil: 1"]).prepare(
            request("a", headers: [.accept: "b\nEvil: 2"], body: .bytes(Bytes(), contentType: "c\rEvil: 3")))
        for field in made.head.headerFields { #expect(!field.value.utf8.contains { $0 == 10 || $0 == 13 }) }
        #expect(HTTPField.Name("X: y\r\nEvil") == nil && HTTPField.Name("") == nil && HTTPField.Name("a b") == nil)
    }

    @Test("Raw text that would break the request line is refused", arguments: [
        "x y", "x\r\nHost: evil", "x#y", "é", "\0", "\u{7f}",
    ])
    func rawQuery(text: String) throws {
        let builder = try builder()
        let raw = request("a", query: [QueryItem("q", text, isEncoded: true)])
        #expect(throws: NetError.self) { try builder.prepare(raw) }
        var path = Path("a/")
        path.append(escaped: text)
        let broken = request(path)
        #expect(throws: NetError.self) { try builder.prepare(broken) }
    }

    @Test("A version must be a segment", arguments: ["", ".", ".."])
    func badVersion(version: String) throws {
        let builder = try builder()
        #expect(throws: NetError.self) {
            try builder.prepare(request("a", options: RequestOptions(apiVersion: version)))
        }
    }

    @Test func problemsAreThrownNotSent() throws {
        let (none, builder) = (try builder(nil), try builder())
        let literal = RequestBuilder(
            baseURL: "nonsense", defaultHeaders: [:], coding: .standard, redaction: .safeDefault)
        let cases: [(RequestBuilder, Path)] = [
            (none, "a"), (literal, "a"), (builder, "a/\("..")"), (builder, "a/\("")"),
        ]
        for (made, path) in cases {
            let declared = request(path)
            let error = #expect(throws: NetError.self) { try made.prepare(declared) }
            #expect(error?.code == .invalidRequest)
        }
    }

    @Test func anAbsoluteURLReplacesBaseVersionAndPathButKeepsTheQuery() throws {
        let options = RequestOptions(apiVersion: "v2", absoluteURL: "https://other.example/dir/?page=2#top")
        let made = try builder().prepare(request("a/\("..")", query: [QueryItem("q", 1)], options: options))
        #expect(made.url == "https://other.example/dir/?page=2&q=1")
        let bad = RequestOptions(absoluteURL: "https://u:p@other.example/")
        let builder = try builder()
        #expect(throws: NetError.self) { try builder.prepare(request("a", options: bad)) }
    }

    @Test("The client's credentials stay with its origin", arguments: [RedactionPolicy.safeDefault, .disabled])
    func crossOrigin(redaction: RedactionPolicy) throws {
        let tenant = try #require(tenant)
        let defaults: HTTPFields = [.authorization: "Bearer s", .cookie: "a=b", tenant: "t"]
        let builder = try builder(headers: defaults, redaction: redaction)
        func fields(_ url: String, own: HTTPFields = [:], sends: Bool = false) throws -> HTTPFields {
            var options = RequestOptions(absoluteURL: url)
            options.sendsCredentialsToOtherOrigins = sends
            return try builder.prepare(request("", headers: own, options: options)).head.headerFields
        }
        let others = ["https://other.example/", "http://api.example.com/", "https://api.example.com:8443/"]
        for other in others {
            let made = try fields(other)
            #expect(made[.authorization] == nil && made[.cookie] == nil && made[tenant] == "t")
            #expect(try fields(other, sends: true)[.authorization] == "Bearer s")
            #expect(try fields(other, own: [.authorization: "own"])[.authorization] == "own")
        }
        #expect(try fields("https://API.example.com:443/x")[.authorization] == "Bearer s")
    }

    @Test func aCustomMethodKeepsItsCase() throws {
        let purge = try #require(HTTPRequest.Method("pUrGe"))
        let made = try builder().prepare(Request<Empty>("a", method: purge, serializer: .discard))
        #expect(made.head.method.rawValue == "pUrGe")
        #expect(HTTPRequest.Method("GET /evil") == nil && HTTPRequest.Method("") == nil)
    }

    @Test func aTypedRequestAndAValueAreTheSameOnTheWire() throws {
        struct Typed: APIRequest {
            typealias Response = String
            var path: Path { "a" }
        }
        let (typed, value) = (try builder().prepare(Typed()), try builder().prepare(Request<String>("a")))
        #expect(typed.head == value.head)
        let text = try Request<String>("a").serializer.convert(
            ResponseHead(status: .ok), Bytes("plain".utf8), SerializationContext())
        #expect(text == "plain")
    }
}
