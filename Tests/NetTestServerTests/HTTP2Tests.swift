#if Server
import Foundation
import HTTPTypes
import NetCore
import NetTesting
import TestSupport
import Testing

@testable import NetTestServer

@Suite(.timeLimit(.minutes(1)))
struct HTTP2Tests {
    private func curl(_ server: TestServer, _ arguments: [String]) async throws -> Tool.Result {
        try await withFile(try #require(server.caCertificatePEM)) { file in
            try await Tool.run("/usr/bin/curl", ["-sS", "--max-time", "20", "--cacert", file, "--http2"] + arguments)
        }
    }

    @Test func twentyStreamsRunAtOnceOnOneConnection() async throws {
        let gate = Gate(20)
        let stub = Stub(.get, "/n/{n}") { request in
            await gate.arrive()
            return .text("<\(request.parameters["n"] ?? "")>")
        }
        let server = try await TestServer.start([stub, .echo()], configuration: .tls())
        // The first transfer opens the connection, the others share it.
        let first = ["-o", "/dev/null", server.baseURL.description + "/echo"]
        let rest = (0..<20).map { "\(server.baseURL)/n/\($0)" }
        let result = try await curl(server, ["--parallel", "--parallel-max", "30"] + first + rest)
        #expect(result.exitCode == 0, "\(result.errors)")
        for index in 0..<20 { #expect(result.text.contains("<\(index)>")) }
        let requests = server.requests.filter { $0.target.hasPrefix("/n/") }
        #expect(requests.count == 20)
        #expect(Set(requests.map(\.version)) == ["2"])
        #expect(Set(requests.compactMap(\.stream)).count == requests.count || server.statistics.connections > 1)
        #expect(server.statistics.connections <= 2)
        await server.stop()
    }

    @Test func bodiesAndTrailersTravelBothWays() async throws {
        let trailing = StubResponse(body: .text("body"), trailers: [.init("x-sum") ?? .cookie: "7"])
        let stubs = [.mirror(), .pattern(), Stub(.get, "/trailers", trailing)]
        let server = try await TestServer.start(stubs, configuration: .tls())
        let body = String(repeating: "0123456789", count: 100_000)
        try await withFile(body) { file in
            let result = try await curl(server, ["--data-binary", "@" + file, server.baseURL.description + "/mirror"])
            #expect(result.text == body, "\(result.errors)")
        }
        let pattern = try await curl(server, [server.baseURL.description + "/bytes?bytes=3000001"])
        #expect(pattern.output.count == 3_000_001)
        #expect(BytePattern.matches(pattern.output, at: 0))
        let trailers = try await curl(server, ["-i", server.baseURL.description + "/trailers"])
        #expect(trailers.text.contains("x-sum: 7"))
        // The client has its response before the server has logged it as completed.
        try await server.wait { requests, _ in requests.count == 3 && requests.allSatisfy { $0.outcome == .completed } }
        await server.stop()
    }

    @Test func targetAndAuthorityAreThoseThatWereSent() async throws {
        let server = try await TestServer.start([.echo()], configuration: .tls())
        _ = try await curl(server, ["-I", "-X", "HEAD", server.baseURL.description + "/echo?a=%2f&b=%C3%A9"])
        let request = try #require(server.requests.first)
        #expect(request.target == "/echo?a=%2f&b=%C3%A9")
        #expect(request.method == .head)
        #expect(request.authority == "127.0.0.1:\(server.port)")
        await server.stop()
    }

    @Test func aResetStreamLeavesTheConnectionAlive() async throws {
        let drop = StubResponse.text("hello").dropping(.afterBodyBytes(2), form: .resetStream)
        let stubs = [Stub(.get, "/drop", drop), Stub(.get, "/ok", .text("fine"))]
        let server = try await TestServer.start(stubs, configuration: .tls())
        let result = try await curl(server, [server.baseURL.description + "/drop", server.baseURL.description + "/ok"])
        #expect(result.text == "hefine")
        #expect(result.errors.contains("curl: (92)"))
        #expect(server.requests.map(\.connection) == [1, 1])
        try await server.wait { requests, _ in requests.first?.outcome == .dropped }
        await server.stop()
    }

    @Test func aDroppedConnectionEndsAllItsStreams() async throws {
        let drop = StubResponse.text("hello").dropping(.afterHead)
        let server = try await TestServer.start([Stub(.get, "/drop", drop)], configuration: .tls())
        let result = try await curl(server, [server.baseURL.description + "/drop"])
        #expect(result.exitCode != 0)
        try await server.wait { $1.openConnections == 0 }
        await server.stop()
    }

    @Test func priorKnowledgeIsUnderstoodWithoutTLS() async throws {
        let server = try await TestServer.start([.echo()])
        let result = try await Tool.curl("--http2-prior-knowledge", "-d", "abc", server.baseURL.description + "/echo")
        #expect(result.text.contains(#""bodyBytes":3"#), "\(result.errors)")
        #expect(server.requests.first?.version == "2")
        await server.stop()
    }

    @Test func withoutHTTP2TheClientFallsBack() async throws {
        var configuration = TestServer.Configuration.tls()
        configuration.offersHTTP2 = false
        let server = try await TestServer.start([.echo()], configuration: configuration)
        _ = try await curl(server, [server.baseURL.description + "/echo"])
        #expect(server.requests.first?.version == "1.1")
        await server.stop()
    }

    @Test func aStreamThatIsNotReadHoldsItsBodyBack() async throws {
        let server = try await TestServer.start([.pattern(isChunked: true)])
        let program = """
            import sys, socket, time
            s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
            def frame(kind, flags, stream, payload):
                return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload
            def literal(name, value):
                return b"\\x00" + bytes([len(name)]) + name + bytes([len(value)]) + value
            head = b"\\x82\\x86" + literal(b":path", b"/bytes?bytes=90000000") + literal(b":authority", b"x")
            s.sendall(b"PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n" + frame(4, 0, 0, b"") + frame(1, 5, 1, head))
            got = 0
            while got < 65535:
                part = s.recv(65536)
                if not part: break
                got += len(part)
            print("full", flush=True)
            s.settimeout(0.5)
            try:
                while True:
                    if not s.recv(65536): break
            except TimeoutError:
                pass
            """
        let result = try await Tool.python(program, "\(server.port)")
        #expect(result.text == "full\n", "\(result.errors)")
        try await server.wait { requests, _ in requests.first?.outcome == .clientWentAway }
        // The window of 65,535 bytes never opened again, and the chunk waiting for it wasn't counted.
        #expect(server.statistics.bytesWritten <= 65_535)
        await server.stop()
    }
}

/// Blocks callers until all have arrived.
private actor Gate {
    private var missing: Int
    private var waiters: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) {
        missing = count
    }

    func arrive() async {
        missing -= 1
        if missing <= 0 {
            for waiter in waiters { waiter.resume() }
            waiters = []
        } else {
            await withCheckedContinuation { waiters.append($0) }
        }
    }
}
#endif
