import HTTPTypes
import NetCore
import Testing

private let tenant = HTTPField.Name("X-Tenant")
private let keyName = HTTPField.Name("Idempotency-Key")

@Suite struct RequestBuilderTests {
    private func builder(
        _ base: String? = "https://api.example.com/v1?key=x", headers: HTTPFields = [:]
    ) throws -> RequestBuilder {
        RequestBuilder(
            baseURL: try base.map { try BaseURL($0) }, defaultHeaders: headers, coding: .standard)
    }

    private func request(
        _ path: Path, query: QueryItems = [], headers: HTTPFields = [:], body: RequestBody = .none,
        options: RequestOptions = RequestOptions()
    ) -> Request<Void> {
        Request(path, method: .post, query: query, headers: headers, body: body, options: options, serializer: .discard)
    }

    @Test(
        "Base path, version, path and both queries are joined",
        arguments: [
            ("https://h", "a", nil, "https://h/a"), ("https://h/", "a/", nil, "https://h/a/"),
            ("https://h/v1", "", nil, "https://h/v1"), ("https://h/graphql/", "", nil, "https://h/graphql/"),
            ("https://h/graphql/", "/", nil, "https://h/graphql/"), ("https://h/v/", "", "v2", "https://h/v/v2"),
            ("https://h", "", nil, "https://h/"),
            ("https://h/v1/", "/a", nil, "https://h/v1/a"), ("https://h/v1?k=1", "a", nil, "https://h/v1/a?k=1"),
            ("https://h/api", "a", "v2", "https://h/api/v2/a"),
            ("https://h/api", "a", "v 2/b", "https://h/api/v%202%2Fb/a"),
            ("https://h/api", "a", "/v2/", "https://h/api/v2/a"), ("https://h", "/a//b/", "v2", "https://h/v2/a//b/"),
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

    @Test func aClientWithoutABaseSendsItsFieldsEverywhere() throws {
        let builder = try builder(nil, headers: [tenant: "one", .authorization: "Bearer x"])
        let made = try builder.prepare(request("", options: RequestOptions(absoluteURL: "https://other.example/a")))
        #expect(made.head.headerFields[tenant] == "one")
        #expect(made.head.headerFields[.authorization] == "Bearer x")
    }

    @Test func aBodyOfNegativeLengthIsRefused() throws {
        let chunks = AsyncStream<Bytes> { $0.finish() }
        let builder = try builder()
        #expect(throws: NetError.self) { try builder.prepare(request("a", body: .stream(chunks, length: -5))) }
    }

    /// Digests, signatures and the detection of equal requests use the bytes.
    @Test func anObjectGivesTheSameBytesEachTime() throws {
        struct Order: Encodable, Sendable { let item = "a", count = 1, note = "b", price = 2, unit = "kg" }
        let bodies = try (0..<20).map { _ in
            let made = try builder().prepare(request("a", body: .json(Order())))
            guard case .bytes(let bytes) = made.body else { return "" }
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(Set(bodies) == [#"{"count":1,"item":"a","note":"b","price":2,"unit":"kg"}"#])
    }

    @Test func theSerializersAcceptIsSentOnlyWhereNobodySaidOne() throws {
        let json = Request<[String: Int]>("a")
        #expect(try builder().prepare(json).head.headerFields[.accept] == "application/json")
        #expect(try builder(headers: [.accept: "x/y"]).prepare(json).head.headerFields[.accept] == "x/y")
    }

    @Test func theIdempotencyKeyComesLast() throws {
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
        let made = try builder(headers: [tenant: "a\r\nEvil: 1"]).prepare(
            request("a", headers: [.accept: "b\nEvil: 2"], body: .bytes(Bytes(), contentType: "c\rEvil: 3")))
        for field in made.head.headerFields { #expect(!field.value.utf8.contains { $0 == 10 || $0 == 13 }) }
        #expect(HTTPField.Name("X: y\r\nEvil" as String) == nil)
        #expect(HTTPField.Name("" as String) == nil)
    }

    @Test(
        "Raw text that would break the request line is refused",
        arguments: [
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

    @Test("A version must be a segment", arguments: ["", ".", "..", "/", "/../"])
    func badVersion(version: String) throws {
        let builder = try builder()
        #expect(throws: NetError.self) {
            try builder.prepare(request("a", options: RequestOptions(apiVersion: version)))
        }
    }

    @Test func problemsAreThrownNotSent() throws {
        let (none, builder) = (try builder(nil), try builder())
        let literal = RequestBuilder(
            baseURL: "nonsense", defaultHeaders: [:], coding: .standard)
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

    @Test func theClientsFieldsStayWithItsOrigin() throws {
        let session = HTTPField.Name("X-Session-Token")
        let defaults: HTTPFields = [
            .authorization: "Bearer s", .cookie: "a=b", tenant: "t", session: "s", .userAgent: "u", .accept: "a/b",
            .acceptLanguage: "de",
        ]
        let builder = try builder(headers: defaults)
        func fields(_ options: RequestOptions, own: HTTPFields = [:]) throws -> HTTPFields {
            try builder.prepare(request("", headers: own, options: options)).head.headerFields
        }
        let others = ["https://other.example/", "http://api.example.com/", "https://api.example.com:8443/"]
        for other in others {
            var based = RequestOptions()
            based.baseURL = try BaseURL(other)
            for options in [RequestOptions(absoluteURL: other), based] {
                let made = try fields(options)
                #expect(Set(made.map(\.name)) == [.userAgent, .accept, .acceptLanguage])
                #expect(try fields(options, own: [session: "own"])[session] == "own")
                var trusting = options
                trusting.sendsCredentialsToOtherOrigins = true
                #expect(try Set(fields(trusting).map(\.name)) == Set(defaults.map(\.name)))
            }
        }
        var own = RequestOptions()
        own.baseURL = "https://API.example.com:443/v9"
        for options in [own, RequestOptions(absoluteURL: "https://API.example.com:443/x"), RequestOptions()] {
            #expect(try fields(options).count == defaults.count)
        }
    }

    @Test func aBaseURLOfTheRequestTakesThePlaceOfTheClients() throws {
        var options = RequestOptions(apiVersion: "v2")
        options.baseURL = "https://eu.example.com/api?region=eu"
        let made = try builder().prepare(request("a/\("b/c")", query: [QueryItem("q", 1)], options: options))
        #expect(made.url == "https://eu.example.com/api/v2/a/b%2Fc?region=eu&q=1")
        #expect(
            try builder(nil).prepare(request("a", options: options)).url == "https://eu.example.com/api/v2/a?region=eu")
        options.absoluteURL = "https://h/x"
        #expect(try builder().prepare(request("a", options: options)).url == "https://h/x")
        var bad = RequestOptions()
        bad.baseURL = "nonsense"
        let builder = try builder()
        let error = #expect(throws: NetError.self) { try builder.prepare(request("a", options: bad)) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("request's base URL") == true)
    }

    @Test("A method that has no body gets none", arguments: [HTTPRequest.Method.head, .trace])
    func noBody(method: HTTPRequest.Method) throws {
        let builder = try builder()
        let error = #expect(throws: NetError.self) {
            try builder.prepare(Request<Void>("a", method: method, body: .text("x")))
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains(method.rawValue) == true)
        #expect(try builder.prepare(Request<Void>("a", method: method)).bodyLength == 0)
    }

    @Test func aBodyMayImplyMoreThanItsType() throws {
        var implied: HTTPFields = [.contentEncoding: "x", tenant: "body", .contentType: "no/type"]
        implied.append(HTTPField(name: tenant, value: "body too"))
        let body = RequestBody { [implied] _ in
            .init(.bytes(Bytes("b".utf8)), contentType: "a/b", headers: implied)
        }
        let builder = try builder(headers: [tenant: "client", .contentEncoding: "client"])
        let made = try builder.prepare(request("a", body: body)).head.headerFields
        #expect(made[values: tenant] == ["body", "body too"])
        #expect(made[values: .contentEncoding] == ["x"])
        #expect(made[values: .contentType] == ["a/b"])
        let own = try builder.prepare(request("a", headers: [tenant: "own"], body: body)).head.headerFields
        #expect(own[values: tenant] == ["own"])
        #expect(own[.contentEncoding] == "x")
    }

    @Test func aCustomMethodKeepsItsCase() throws {
        let purge = try #require(HTTPRequest.Method("pUrGe"))
        let made = try builder().prepare(Request<Void>("a", method: purge, serializer: .discard))
        #expect(made.head.method.rawValue == "pUrGe")
        #expect(HTTPRequest.Method("GET /evil") == nil)
        #expect(HTTPRequest.Method("") == nil)
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

    @Test func noTunnelCanBeAskedFor() throws {
        let builder = try builder()
        let error = #expect(throws: NetError.self) {
            try builder.prepare(Request<Void>("a", method: .connect, serializer: .discard))
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("CONNECT") == true)
    }
}
