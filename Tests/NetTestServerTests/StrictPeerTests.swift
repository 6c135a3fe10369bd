#if Server
import Foundation
import HTTPTypes
import NetCore
import NetTesting
import TestSupport
import Testing

@testable import NetTestServer

/// h11 as the client: a strict state machine for HTTP/1.1 that rejects everything the RFC forbids.
@Suite(.timeLimit(.minutes(1)))
struct StrictPeerTests {
    static let hasPeer = FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/h11")

    /// Sends requests on one connection and prints the result of each: `status body trailers`.
    private static let client = """
        import h11, json, socket, sys
        s = socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=20)
        c = h11.Connection(h11.CLIENT)
        def event():
            while True:
                e = c.next_event()
                if e is not h11.NEED_DATA: return e
                c.receive_data(s.recv(65536))
        for method, target, fields, body, trailers in json.loads(sys.argv[2]):
            s.sendall(c.send(h11.Request(method=method, target=target, headers=[("Host", "x")] + fields)))
            out, text, informational = [], b"", 0
            if ["Expect", "100-continue"] in fields:
                informational = event().status_code
            if body: s.sendall(c.send(h11.Data(data=body.encode())))
            s.sendall(c.send(h11.EndOfMessage(headers=trailers)))
            while True:
                e = event()
                if type(e) is h11.Response: out.append(str(e.status_code))
                if type(e) is h11.Data: text += bytes(e.data)
                if type(e) is h11.EndOfMessage: break
            out.append(text.decode())
            out += [f"{n.decode()}={v.decode()}" for n, v in e.headers]
            if informational: out.append(str(informational))
            print(" ".join(out))
            if c.our_state is h11.MUST_CLOSE: break
            c.start_next_cycle()
        print("closed" if c.our_state is h11.MUST_CLOSE else "open")
        """

    private func run(_ server: TestServer, _ requests: String) async throws -> [String] {
        let result = try await Tool.python(Self.client, "\(server.port)", requests)
        #expect(result.exitCode == 0, "\(result.errors)")
        return result.text.split(separator: "\n").map(String.init)
    }

    private static let stubs: [Stub] = [
        Stub(.get, "/value", .text("value")), Stub(.head, "/value", .text("value")),
        Stub(.get, "/made") { _ in .text("made") }, Stub(.delete, "/value", .status(.noContent)),
        Stub(.get, "/unchanged", StubResponse(status: .notModified, headers: [.eTag: "\"1\""])),
        Stub(.get, "/chunks", .chunks(["one ", "two"])),
        Stub(.get, "/trailers", StubResponse(body: .text("body"), trailers: [.init("x-sum") ?? .cookie: "7"])),
        Stub(.get, "/last", .text("bye").header(.connection, "close")), .mirror(),
    ]

    @Test(.enabled(if: hasPeer, "scripts/bootstrap --tests installs python3-h11"))
    func everyKindOfResponseIsWellFormed() async throws {
        let server = try await TestServer.start(Self.stubs)
        let lines = try await run(
            server,
            #"""
            [["GET", "/value", [], "", []], ["HEAD", "/value", [], "", []], ["GET", "/made", [], "", []],
             ["DELETE", "/value", [], "", []], ["GET", "/unchanged", [], "", []], ["GET", "/chunks", [], "", []],
             ["GET", "/trailers", [], "", []], ["GET", "/value", [["Content-Length", "0"]], "", []],
             ["GET", "/last", [], "", []], ["GET", "/value", [], "", []]]
            """#)
        #expect(
            lines == [
                "200 value", "200 ", "200 made", "204 ", "304 ", "200 one two", "200 body x-sum=7", "200 value",
                "200 bye",
                "closed",
            ])
        #expect(server.statistics.connections == 1)
        await server.stop()
    }

    @Test(.enabled(if: hasPeer, "scripts/bootstrap --tests installs python3-h11"))
    func everyFramingOfARequestIsUnderstood() async throws {
        let server = try await TestServer.start(Self.stubs)
        let lines = try await run(
            server,
            #"""
            [["POST", "/mirror", [["Content-Length", "3"]], "abc", []],
             ["POST", "/mirror", [["Transfer-Encoding", "chunked"]], "abcd", [["X-Sum", "9"], ["X-More", "m"]]],
             ["POST", "/mirror", [["Content-Length", "2"], ["Expect", "100-continue"]], "ab", []],
             ["POST", "/mirror", [["Content-Length", "0"]], "", []], ["GET", "/value", [], "", []]]
            """#)
        #expect(lines == ["200 abc", "200 abcd", "200 ab 100", "200 ", "200 value", "open"])
        #expect(server.requests.map(\.bodyBytes) == [3, 4, 2, 0, 0])
        let trailers = server.requests.map { $0.trailers?.map { "\($0.name): \($0.value)" } }
        #expect(trailers == [nil, ["X-Sum: 9", "X-More: m"], nil, nil, nil])
        await server.stop()
    }

    /// Overlapping frames, full windows, hundreds of streams: nghttp2's own load tool counts the responses.
    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/h2load"), "scripts/bootstrap --tests installs it")
    )
    func manyStreamsOfHTTP2AreServedInFull() async throws {
        let server = try await TestServer.start([.pattern(bytes: 300_000), Stub(.get, "/value", .text("value"))])
        let paths = ["/bytes", "/value"].map { server.baseURL.description + $0 }
        let result = try await Tool.run("/usr/bin/h2load", ["-n", "600", "-c", "3", "-m", "100", "-t", "1"] + paths)
        #expect(result.text.contains("600 succeeded, 0 failed, 0 errored, 0 timeout"), "\(result.text)")
        // The server counts a write once it has returned, possibly after the client has read everything.
        try await server.wait { _, statistics in statistics.bytesWritten >= 300 * 300_005 }
        #expect(server.statistics.bytesWritten == 300 * 300_005)
        #expect(server.statistics.connections == 3)
        await server.stop()
    }
}
#endif
