#if Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct FailureTests {
    private let request = Request<Bytes>("x", query: [QueryItem("token", "s3cret")], serializer: .bytes)

    private func fails(_ client: HTTPClient, _ path: Path = "x") async throws -> NetError {
        var request = request
        request.path = path
        return try await failure { try await client.send(request) }
    }

    /// Checks the parts of every error of a call: phase, redacted URL, attempt and time.
    private func expectContext(_ error: NetError, _ location: SourceLocation = #_sourceLocation) {
        #expect(error.url?.hasSuffix("token=<redacted>") == true, sourceLocation: location)
        #expect(!error.description.contains("s3cret"), sourceLocation: location)
        #expect(error.attempt == 1, sourceLocation: location)
        #expect(error.elapsed != nil, sourceLocation: location)
    }

    private func withPeer(_ answer: String, _ body: (HTTPClient) async throws -> Void) async throws {
        let peer = try RawPeer(answer)
        let client = HTTPClient(baseURL: peer.baseURL)
        try await body(client)
        await client.shutdown()
        peer.stop()
    }

    @Test func aRefusedConnection() async throws {
        let closed = try ClosedPort()
        let client = HTTPClient(baseURL: closed.baseURL)
        let error = try await fails(client)
        #expect(error.code == .connect)
        #expect(error.phase == .connecting)
        expectContext(error)
        await client.shutdown()
        // The port is held until here.
        withExtendedLifetime(closed) {}
    }

    @Test func aProxyThatRefusesTheTunnelSaysSo() async throws {
        let peer = try RawPeer("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .server(ProxyServer(peer.baseURL.description))
        let client = HTTPClient(baseURL: "https://example.com", transport: CurlTransport(configuration: configuration))
        let error = try await fails(client)
        #expect(error.code == .connect)
        #expect(error.phase == .connecting)
        expectContext(error)
        await client.shutdown()
        peer.stop()
    }

    /// libcurl's limit for a line is lower than our limit for a head.
    @Test func aLineOfTheHeadThatIsTooLong() async throws {
        let line = "X: " + String(repeating: "a", count: 150_000)
        try await withPeer("HTTP/1.1 200 OK\r\n\(line)\r\nContent-Length: 0\r\n\r\n") { client in
            let error = try await fails(client)
            #expect(error.code == .headersTooLarge)
            expectContext(error)
        }
    }

    @Test func aRequestThatIsTooLong() async throws {
        try await withPeer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") { client in
            // Of 1 MB and of 8 MB, libcurl's two limits. Preparing the longer one takes a debug build half a minute.
            for count in ProcessInfo.processInfo.environment["NET_SOAK"] == "1" ? [1_200_000, 9_000_000] : [1_200_000] {
                let long = String(repeating: "a", count: count)
                let error = try await fails(client, Path(long))
                #expect(error.code == .invalidRequest)
                #expect(error.message.contains("more than libcurl sends"))
            }
        }
    }

    @Test func aProtocolThatNobodyAskedFor() async throws {
        let answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"
        try await withPeer(answer) { client in
            let error = try await fails(client)
            #expect(error.code == .protocolViolation)
            #expect(error.message.contains("101"))
            expectContext(error)
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\n X: folded\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\nContent-Length: 0\r\n\r\n",
    ])
    func aLineThatIsNoField(answer: String) async throws {
        try await withPeer(answer) { client in
            let error = try await fails(client)
            #expect(error.code == .protocolViolation)
        }
    }

    /// If only one of two parsers read this as a length, it would split the response in two.
    @Test(arguments: ["Content-Length : 2", "content-length\t: 2", "Transfer-Encoding : chunked"])
    func aBlankBeforeTheColonOfTheFraming(line: String) async throws {
        try await withPeer("HTTP/1.1 200 OK\r\n\(line)\r\n\r\nok") { client in
            let error = try await fails(client)
            #expect(error.code == .invalidFraming)
            #expect(error.message.contains("colon"))
            expectContext(error)
        }
    }

    @Test func aProxyThatSpeaksNoHTTPIsNamed() async throws {
        for answer in ["SSH-2.0-OpenSSH_9.2\r\n", ""] {
            let peer = try RawPeer(answer)
            var configuration = CurlTransport.Configuration()
            configuration.proxy = .server(ProxyServer(peer.baseURL.description))
            let client = HTTPClient(
                baseURL: "https://example.com", transport: CurlTransport(configuration: configuration))
            let error = try await fails(client)
            #expect(error.code == .connect)
            #expect(error.phase == .connecting)
            #expect(error.message.contains("the proxy \(peer.baseURL)"), "\(error.message)")
            await client.shutdown()
            peer.stop()
        }
    }

    @Test func credentialsOfTheProxyAreNotSentToTheServerBehindIt() async throws {
        let peer = try RawPeer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .server(ProxyServer(peer.baseURL.description))
        let transport = CurlTransport(configuration: configuration)
        var request = request
        request.headers[.proxyAuthorization] = "Basic geheim"
        let secure = HTTPClient(baseURL: "https://example.com", transport: transport)
        let error = try await failure { try await secure.send(request) }
        #expect(error.code == .unsupported)
        #expect(error.message.contains("ProxyServer"))
        #expect(peer.received.value.isEmpty)
        // An HTTP proxy receives the credentials, because it receives the request itself.
        _ = try await HTTPClient(baseURL: "http://example.com", transport: transport).send(
            request)
        #expect(peer.received.value.contains("Basic geheim"))
        await transport.shutdown()
        peer.stop()
    }

    @Test func credentialsOfAProxyThatIsNotThereAreNotSent() async throws {
        let peer = try RawPeer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .none
        let transport = CurlTransport(configuration: configuration)
        let client = HTTPClient(baseURL: peer.baseURL, transport: transport) {
            $0.headers = [.proxyAuthorization: "Basic geheim"]
        }
        let error = try await failure { try await client.send(request) }
        #expect(error.code == .unsupported)
        #expect(error.message.contains("ProxyServer"))
        #expect(!"\(error)".contains("geheim"))
        #expect(peer.received.value.isEmpty)
        await transport.shutdown()
        peer.stop()
    }

    /// libcurl 7.88 would write into the headers of the previous response, which it has freed.
    @Test func aFoldBeforeTheFirstFieldOfALaterResponse() async throws {
        let bad = "HTTP/1.1 200 OK\r\n a: \(String(repeating: "x", count: 400))\r\nContent-Length: 0\r\n\r\n"
        let peer = try ScriptedPeer { connection, _ in
            for answer in ["HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: y\r\n\r\n", bad]
            where connection.readHead() != nil {
                connection.send(answer)
            }
        }
        let client = HTTPClient(baseURL: peer.baseURL)
        for _ in 0..<50 {
            try await client.send(request)
            let error = try await fails(client)
            #expect(error.code == .protocolViolation, "\(error)")
            #expect(error.message.contains("begins with whitespace"), "\(error)")
        }
        await client.shutdown()
        peer.stop()
    }

    @Test func aNameWithoutAddress() async throws {
        let client = HTTPClient(baseURL: "http://no-such-host.invalid")
        let error = try await fails(client)
        #expect(error.code == .dns)
        #expect(error.phase == .resolving)
        expectContext(error)
        await client.shutdown()
    }

    @Test(arguments: [Wire.plain, .tls, .http2], [ConnectionDrop.Form.close, .reset])
    func aConnectionThatEndsTooEarly(wire: Wire, form: ConnectionDrop.Form) async throws {
        let body = StubResponse.bytes(BytePattern.bytes(from: 0, count: 500_000))
        let stubs = [
            Stub(.get, "/before", .dropped(form: form)),
            Stub(.get, "/head", body.dropping(.afterHead, form: form)),
            Stub(.get, "/mid", body.dropping(.afterBodyBytes(200_000), form: form)),
        ]
        try await Fixture.run(stubs, over: wire) { fixture in
            for path in ["before", "head", "mid"] as [Path] {
                let error = try await fails(fixture.client, path)
                #expect(error.code == .connectionLost || error.code == .protocolViolation)
                expectContext(error)
            }
            // A reset discards unread bytes, sometimes including the head.
            var count = 0
            let error = try await failure {
                let streamed = try await fixture.client.stream(Request<Bytes>("mid", serializer: .bytes))
                do throws(NetError) {
                    for try await chunk in streamed.body { count += chunk.count }
                } catch {
                    throw APIError<Never>.failed(error)
                }
            }
            #expect(error.phase == .receiving || (form == .reset && count == 0))
            #expect(error.url?.hasSuffix("/mid") == true)
            #expect(count <= 200_000)
            #expect(fixture.client.unfinishedCalls == 0)
            #expect(fixture.transport.statistics.liveTransfers == 0)
        }
    }

    @Test func certificatesThatMustNotBeTrusted() async throws {
        let cases: [(TestServer.TLS, trustsAuthority: Bool)] = [
            (TestServer.TLS(), false), (.expired, true), (TestServer.TLS(hosts: ["other.example"]), true),
        ]
        for (tls, trustsAuthority) in cases {
            let server = try await TestServer.start([.echo("/x")], configuration: .tls(tls))
            var configuration = CurlTransport.Configuration()
            if trustsAuthority { configuration.tls.trust = .authorities(.text(try #require(server.caCertificatePEM))) }
            let transport = CurlTransport(configuration: configuration)
            let client = HTTPClient(baseURL: server.baseURL, transport: transport)
            let error = try await fails(client)
            #expect(error.code == .tls)
            #expect(error.phase == .securing)
            expectContext(error)
            #expect(server.requests.isEmpty)
            await client.shutdown()
            await server.stop()
        }
    }

    @Test(
        arguments: [
            ("SSH-2.0-OpenSSH_9.2\r\n", .protocolViolation), ("HTTP/1.1 abc OK\r\n\r\n", .protocolViolation),
            ("hello\r\n\r\n", .protocolViolation), ("", .connectionLost), ("HTTP/1.1 200 OK\r\nX: y", .connectionLost),
            ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort", .connectionLost),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\n chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", .invalidFraming),
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n 0\r\n\r\nhello", .invalidFraming),
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection:\r\n close\r\n\r\nhello", .invalidFraming),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel", .connectionLost),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n", .invalidFraming),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloXX0\r\n\r\n", .invalidFraming),
            ("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n", .invalidFraming),
            ("HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551617\r\n\r\nh", .invalidFraming),
            ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nhi", .invalidFraming),
        ] as [(String, NetError.Code)])
    func anAnswerThatIsNoWholeHTTPMessage(answer: String, code: NetError.Code) async throws {
        try await withPeer(answer) { client in
            let error = try await fails(client)
            #expect(error.code == code, "\(error)")
            expectContext(error)
        }
    }

    @Test(arguments: ["Content-Length: 10\r\n", "Content-Length: 10\r\nX: y", "X: y\r\n", "Content-Length: 10\r\n\r"])
    func aHeadThatIsCutSaysSo(headers: String) async throws {
        try await withPeer("HTTP/1.1 200 OK\r\n\(headers)") { client in
            let error = try await fails(client)
            #expect(error.code == .connectionLost)
            #expect(error.phase == .waiting)
            #expect(error.message.contains("inside the head"), "\(error)")
        }
    }

    @Test(arguments: [
        ("X: \(String(repeating: "a", count: 1_000_000))\r\n", "a line of the trailer section"),
        (String(repeating: "X: \(String(repeating: "a", count: 90))\r\n", count: 10_000), "262144 bytes"),
    ])
    func trailersThatAreTooLong(trailers: String, message: String) async throws {
        let answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\(trailers)\r\n"
        try await withPeer(answer) { client in
            let error = try await fails(client)
            #expect(error.code == .headersTooLarge)
            #expect(error.phase == .receiving)
            #expect(error.message.contains(message), "\(error)")
        }
    }

    @Test(arguments: ["2\r\nok\r\nzz\r\n", "2\r\nok\r\n0\r\nno colon\r\n\r\n", "2\r\nok\r\n", "2\r\nokXX"])
    func chunksReceivedBeforeAFailureAreDelivered(body: String) async throws {
        try await withPeer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(body)") { client in
            let response = try await client.stream(request)
            var iterator = response.body.makeAsyncIterator()
            let chunk = try await iterator.next()
            #expect(chunk == Bytes("ok".utf8))
            let error = await #expect(throws: NetError.self) { try await iterator.next() }
            #expect(error?.phase == .receiving)
        }
    }

    @Test func aLengthThatIsSaidTwiceTheSameIsTaken() async throws {
        try await withPeer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nhi") { client in
            let text = try await client.response(request).head.headers.count
            #expect(text == 2)
        }
    }

    @Test func aHeaderSectionWithoutEnd() async throws {
        let bomb = (0..<6000).map { "X-\($0): \(String(repeating: "a", count: 90))\r\n" }.joined()
        try await withPeer("HTTP/1.1 200 OK\r\n" + bomb + "\r\n") { client in
            let error = try await fails(client)
            #expect(error.code == .headersTooLarge)
            #expect(error.message.contains("262144"))
        }
    }

    @Test func interimResponsesAreSkippedButNotForEver() async throws {
        let interim = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        try await withPeer(interim + interim + "HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Length: 2\r\n\r\nok") { client in
            let response = try await client.response(request)
            #expect(response.status == .ok)
            #expect(response.head.headers.count == 2)
        }
        try await withPeer(String(repeating: interim, count: 7000)) { client in
            let code = try await fails(client).code
            #expect(code == .tooManyInterimResponses)
        }
    }

    @Test func aRequestThatCannotBeBuiltNeverLeaves() async throws {
        let client = HTTPClient(baseURL: "ftp://example.com")
        let error = try await fails(client)
        #expect(error.code == .invalidRequest)
        #expect(error.phase == .preparing)
        #expect(error.message.contains("http://"))
        await client.shutdown()
    }
}
#endif
