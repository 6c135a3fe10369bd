#if Server
import HTTPTypes
import NetCore
import NetSocket
import NetSocketServer
import NetTesting
import TestSupport
import Testing

/// Handshakes and other requests on a real port.
@Suite struct HandshakeTests {
    /// Runs a server on a free port until `body` returns.
    static func serve(
        _ change: (inout SocketServerConfiguration) -> Void = { _ in },
        body: @Sendable (SocketServer<User>, SocketServerAddress) async throws -> Void
    ) async throws {
        var router = SocketRouter<User>()
        router.on(Say.self) { say, context in .init(text: "\(context.principal.name): \(say.text)") }
        var configuration = SocketServerConfiguration()
        configuration.subprotocols = ["token"]
        change(&configuration)
        let server = SocketServer(router: router, configuration: configuration) { handshake in
            if handshake.query["user"] == "eve" { throw SocketFailure("forbidden", "eve may not") }
            if handshake.query["user"] == "busy" {
                throw SocketRefusal(.tooManyRequests, "later", headers: [.retryAfter: "7"])
            }
            let name = handshake.bearer ?? handshake.query["user"] ?? handshake.cookies["user"]
            return name.map { User(name: $0) }
        }
        try await withThrowingTaskGroup { group in
            group.addTask { try await server.run() }
            do { try await body(server, server.address) } catch {
                server.stop()
                throw error
            }
            server.stop()
            try await group.waitForAll()
        }
    }

    @Test func `A client is known by a field, a cookie or a query item`() async throws {
        try await Self.serve { server, address in
            for (query, name, value) in [
                ("?user=ada", HTTPField.Name.accept, "*/*"), ("", .authorization, "Bearer ada"),
                ("", .cookie, "theme=dark; user=ada"),
            ] {
                let request = WebSocketRequest(url: "\(address.url)/socket\(query)", headers: [name: value])
                let socket = try await WebSocketClient().connect(request)
                try await socket.send(#"{"event":"say","requestId":"1","payload":{"text":"hello"}}"#)
                let reply = try await socket.receive()
                #expect(reply.text?.contains("ada: hello") == true)
                await socket.close()
            }
        }
    }

    @Test(
        arguments: [
            ("", 401), ("?user=eve", 403), ("?user=busy", 429),
        ])
    func `A client that isn't accepted is refused before the upgrade`(query: String, status: Int) async throws {
        try await Self.serve { server, address in
            await expectStatus(status) { _ = try await WebSocketClient().connect("\(address.url)/socket\(query)") }
            #expect(server.connections.isEmpty)
        }
    }

    @Test func `A path without a wire protocol is refused with 404`() async throws {
        try await Self.serve {
            $0.wires = ["/socket": .json]
        } body: { _, address in
            await expectStatus(404) { _ = try await WebSocketClient().connect("\(address.url)/other?user=ada") }
        }
    }

    @Test func `A request that isn't a handshake gets 426, or what the program answers`() async throws {
        try await Self.serve {
            $0.respond = { $0.path == "/health" ? SocketServerResponse(body: "fine") : nil }
        } body: { _, address in
            let health = try await exchange("GET /health?deep=1 HTTP/1.1\r\nHost: a\r\n\r\n", with: address.port)
            #expect(health.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(health.hasSuffix("\r\n\r\nfine"))
            let other = try await exchange("GET / HTTP/1.1\r\nHost: a\r\n\r\n", with: address.port)
            #expect(other.hasPrefix("HTTP/1.1 426 Upgrade Required\r\n"))
            #expect(other.contains("Upgrade: websocket"))
        }
    }

    enum Broken: String, CaseIterable {
        case withoutKey, oldVersion, otherProtocol, largeHead

        var request: String {
            let upgrade = "GET /socket?user=ada HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            return switch self {
            case .withoutKey: upgrade + "\r\n"
            case .oldVersion:
                upgrade + "Sec-WebSocket-Version: 12\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
            case .otherProtocol: "hello\r\n\r\n"
            case .largeHead: "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 40_000))\r\n\r\n"
            }
        }

        var status: Int {
            switch self {
            case .largeHead: 431
            case .oldVersion: 426
            case .withoutKey, .otherProtocol: 400
            }
        }
    }

    @Test(arguments: Broken.allCases)
    func `A handshake that isn't valid is refused with a reason`(broken: Broken) async throws {
        try await Self.serve { _, address in
            let response = try await exchange(broken.request, with: address.port)
            #expect(response.hasPrefix("HTTP/1.1 \(broken.status) "), "\(response)")
        }
    }

    @Test func `A client that is too slow with its head is dropped`() async throws {
        try await Self.serve {
            $0.limits.handshakeTime = .milliseconds(50)
        } body: { _, address in
            let response = try await exchange("GET / HTTP/1.1\r\nHost:", with: address.port)
            #expect(response == "")
        }
    }

    @Test(
        arguments: [
            ("https://evil.example", 403), ("null", 403), ("http://127.0.0.1", 101),
        ])
    func `A page of another origin may not connect`(origin: String, status: Int) async throws {
        try await Self.serve { _, address in
            let own = origin == "http://127.0.0.1" ? "\(origin):\(address.port)" : origin
            let request = WebSocketRequest(url: "\(address.url)/socket?user=ada", headers: [.origin: own])
            guard status != 101 else { return await (try WebSocketClient().connect(request)).close() }
            await expectStatus(status) { _ = try await WebSocketClient().connect(request) }
        }
    }

    @Test func `An address that a trusted proxy names may have no more connections than its limit`() async throws {
        try await Self.serve {
            $0.proxies = .loopback
            $0.limits.connectionsPerAddress = 1
        } body: { server, address in
            func connect(_ client: String) async throws -> WebSocketConnection {
                let field: HTTPField.Name = "X-Forwarded-For"
                let request = WebSocketRequest(url: "\(address.url)/socket?user=ada", headers: [field: client])
                return try await WebSocketClient().connect(request)
            }
            let first = try await connect("203.0.113.7")
            // The server registers it after its response.
            while server.connections.isEmpty, !Task.isCancelled { await Task.yield() }
            #expect(server.connections.first?.address == "203.0.113.7")
            await expectStatus(429) { _ = try await connect("203.0.113.7") }
            let other = try await connect("203.0.113.8")
            await first.close()
            // Its place is free a moment after the closing handshake.
            var again = try? await connect("203.0.113.7")
            while again == nil, !Task.isCancelled { again = try? await connect("203.0.113.7") }
            await again?.close()
            await other.close()
        }
    }

    @Test func `A message that follows the handshake in one packet is handled`() async throws {
        try await Self.serve { _, address in
            let frame = Array("{\"event\":\"say\",\"requestId\":\"1\",\"payload\":{\"text\":\"at once\"}}".utf8)
            var bytes = Array(
                ("GET /socket?user=ada HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n").utf8)
            bytes += [0x81, 0x80 | UInt8(frame.count), 0, 0, 0, 0] + frame
            let response = try await exchange(bytes, with: address.port, until: "ada: at once")
            #expect(response.hasPrefix("HTTP/1.1 101 "))
            #expect(response.contains("ada: at once"))
        }
    }
}

func expectStatus(_ status: Int, _ body: () async throws -> Void) async {
    do {
        try await body()
        Issue.record("it was not refused")
    } catch {
        #expect((error as? NetError)?.response?.head.status.code == status, "\(error)")
    }
}
#endif
