import NetSocketCore
import Testing

@testable import NetSocket

/// RFC 6455 section 3, and what must not reach a log or another host.
struct WebSocketURLTests {
    @Test func aURLIsTakenApart() throws {
        let url = try WebSocketURL("WSS://example.com:8443/chat/room?x=1%202")
        #expect(url.isSecure)
        #expect(url.authority == "example.com:8443")
        #expect(url.path == "/chat/room?x=1%202")
        #expect(url.scheme == "wss")
        #expect(try WebSocketURL("ws://a").path == "/")
        #expect(try WebSocketURL("ws://a?x").path == "/?x")
        #expect(try WebSocketURL("ws://[::1]:80/").authority == "[::1]:80")
        #expect(try WebSocketURL("ws://[::1]").authority == "[::1]")
    }

    @Test(arguments: [
        "", "example.com", "http://example.com", "https://example.com", "ws:/example.com", "ws://", "ws:///path",
        "ws://:80", "ws://a:0", "ws://a:65536", "ws://a:x", "ws://a:", "ws://a/#part", "ws://user:pass@a/", "ws://a b",
        "ws://a/\r\nHost: b", "ws://ä.example", "ws://a\\b", "ws://a%2fb/",
    ])
    func whatIsNoAddressOfAWebSocketIsRefusedWithoutBeingQuoted(text: String) {
        let error = #expect(throws: WebSocketViolation.self) { try WebSocketURL(text) }
        #expect(error.map { text.isEmpty || !$0.message.contains(text) } == true)
    }
}
