import Testing

@testable import NetCore

struct WebSocketURLTests {
    @Test func anHTTPRequestToAWebSocketsURLSaysWhatOpensIt() throws {
        let builder = RequestBuilder(baseURL: "wss://h.test", defaultHeaders: [:], coding: .standard)
        for request in [Request<Bytes>("x"), Request<Bytes>(url: "ws://other.test/")] {
            let error = #expect(throws: NetError.self) { try builder.prepare(request) }
            #expect(error?.code == .invalidRequest)
            #expect(error?.message.contains("WebSocketClient") == true)
        }
    }

    private func prepared(_ url: String, base: BaseURL?) throws -> String {
        let builder = RequestBuilder(baseURL: base, defaultHeaders: [:], coding: .standard)
        var request = Request<Bytes>(url: url)
        request.options.webSocket = WebSocketOptions()
        return try builder.prepare(request).url
    }

    @Test(arguments: [
        ("/chat", "wss://h.test", "https://h.test/chat"),
        ("/chat?a=1", "wss://h.test/v1/", "https://h.test/v1/chat?a=1"),
        ("/chat?a=1", "ws://h.test:81/v1?key=k", "http://h.test:81/v1/chat?key=k&a=1"),
        ("/chat", "ws://h.test?key=k", "http://h.test/chat?key=k"), ("/", "ws://h.test/v1", "http://h.test/v1/"),
        ("ws://other.test/chat", "wss://h.test/v1", "http://other.test/chat"),
    ])
    func aPathContinuesTheBaseURL(_ url: String, _ base: String, _ wanted: String) throws {
        #expect(try prepared(url, base: BaseURL(base)) == wanted)
    }

    @Test(
        arguments: [
            ("/chat", nil, "the client has no base URL"), ("/chat#top", "ws://h.test", "fragment"),
            ("/chat", "ftp://h.test", "must start with ws:// or wss://"), ("ftp://h.test/", nil, "ws:// or wss://"),
            ("//h.test/chat", "ws://h.test", "ws:// or wss://"), ("chat", "ws://h.test", "ws:// or wss://"),
        ] as [(String, String?, String)])
    func aURLThatIsntOneSaysWhatToWrite(_ url: String, _ base: String?, _ words: String) throws {
        let error = #expect(throws: NetError.self) {
            try prepared(url, base: base.map { BaseURL(unchecked: $0) })
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains(words) == true, "\(error as Any)")
    }

    @Test func aPathKeepsTheClientsHeaders() throws {
        let builder = RequestBuilder(
            baseURL: "wss://h.test", defaultHeaders: [.authorization: "Bearer a1b2"], coding: .standard)
        var request = Request<Bytes>(url: "/chat")
        request.options.webSocket = WebSocketOptions()
        #expect(try builder.prepare(request).head.headerFields[.authorization] == "Bearer a1b2")
    }
}
