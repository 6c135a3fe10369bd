import HTTPTypes
import NetCore
import NetTesting
import Testing

@testable import NetSocket

/// A client's handling of a transport's response to an opening handshake.
@Suite(.timeLimit(.minutes(1)))
struct HandshakeTransportTests {
    /// Responds to each handshake with a link.
    private struct Transport: WebSocketTransport {
        var link: any WebSocketLink
        func connect(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> WebSocketOpening {
            .opened(link)
        }
        func shutdown() async {}
    }

    private final class Link: WebSocketLink {
        let response: ResponseHead
        let subprotocol: String?

        init(_ subprotocol: String?, inHead header: String?) {
            var head = ResponseHead(status: .switchingProtocols)
            head.headers[.secWebSocketProtocol] = header
            (response, self.subprotocol) = (head, subprotocol)
        }

        func send(_ message: WebSocketMessage) async throws(NetError) {}
        func send(contentsOf messages: [WebSocketMessage]) async throws(NetError) {}
        func receive() async throws(NetError) -> [WebSocketMessage] { [] }
        func ping() async throws(NetError) -> Duration { .zero }
        func close(_ closure: WebSocketClosure) async {}
    }

    private func connection(
        _ link: Link, _ configuration: WebSocketClient.Configuration = .init(), redaction: RedactionPolicy? = nil
    ) async throws -> WebSocketConnection {
        var request = WebSocketRequest(url: "ws://a.test/", subprotocols: ["chat"])
        request.secretSubprotocol = "geheim.1"
        request.options.redaction = redaction
        return try await WebSocketClient(configuration: configuration, transport: Transport(link: link))
            .connect(request)
    }

    @Test func aSubprotocolThatIsASecretIsNotShown() async throws {
        let secret = try await connection(Link("geheim.1", inHead: "geheim.1"))
        #expect(secret.subprotocol == nil)
        let shown = secret.response.headers[.secWebSocketProtocol]
        #expect(shown?.contains("redacted") == true)
        #expect(shown?.contains("geheim") == false)
        let plain = try await connection(Link("chat", inHead: "chat"))
        #expect(plain.subprotocol == "chat")
        #expect(plain.response.headers[.secWebSocketProtocol] == "chat")
        let none = try await connection(Link(nil, inHead: nil))
        #expect(none.subprotocol == nil)
        #expect(none.response.headers[.secWebSocketProtocol] == nil)
    }

    @Test func aLinkMayKnowWhatItsResponseDoesNotSay() async throws {
        let socket = try await connection(Link("chat", inHead: nil))
        #expect(socket.subprotocol == "chat")
        #expect(socket.response.headers[.secWebSocketProtocol] == nil)
    }

    @Test func theRedactionOfTheRequestComesBeforeThatOfTheClient() async throws {
        var (own, clients) = (RedactionPolicy.safeDefault, RedactionPolicy.safeDefault)
        (own.placeholder, clients.placeholder) = ("own", "clients")
        for (redaction, expected) in [(own, "own"), (nil, "clients")] {
            let socket = try await connection(
                Link("geheim.1", inHead: "geheim.1"), .init(redaction: clients), redaction: redaction)
            #expect(socket.response.headers[.secWebSocketProtocol]?.contains(expected) == true)
        }
    }

    // MARK: Calls

    private func trace(_ client: WebSocketClient, _ url: String = "ws://a.test/echo") async -> CallTrace? {
        let traces = client.traces
        _ = try? await client.connect(url)
        #expect(client.unfinishedCalls == 0)
        for await trace in traces { return trace }
        return nil
    }

    @Test func theCallEndsWhenTheServerHasAnswered() async throws {
        let transport = MockWebSocketTransport(
            [.echo("/echo")], refusals: [Stub(.get, "/no", .text("members", status: .forbidden))])
        let client = WebSocketClient(transport: transport)
        guard case .completed(101, responseBytes: 0)? = await trace(client)?.outcome else {
            Issue.record("it isn't completed")
            return
        }
        guard case .rejected(403, responseBytes: 7)? = await trace(client, "ws://a.test/no")?.outcome else {
            Issue.record("it isn't rejected")
            return
        }
    }

    /// Responds like a server that accepts.
    private struct Impostor: Middleware {
        let status: HTTPResponse.Status
        func intercept(
            _ request: PreparedRequest, context: CallContext, next: Next
        ) async throws -> StreamedResponse {
            StreamedResponse(head: ResponseHead(status: status))
        }
    }

    @Test(arguments: [
        (HTTPResponse.Status.switchingProtocols, "a middleware returned status 101"),
        (.ok, "the server responded with status 200"),
        (.init(code: 102), "the server responded with status 102"),
    ])
    func aMiddlewareOpensNoWebSocket(status: HTTPResponse.Status, message: String) async throws {
        let client = WebSocketClient(
            configuration: .init(middleware: [Impostor(status: status)]), transport: MockWebSocketTransport())
        let error = await #expect(throws: NetError.self) { try await client.connect("ws://a.test/") }
        #expect(error?.code == .unacceptableStatus)
        #expect(error?.message.hasPrefix(message) == true)
    }

    #if os(Linux)
    @Test func aTransportEndsWithItsCalls() async {
        let transport = CurlWebSocketTransport()
        #expect(transport.endsWithCall)
        #expect(transport.openConnections == 0)
        await transport.shutdown()
        var broken = CurlWebSocketTransport.Configuration()
        broken.tls.trust = .authorities(.file("/no/such"))
        let none = CurlWebSocketTransport(configuration: broken)
        #expect(none.openConnections == 0)
        #expect(none.executor == nil)
        await none.shutdown()
    }
    #endif
}
