#if Server
import Foundation
import HTTPTypes
import NetCore
import NetTesting
import TestSupport
import Testing

@testable import NetTestServer

/// The WebSockets of the test server, with the client of Python's `websockets` and with raw bytes.
@Suite(.timeLimit(.minutes(1)))
struct WebSocketTests {
    /// True if the system's Python has the package; checked as a file, because traits are evaluated on the tests'
    /// threads.
    private static let hasClient: Bool = {
        let file = "/usr/lib/python3/dist-packages/websockets/legacy/client.py"
        let isInstalled = FileManager.default.fileExists(atPath: file)
        if !isInstalled { print("skipped: no websockets; scripts/bootstrap --tests installs it") }
        return isInstalled
    }()

    /// Runs `body`, which uses `socket`, on a connection; returns its output.
    private func python(_ server: TestServer, _ path: String, _ body: String, options: String = "") async throws
        -> String
    {
        let lines = body.split(separator: "\n", omittingEmptySubsequences: false).map { "            " + $0 }
        let program = """
            import asyncio, ssl, sys, websockets
            from websockets.legacy.client import connect
            async def main():
                context = ssl.create_default_context(cadata=sys.argv[2]) if sys.argv[2] else None
                async with connect(sys.argv[1], ssl=context, compression=None, max_size=None\(options)) as socket:
                    try:
            \(lines.joined(separator: "\n"))
                    except websockets.exceptions.ConnectionClosed as error:
                        print("closed", socket.close_code, socket.close_reason)
            asyncio.run(asyncio.wait_for(main(), 20))
            """
        let result = try await Tool.python(program, server.webSocketURL + path, server.caCertificatePEM ?? "")
        #expect(result.errors == "")
        return result.text
    }

    @Test(.enabled(if: hasClient), arguments: [false, true])
    func everySizeIsEchoed(isSecure: Bool) async throws {
        let server = try await TestServer.start(
            webSockets: [.echo()], configuration: isSecure ? .tls() : TestServer.Configuration())
        let output = try await python(
            server, "/echo",
            """
            for size in [0, 1, 125, 126, 65535, 65536, 3000000]:
                for message in [bytes(n & 255 for n in range(size)), "ü" * (size // 2)]:
                    await socket.send(message)
                    if await socket.recv() != message: print("another came back at", size)
            await (await socket.ping(b"hello"))
            await socket.close(4001, "enough")
            """)
        #expect(output == "")
        try await server.wait { requests, _ in requests.first?.end != nil }
        let logged = try #require(server.requests.first)
        #expect(logged.outcome == .completed)
        #expect(logged.status == 101)
        let socket = try #require(logged.webSocket)
        #expect(socket.messageCount == 14)
        #expect(socket.pings == 1)
        #expect(socket.messages.prefix(4) == [.binary(Bytes()), .text(""), .binary(Bytes([0])), .text("")])
        #expect(socket.closure == WebSocketClosure(code: .init(rawValue: 4001), reason: "enough", isByPeer: true))
        await server.stop()
    }

    @Test(.enabled(if: hasClient)) func aScriptRunsStepByStep() async throws {
        let server = try await TestServer.start(webSockets: [
            WebSocketStub(
                "/talk/{room}", subprotocols: ["b", "a"], .text("who?"), .expect("Ada"),
                .fragments([Bytes("wel".utf8), Bytes("come".utf8)], isText: true), .ping("x"), .binary([1, 2, 3]),
                .close(.init(rawValue: 4000), reason: "done"))
        ])
        let output = try await python(
            server, "/talk/7",
            """
            print(socket.subprotocol, await socket.recv())
            await socket.send("Ada")
            print(await socket.recv(), await socket.recv())
            await socket.recv()
            """, options: ", subprotocols=['a', 'b']")
        #expect(output == "a who?\nwelcome b'\\x01\\x02\\x03'\nclosed 4000 done\n")
        try await server.wait { requests, _ in requests.first?.end != nil }
        let logged = try #require(server.requests.first)
        #expect(logged.webSocket?.subprotocol == "a")
        #expect(logged.webSocket?.messages == [.text("Ada")])
        #expect(logged.webSocket?.pongs == 1)
        #expect(logged.webSocket?.closure?.isByPeer == false)
        #expect(logged.outcome == .completed)
        await server.stop()
    }

    @Test(.enabled(if: hasClient)) func anotherMessageThanExpectedIsAFailure() async throws {
        let server = try await TestServer.start(webSockets: [WebSocketStub("/", .expect("one"), .text("fine"))])
        let output = try await python(server, "/", "await socket.send('two')\nprint(await socket.recv())")
        #expect(output == "closed 1008 another message was expected\n")
        try await server.wait { requests, _ in requests.first?.end != nil }
        #expect(server.requests.first?.outcome == .failed(#"expected the text "one", got the text "two""#))
        await server.stop()
    }

    @Test(.enabled(if: hasClient)) func aFunctionServesWithTheRequestAtHand() async throws {
        let server = try await TestServer.start()
        server.add(
            WebSocketStub("/rooms/{room}") { socket in
                try await socket.send("room \(socket.request.parameters["room"] ?? "?")")
                while let message = try await socket.receive() { try await socket.send(message) }
            })
        server.add(
            WebSocketStub("/fails") { socket in
                struct Odd: Error {}
                _ = try await socket.receive()
                throw Odd()
            })
        let output = try await python(
            server, "/rooms/a%20b", "print(await socket.recv())\nawait socket.send('x')\nprint(await socket.recv())")
        #expect(output == "room a b\nx\n")
        let failed = try await python(server, "/fails", "await socket.send('x')\nawait socket.recv()")
        #expect(failed == "closed 1011 \n")
        await server.stop()
    }

    @Test(.enabled(if: hasClient), arguments: [ConnectionDrop.Form.close, .reset])
    func aDropIsSeenWithoutACloseFrame(_ form: ConnectionDrop.Form) async throws {
        let server = try await TestServer.start(webSockets: [WebSocketStub("/", .text("a"), .drop(form))])
        let output = try await python(server, "/", "await socket.recv()\nawait socket.recv()")
        #expect(output == "closed 1006 \n")
        try await server.wait { requests, _ in requests.first?.outcome == .dropped }
        await server.stop()
    }

    @Test func requestsWithoutAValidHandshakeReachStubsOrAreRejected() async throws {
        let server = try await TestServer.start(
            [Stub(.get, "/echo", .text("plain")), Stub(.get, "/private", .text("no", status: .forbidden))],
            webSockets: [.echo()])
        let plain = try await Tool.curl(server.baseURL.description + "/echo")
        #expect(plain.text == "plain")
        let handshake = [
            "-H", "Connection: Upgrade", "-H", "Upgrade: websocket", "-H", "Sec-WebSocket-Version: 13", "-w",
            " %{http_code}", "-sS", "--max-time", "20", "--http1.1",
        ]
        let refused = try await Tool.run("/usr/bin/curl", handshake + [server.baseURL.description + "/private"])
        #expect(refused.text == "no 403")
        let broken = try await Tool.run("/usr/bin/curl", handshake + [server.baseURL.description + "/echo"])
        #expect(broken.text.hasSuffix(" 400"), "\(broken.text)")
        #expect(broken.text.contains("Sec-WebSocket-Key"), "\(broken.text)")
        #expect(server.statistics.refusals == 1)
        await server.stop()
    }

    @Test func aClientThatBreaksTheProtocolIsToldWhy() async throws {
        let server = try await TestServer.start(webSockets: [.echo()])
        let socket = try RawSocket(port: server.port)
        let answer = try await offPool {
            let headers = "Host: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            // Frames sent without waiting for the response aren't lost; the second one isn't masked.
            socket.send("GET /echo HTTP/1.1\r\n\(headers)Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
            socket.send([0x81, 0x81, 0, 0, 0, 0, 0x61, 0x81, 0x01, 0x62])
            var bytes: [UInt8] = []
            while true {
                let more = try socket.receive()
                if more.isEmpty { return bytes }
                bytes += more
            }
        }
        let text = String(decoding: answer, as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 101 "))
        #expect(text.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
        let end = try #require(answer.lastIndex(of: UInt8(ascii: "\n")))
        let frames = answer[(end + 1)...]
        #expect(frames.starts(with: [0x81, 1, 0x61, 0x88]))
        #expect(frames.dropFirst(5).starts(with: [0x03, 0xea]))
        try await server.wait { requests, _ in requests.first?.webSocket?.violation != nil }
        #expect(server.requests.first?.webSocket?.closure?.code == .protocolError)
        await server.stop()
    }

    @Test func aReaderThatStopsHoldsThePatternBack() async throws {
        var configuration = TestServer.Configuration()
        configuration.sendBufferBytes = 64 << 10
        let server = try await TestServer.start(
            webSockets: [WebSocketStub("/", .pattern(bytes: 1 << 30, size: 4096))], configuration: configuration)
        let socket = try RawSocket(port: server.port, receiveBuffer: 64 << 10)
        let headers = "Host: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        socket.send("GET / HTTP/1.1\r\n\(headers)Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
        try await server.wait { requests, _ in requests.first?.webSocket != nil }
        let before = Self.residentBytes
        try await Task.sleep(for: .milliseconds(500))
        #expect(Self.residentBytes - before < 64 << 20)
        // Stopping doesn't wait for the consumer.
        await server.stop()
        #expect(server.requests.first?.outcome == .serverStopped)
        withExtendedLifetime(socket) {}
    }

    private static var residentBytes: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
    }

    @Test func theServersStopEndsEveryWebSocket() async throws {
        let server = try await TestServer.start(webSockets: [.echo(), WebSocketStub("/stall", .stall)])
        let headers = "Host: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        let sockets = try (0..<4).map { _ in try RawSocket(port: server.port) }
        for (number, socket) in sockets.enumerated() {
            let path = number % 2 == 0 ? "/echo" : "/stall"
            socket.send("GET \(path) HTTP/1.1\r\n\(headers)Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
        }
        try await server.wait { requests, _ in requests.count { $0.webSocket != nil } == 4 }
        await server.stop()
        #expect(server.requests.map(\.outcome) == Array(repeating: .serverStopped, count: 4))
        #expect(server.statistics.runningRequests == 0)
        #expect(server.statistics.openConnections == 0)
        withExtendedLifetime(sockets) {}
    }
}
#endif
