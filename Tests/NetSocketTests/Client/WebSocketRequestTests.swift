import HTTPTypes
import NetCore
import NetSocket
import NetTesting
import Testing

/// The contents of a handshake's request, and the parts that must not appear in a log or reach another host (RFC 6455
/// section 3).
struct WebSocketRequestTests {
    private func client(_ baseURL: BaseURL? = nil) -> WebSocketClient {
        WebSocketClient(configuration: .init(baseURL: baseURL), transport: MockWebSocketTransport())
    }

    @Test(arguments: [
        ("WSS://example.com:8443/chat/room?x=1%202", "https://example.com:8443/chat/room?x=1%202"),
        ("ws://a", "http://a/"), ("ws://a?x", "http://a/?x"), ("ws://[::1]:80/", "http://[::1]:80/"),
        ("ws://[::1]", "http://[::1]/"), ("https://a/b", "https://a/b"), ("http://a:", "http://a/"),
    ])
    func wsBecomesHTTPOnce(url: String, prepared: String) throws {
        #expect(try client().prepare(WebSocketRequest(url: url)).url == prepared)
    }

    @Test func pathAndQueryAreJoinedToTheBaseURL() throws {
        var request = WebSocketRequest("rooms/\(7)", query: [QueryItem("since", 42), QueryItem("q", "a b")])
        request.headers[.origin] = "https://app.test"
        let prepared = try client("wss://api.test/v1?key=x").prepare(request)
        #expect(prepared.url == "https://api.test/v1/rooms/7?key=x&since=42&q=a%20b")
        #expect(prepared.head.method == .get)
        #expect(prepared.head.headerFields[.origin] == "https://app.test")
        #expect(prepared.head.headerFields[.userAgent] == "swift-net")
        #expect(prepared.head.headerFields[.accept] == nil)
        #expect(prepared.options.webSocket?.maximumMessageBytes == 1 << 20)
        let whole = WebSocketRequest(url: "ws://other.test/x?a=1", query: [QueryItem("b", 2)])
        #expect(try client("wss://api.test").prepare(whole).url == "http://other.test/x?a=1&b=2")
    }

    @Test(arguments: [
        "", "example.com", "ftp://example.com", "ws:/example.com", "ws://", "ws:///path", "ws://:80", "ws://a:65536",
        "ws://a:x", "ws://a/#part", "ws://user:pass@a/", "ws://a b", "ws://a/\r\nHost: b", "ws://ä.example",
        "ws://a\\b",
        "ws://a%2fb/",
    ])
    func invalidWebSocketURLsAreRejectedWithoutBeingQuoted(text: String) {
        let error = #expect(throws: NetError.self) { try client().prepare(WebSocketRequest(url: text)) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.phase == .preparing)
        // The first word may be shown: it is a scheme, or the text in its place.
        #expect(error.map { text.isEmpty || text == "example.com" || !$0.message.contains(text) } == true)
        #expect(error.map { !$0.description.contains("pass@") } == true)
    }

    @Test func withoutABaseURLAPathIsNotEnough() {
        let error = #expect(throws: NetError.self) { try client().prepare(WebSocketRequest("chat")) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("base URL") == true)
    }

    @Test(arguments: [["a b"], [""], ["chat", "chat"], ["a\r\nX: y"], ["grün"]])
    func invalidSubprotocolsAreRejected(_ subprotocols: [String]) {
        let request = WebSocketRequest(url: "ws://a/", subprotocols: subprotocols)
        let error = #expect(throws: NetError.self) { try client().prepare(request) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("subprotocol") == true)
    }

    @Test func aSecretThatIsNoSubprotocolIsNotQuoted() {
        var request = WebSocketRequest(url: "ws://a/")
        request.secretSubprotocol = "geheim=="
        let error = #expect(throws: NetError.self) { try client().prepare(request) }
        #expect(error?.code == .invalidRequest)
        #expect(error.map { !"\($0)".contains("geheim") } == true)
    }
}
