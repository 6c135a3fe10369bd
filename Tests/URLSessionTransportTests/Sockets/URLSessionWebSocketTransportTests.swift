import Foundation
import HTTPTypes
import NetCore
import NetSocket
import NetTesting
import Testing

#if Server
import NetTestServer
#endif

@Suite(.timeLimit(.minutes(1))) struct URLSessionWebSocketTransportTests {
    private func prepared(
        _ path: String = "/a%2Fb?x=%2B", scheme: String = "https", headers: HTTPFields = [:],
        options: WebSocketOptions = WebSocketOptions()
    ) -> PreparedRequest {
        var all = RequestOptions()
        all.webSocket = options
        return PreparedRequest(
            head: HTTPRequest(
                method: .get, scheme: scheme, authority: "api.test:8443", path: path, headerFields: headers),
            body: .none, options: all)
    }

    private func failure(_ transport: URLSessionWebSocketTransport, _ request: PreparedRequest) async -> NetError? {
        do throws(NetError) {
            _ = try await transport.connect(request, context: CallContext(for: request))
            return nil
        } catch {
            return error
        }
    }

    // MARK: The request

    @Test func theRequestBecomesFoundations() throws {
        var headers: HTTPFields = [.authorization: "Bearer x", .upgrade: "h2c", .contentLength: "9"]
        for value in ["k=1", "l=2"] { headers.append(HTTPField(name: .cookie, value: value)) }
        let request = try URLSessionHandshake.request(prepared(headers: headers), subprotocols: ["v2", "v1"])
        #expect(request.url?.absoluteString == "wss://api.test:8443/a%2Fb?x=%2B")
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer x")
        #expect(request.value(forHTTPHeaderField: "Cookie") == "k=1; l=2")
        #expect(request.value(forHTTPHeaderField: "Sec-WebSocket-Protocol") == "v2, v1")
        #expect(request.value(forHTTPHeaderField: "Upgrade") == nil)
        #expect(request.value(forHTTPHeaderField: "Content-Length") == nil)
        #expect(!request.httpShouldHandleCookies)
        let plain = try URLSessionHandshake.request(prepared("/", scheme: "http"), subprotocols: [])
        #expect(plain.url?.absoluteString == "ws://api.test:8443/")
        #expect(plain.value(forHTTPHeaderField: "Sec-WebSocket-Protocol") == nil)
    }

    @Test func theHeadOfARefusalKeepsItsCookiesApart() throws {
        let url = try #require(URL(string: "ws://api.test/"))
        let fields = ["Set-Cookie": "a=1; Path=/, b=2", "Retry-After": "3"]
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 503, httpVersion: nil, headerFields: fields))
        let head = try #require(URLSessionHandshake.head(response))
        #expect(head.status.code == 503)
        #expect(head.headers[values: .setCookie] == ["a=1; Path=/", "b=2"])
        #expect(head[.retryAfter] == "3")
        let other = URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
        #expect(URLSessionHandshake.head(other) == nil)
    }

    // MARK: Settings

    private static let changes: [(String, @Sendable (inout TLSConfiguration) -> Void)] = [
        ("tls.trust", { $0.trust = .dangerouslyAcceptAnyCertificate }), ("tls.pins", { $0.pins = ["a.test": ["x"]] }),
        ("tls.cipherList", { $0.cipherList = "DEFAULT" }), ("tls.cipherSuites", { $0.cipherSuites = "x" }),
    ]

    @Test(arguments: 0..<changes.count) func aSettingThatURLSessionDoesNotHaveIsNamed(index: Int) async {
        let (name, change) = Self.changes[index]
        var configuration = URLSessionWebSocketTransport.Configuration()
        change(&configuration.tls)
        let transport = URLSessionWebSocketTransport(configuration: configuration)
        let error = await failure(transport, prepared())
        #expect(error?.code == .unsupported)
        #expect(error?.message.hasPrefix("\(name): ") == true)
        #expect(error?.call != nil)
        await transport.shutdown()
    }

    @Test func compressionThatIsAskedForIsNotAnError() {
        let options = WebSocketOptions(compression: WebSocketCompression())
        let settings = URLSessionWebSocketTransport.Configuration().settings(options, timeouts: Timeouts())
        #expect(settings.maximumMessageBytes == 1 << 20)
        #expect(throws: Never.self) {
            try URLSessionHandshake.request(prepared(options: options), subprotocols: [])
        }
    }

    @Test func anAddressThatIsNotAllowedIsNeverAsked() async {
        let transport = URLSessionWebSocketTransport()
        let error = await NetworkAccess.limited(to: .none) {
            await failure(transport, prepared())
        }
        #expect(error?.code == .networkDenied)
        #expect(transport.openConnections == 0)
        await transport.shutdown()
    }

    @Test func afterShutdownNothingIsOpened() async {
        let transport = URLSessionWebSocketTransport()
        await transport.shutdown()
        #expect(await failure(transport, prepared())?.code == .shutdown)
    }

    // MARK: Errors

    private static let codes: [(URLError.Code, NetError.Code, NetError.Phase)] = [
        (.cannotFindHost, .dns, .resolving), (.cannotConnectToHost, .connect, .connecting),
        (.notConnectedToInternet, .connect, .connecting), (.networkConnectionLost, .connectionLost, .waiting),
        (.timedOut, .timeout, .waiting), (.cancelled, .cancelled, .waiting),
        (.secureConnectionFailed, .tls, .securing), (.serverCertificateUntrusted, .tls, .securing),
        (.appTransportSecurityRequiresSecureConnection, .tls, .securing),
        (.badServerResponse, .protocolViolation, .waiting), (.dataLengthExceedsMaximum, .bodyTooLarge, .waiting),
        (.unsupportedURL, .invalidRequest, .preparing), (.fileDoesNotExist, .unknown, .waiting),
    ]

    @Test(arguments: 0..<codes.count) func eachCodeHasItsMeaning(index: Int) {
        let (code, meaning, phase) = Self.codes[index]
        let foundation = URLError(code, userInfo: ["NSErrorFailingURLStringKey": "ws://api.test/?token=s3cret"])
        let error = URLSessionSocketFailure.error(foundation, host: "api.test", phase: .waiting)
        #expect(error.code == meaning)
        #expect(error.phase == phase)
        var shown = ""
        dump(error, to: &shown)
        #expect(!"\(error) \(shown) \(error.underlying.map { "\($0)" } ?? "")".contains("s3cret"))
    }

    @Test func systemErrorsHaveMeanings() {
        func code(_ system: POSIXErrorCode) -> NetError.Code {
            URLSessionSocketFailure.error(POSIXError(system), host: "a.test", phase: .receiving).code
        }
        #expect(code(.EMSGSIZE) == .bodyTooLarge)
        #expect(code(.EPROTO) == .protocolViolation)
        #expect(code(.ECANCELED) == .cancelled)
        #expect(code(.ENOTCONN) == .connectionLost)
        #expect(code(.ECONNRESET) == .connectionLost)
    }

    // MARK: Real connections

    #if Server
    @Test func aConversationOnLinuxIsWhatFoundationLacks() async throws {
        let server = try await TestServer.start([], webSockets: [.echo()])
        let transport = URLSessionWebSocketTransport()
        let client = WebSocketClient(transport: transport)
        let url = server.baseURL.description.replacing("http://", with: "ws://")
        #if os(Linux)
        // As documented in docs/transports.md; with a Foundation that supports WebSockets, the next lines run.
        let error = await #expect(throws: NetError.self) { try await client.connect("\(url)/echo") }
        #expect(error?.code == .invalidRequest)
        #else
        let socket = try await client.connect("\(url)/echo")
        try await socket.send("hello")
        #expect(try await socket.receive().text == "hello")
        await socket.close()
        #endif
        #expect(transport.openConnections == 0)
        await client.shutdown()
        await server.stop()
    }
    #endif
}
