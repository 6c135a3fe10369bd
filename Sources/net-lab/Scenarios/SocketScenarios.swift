#if Tools && Server
internal import NetCore
internal import NetSocket
internal import NetTestServer
internal import NetTesting

/// WebSockets to a server of their own: messages both ways, pings, and the ways in which they end.
enum SocketScenarios {
    static let all = [echo, coalesced, ping, closing, goodbye, lost, refused]

    /// Peers that the scenarios talk to.
    private static let peers = [
        WebSocketStub.echo(subprotocols: ["harbour.v1"]),
        WebSocketStub(
            "/orders", .text("packed"), .text("shipped"), .close(.serviceRestart, reason: "back in a minute")),
        WebSocketStub("/cut", .text("packed"), .drop(.close)),
    ]

    /// Runs a scenario with a server and a client of its own. HTTP's tally has no part in it.
    private static func scenario(
        _ name: String, _ summary: String, expect expected: String,
        _ body: @escaping @Sendable (_ client: WebSocketClient, _ server: TestServer) async throws -> String
    ) -> Scenario {
        Scenario(name, summary, expect: expected) { _ in
            let stub = Stub(.get, "/private", .text("members only", status: .forbidden))
            let server = try await TestServer.start([stub], webSockets: peers)
            let client = WebSocketClient()
            let result: Result<String, any Error>
            do { result = .success(try await body(client, server)) } catch { result = .failure(error) }
            await client.shutdown()
            await server.stop()
            return try result.get()
        }
    }

    private static let echo = scenario(
        "socket echo", "Text and bytes of 0 to 1,000,000 bytes come back as they were sent.",
        expect: "10 of 10 equal, subprotocol harbour.v1"
    ) { client, server in
        let socket = try await client.connect(
            WebSocketRequest(url: server.webSocketURL + "/echo", subprotocols: ["harbour.v1"]))
        var equal = 0
        for size in [0, 1, 126, 65_536, 1_000_000] {
            let messages = [
                WebSocketMessage.text(String(repeating: "ü", count: size / 2)),
                .binary(BytePattern.bytes(from: 0, count: size)),
            ]
            for message in messages {
                try await socket.send(message)
                if try await socket.receive() == message { equal += 1 }
            }
        }
        await socket.close()
        return "\(equal) of 10 equal, subprotocol \(socket.subprotocol ?? "none")"
    }

    private static let coalesced = scenario(
        "1000 messages", "Sent together, received as they arrive, in their order.", expect: "1000 in order"
    ) { client, server in
        let socket = try await client.connect(server.webSocketURL + "/echo")
        let sent = (0..<1000).map { WebSocketMessage.text("message \($0)") }
        async let sending: Void = socket.send(contentsOf: sent)
        var received: [WebSocketMessage] = []
        while received.count < sent.count { received += try await socket.receiveAll() }
        try await sending
        return "\(received.count) \(received == sent ? "in order" : "in another order")"
    }

    private static let ping = scenario(
        "socket ping", "The time between a ping and its pong.", expect: "a pong within a second, 1 ping seen"
    ) { client, server in
        let socket = try await client.connect(server.webSocketURL + "/echo")
        let time = try await socket.ping()
        try await server.wait { requests, _ in requests.last?.webSocket?.pings == 1 }
        let pings = server.requests.last?.webSocket?.pings ?? 0
        return "a pong \(time < .seconds(1) ? "within a second" : "after \(time)"), \(pings) ping seen"
    }

    private static let closing = scenario(
        "closed by us", "The server learns why.", expect: "the server saw 4001 \"shop closed\""
    ) { client, server in
        let socket = try await client.connect(server.webSocketURL + "/echo")
        await socket.close(WebSocketCloseCode(rawValue: 4001), reason: "shop closed")
        try await server.wait { requests, _ in requests.last?.end != nil }
        return "the server saw \(server.requests.last?.webSocket?.closure?.description ?? "nothing")"
    }

    private static let goodbye = scenario(
        "closed by server", "Its code and reason come after its messages.",
        expect: "packed, shipped, webSocketClosed 1012 \"back in a minute\""
    ) { client, server in
        await ending(of: try await client.connect(server.webSocketURL + "/orders"))
    }

    private static let lost = scenario(
        "cut off socket", "The connection ends without a good-bye.", expect: "packed, connectionLost 1006"
    ) { client, server in
        await ending(of: try await client.connect(server.webSocketURL + "/cut"))
    }

    private static let refused = scenario(
        "refused socket", "The server answers 403 instead of 101.", expect: "unacceptableStatus 403, members only"
    ) { client, server in
        do throws(NetError) {
            _ = try await client.connect(server.webSocketURL + "/private?token=secret")
            return "it was accepted"
        } catch {
            let body = error.response.map { String(decoding: $0.body, as: UTF8.self) } ?? "no body"
            let isRedacted = !"\(error)".contains("secret")
            return "\(error.code) \(error.status ?? 0), \(body)\(isRedacted ? "" : ", and the token was printed")"
        }
    }

    /// The texts of a WebSocket and how it ended.
    private static func ending(of socket: WebSocketConnection) async -> String {
        var parts: [String] = []
        do throws(NetError) {
            while true { parts.append(try await socket.receive().text ?? "bytes") }
        } catch {
            parts.append("\(error.code) \(error.closure?.description ?? "")")
        }
        return parts.joined(separator: ", ")
    }
}
#endif
