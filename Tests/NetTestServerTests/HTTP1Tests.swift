#if Server
import HTTPTypes
import NetCore
import NetTesting
import TestSupport
import Testing

@testable import NetTestServer

@Suite(.timeLimit(.minutes(1)))
struct HTTP1Tests {
    private static let stubs: [Stub] = [
        Stub(.get, "/users/{id}") { .json(["id": $0.parameters["id"] ?? ""]) },
        Stub(.get, "/text", .text("hello")), Stub(.head, "/text", .text("hello")),
        Stub(.delete, "/text", .status(.noContent)), Stub(.get, "/unchanged", .status(.notModified)),
        Stub(.get, "/chunks", .chunks(["one ", "two ", "three"])),
        .streaming(.post, "/count") { _, body in
            var count = 0
            for try await chunk in body { count += chunk.count }
            return .text("\(count)")
        },
        .echo(), .mirror(), .pattern(),
    ]

    @Test func keepAliveServesManyRequestsOnOneConnection() async throws {
        let server = try await TestServer.start(Self.stubs)
        let url = server.baseURL.description + "/users/"
        let result = try await Tool.curl(url + "1", url + "2", url + "3")
        #expect(result.text == #"{"id":"1"}{"id":"2"}{"id":"3"}"#)
        #expect(server.requests.map(\.connection) == [1, 1, 1])
        #expect(server.statistics.connections == 1)
        await server.stop()
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
        let server = try await TestServer.start(Self.stubs)
        let socket = try RawSocket(port: server.port)
        let text = try await offPool {
            socket.send((1...5).map { "GET /users/\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
            return try socket.receive { $0.contains(#"{"id":"5"}"#) }
        }
        let answers = text.components(separatedByText: "\r\n\r\n").dropFirst().map { String($0.prefix(10)) }
        #expect(answers == (1...5).map { #"{"id":"\#($0)"}"# })
        await server.stop()
    }

    @Test func aRawTargetStaysAsItWasSent() async throws {
        let server = try await TestServer.start(Self.stubs)
        let socket = try RawSocket(port: server.port)
        let target = "/echo?a=%2f&b=+%20&c=%C3%A9&%7e=|"
        _ = try await offPool {
            socket.send("GET \(target) HTTP/1.1\r\nHost: x\r\nX-One: 1\r\nx-two: 2\r\nX-One: 3\r\n\r\n")
            return try socket.receive { $0.contains("bodyBytes") }
        }
        let request = try #require(server.requests.first)
        #expect(request.target == target)
        #expect(request.headers.map(\.name.rawName) == ["Host", "X-One", "x-two", "X-One"])
        #expect(request.authority == "x")
        await server.stop()
    }

    @Test func bodiesGoBothWaysChunkedAndWithALength() async throws {
        let server = try await TestServer.start(Self.stubs)
        let body = String(repeating: "0123456789", count: 30_000)
        try await withFile(body) { file in
            let plain = try await Tool.curl("--data-binary", "@" + file, server.baseURL.description + "/mirror")
            #expect(plain.text == body)
            let chunked = try await Tool.curl(
                "-H", "Transfer-Encoding: chunked", "--data-binary", "@" + file, server.baseURL.description + "/count")
            #expect(chunked.text == "300000")
        }
        try #require(server.requests.map(\.bodyBytes) == [300_000, 300_000])
        #expect(server.requests[0].bodySHA256 == server.requests[1].bodySHA256)
        #expect(try await Tool.curl(server.baseURL.description + "/chunks").text == "one two three")
        await server.stop()
    }

    @Test func theDigestIsThatOfTheBody() async throws {
        let server = try await TestServer.start(Self.stubs)
        _ = try await Tool.curl("-d", "abc", server.baseURL.description + "/echo")
        #expect(
            server.requests.first?.bodySHA256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(server.requests.first?.body == Bytes("abc".utf8))
        await server.stop()
    }

    @Test func headAndBodilessStatusesHaveNoBody() async throws {
        let server = try await TestServer.start(Self.stubs)
        let socket = try RawSocket(port: server.port)
        let text = try await offPool {
            socket.send("HEAD /text HTTP/1.1\r\nHost: x\r\n\r\nDELETE /text HTTP/1.1\r\nHost: x\r\n\r\n")
            socket.send("GET /unchanged HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            return try socket.receiveAll()
        }
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(text.contains("Content-Length: 5\r\n\r\nHTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 304 Not Modified\r\n"))
        #expect(text.hasSuffix("Connection: close\r\n\r\n"))
        await server.stop()
    }

    @Test func expectContinueIsPermittedBeforeTheBodyIsSent() async throws {
        let server = try await TestServer.start(Self.stubs)
        let socket = try RawSocket(port: server.port)
        let text = try await offPool {
            socket.send("POST /count HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
            let permission = try socket.receive { $0.hasSuffix("\r\n\r\n") }
            socket.send("abc")
            return try permission + socket.receive { $0.hasSuffix("\r\n\r\n3") }
        }
        #expect(text.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"))
        await server.stop()
    }

    @Test func aRequestThatIsRefusedUnreadGetsNoPermission() async throws {
        let server = try await TestServer.start(Self.stubs)
        let socket = try RawSocket(port: server.port)
        let text = try await offPool {
            socket.send("PUT /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
            return try socket.receiveAll()
        }
        #expect(text.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
        #expect(text.contains("Connection: close\r\n"))
        await server.stop()
    }

    @Test func anOldClientGetsABodyThatEndsWithTheConnection() async throws {
        let server = try await TestServer.start(Self.stubs)
        let socket = try RawSocket(port: server.port)
        let text = try await offPool {
            socket.send("GET /chunks HTTP/1.0\r\n\r\n")
            return try socket.receiveAll()
        }
        #expect(text.hasSuffix("Connection: close\r\n\r\none two three"))
        await server.stop()
    }

    @Test func anUnknownRequestIsToldTheNearestStubs() async throws {
        let server = try await TestServer.start(Self.stubs)
        let result = try await Tool.curl("-w", " %{http_code}", server.baseURL.description + "/user/7")
        #expect(result.text.hasSuffix(" 404"))
        #expect(result.text.contains("GET /users/{id}: the path is /user/7, not /users/{id}"))
        await server.stop()
    }

    @Test func anotherClientAgrees() async throws {
        let server = try await TestServer.start(Self.stubs)
        let program = """
            import sys, http.client
            c = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
            out = []
            for i in range(3):
                c.request("GET", f"/users/{i}"); out.append(c.getresponse().read().decode())
            c.request("POST", "/mirror", body=iter([b"a" * 70000, b"b" * 10]), encode_chunked=True,
                      headers={"Transfer-Encoding": "chunked"})
            out.append(str(len(c.getresponse().read())))
            c.request("GET", "/bytes?bytes=3000000"); out.append(str(len(c.getresponse().read())))
            print(" ".join(out))
            """
        let result = try await Tool.python(program, "\(server.port)")
        #expect(result.text == #"{"id":"0"} {"id":"1"} {"id":"2"} 70010 3000000"# + "\n", "\(result.errors)")
        #expect(Set(server.requests.map(\.connection)) == [1])
        await server.stop()
    }
}

extension String {
    fileprivate func components(separatedByText separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}
#endif
