import HTTPTypes
import NetCore
@_spi(Generated) import NetOpenAPIRuntime
import Testing

@Suite struct OperationServerTests {
    private func url(
        _ server: OperationServer?, base: BaseURL? = "https://api.example.com/v1",
        _ change: (inout RequestBuilder, inout RequestOptions) -> Void = { _, _ in }
    ) throws(NetError) -> String {
        var builder = RequestBuilder(baseURL: base, defaultHeaders: [:], coding: .standard)
        var options = RequestOptions.operation("op", server: server)
        change(&builder, &options)
        return try builder.prepare(Request<String>("a/b", query: [QueryItem("q", 1)], options: options)).url
    }

    @Test(
        "The path is joined to the server, which may be relative to the base URL",
        arguments: [
            ("https://files.example.com", "https://files.example.com/a/b?q=1"),
            ("http://files.example.com:8080/x/", "http://files.example.com:8080/x/a/b?q=1"),
            ("/v2", "https://api.example.com/v2/a/b?q=1"), ("/", "https://api.example.com/a/b?q=1"),
            ("v2", "https://api.example.com/v2/a/b?q=1"), (".", "https://api.example.com/a/b?q=1"),
            ("", "https://api.example.com/v1/a/b?q=1"),
            ("//files.example.com/y", "https://files.example.com/y/a/b?q=1"),
            ("https://files.example.com?k=v", "https://files.example.com/a/b?k=v&q=1"),
        ])
    func joining(server: String, expected: String) throws {
        #expect(try url(OperationServer(server)) == expected)
    }

    @Test func theQueryOfTheBaseURLStaysWithItsOrigin() throws {
        let base: BaseURL = "https://api.example.com/v1?key=k"
        #expect(try url("/v2", base: base) == "https://api.example.com/v2/a/b?key=k&q=1")
        #expect(try url("https://API.example.com:443/v2?x=1", base: base).hasSuffix("/v2/a/b?x=1&key=k&q=1"))
        #expect(try url("https://other.example.com", base: base) == "https://other.example.com/a/b?q=1")
        let trusted = OperationServer("https://other.example.com").sendingCredentials()
        #expect(try url(trusted, base: base) == "https://other.example.com/a/b?key=k&q=1")
    }

    @Test func aURLOfTheRequestCountsMore() throws {
        let server: OperationServer = "https://files.example.com"
        #expect(try url(server) { $1.baseURL = "https://mine.example.com" } == "https://mine.example.com/a/b?q=1")
        #expect(try url(server) { $1.absoluteURL = "https://mine.example.com/x" } == "https://mine.example.com/x?q=1")
        #expect(try url(server) { $1.apiVersion = "v3" } == "https://files.example.com/v3/a/b?q=1")
    }

    @Test func theClientChooses() throws {
        let server: OperationServer = "https://files.example.com/v1"
        #expect(try url(server) { builder, _ in builder.operationServers = .baseURL } == url(nil))
        let table: [OperationServer: OperationServer] = ["https://files.example.com/v1/": "/files"]
        #expect(
            try url(server) { builder, _ in builder.operationServers = .replacing(table) }
                == "https://api.example.com/files/a/b?q=1")
        #expect(
            try url("https://files.example.com/v2") { builder, _ in builder.operationServers = .replacing(table) }
                == "https://files.example.com/v2/a/b?q=1")
        #expect(
            try url(server) { builder, _ in builder.operationServers = OperationServers { _ in "http://localhost:1" } }
                == "http://localhost:1/a/b?q=1")
    }

    @Test(arguments: ["ftp://x", "https://", "https://user:p4ss@x", "https://{a}.example.com", "http://a b"])
    func invalidServerURLsFailWithoutRevealingSecrets(server: String) {
        let error = #expect(throws: NetError.self) { try url(OperationServer(server)) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.phase == .preparing)
        #expect(error?.message.contains("server") == true)
        #expect(error?.message.contains("p4ss") == false)
    }

    @Test func aRelativeServerNeedsABaseURL() {
        let error = #expect(throws: NetError.self) { try url("/v2", base: nil) }
        #expect(error?.message.contains("the client has no base URL") == true)
        #expect(throws: NetError.self) { try url("/v2", base: "nonsense") }
        #expect(throws: Never.self) { try url("https://files.example.com", base: nil) }
    }

    @Test func fieldsOfTheClientStayWithTheirOrigin() throws {
        let headers: HTTPFields = [.authorization: "Bearer s", .userAgent: "u"]
        let builder = RequestBuilder(
            baseURL: "https://api.example.com", defaultHeaders: headers, coding: .standard)
        func sent(_ server: OperationServer) throws -> Set<HTTPField.Name> {
            let options = RequestOptions.operation("op", server: server)
            let request = Request<Bytes>("", options: options, serializer: .bytes)
            return Set(try builder.prepare(request).head.headerFields.map(\.name))
        }
        #expect(try sent("/v2") == [.authorization, .userAgent])
        #expect(try sent("https://files.example.com") == [.userAgent])
        #expect(try sent(OperationServer("https://files.example.com", sendsCredentials: true)).count == 2)
    }

    @Test func printingShowsNoSecret() {
        let server = OperationServer("https://u:p4ss@x.example.com/v1?token=t0ken")
        var dumped = ""
        dump(server, to: &dumped)
        for text in ["\(server)", String(reflecting: server), dumped] {
            #expect(!text.contains("p4ss"))
            #expect(!text.contains("t0ken"))
        }
    }
}
