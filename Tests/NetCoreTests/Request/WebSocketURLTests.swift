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
}
