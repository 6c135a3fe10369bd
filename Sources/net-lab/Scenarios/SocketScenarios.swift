#if Tools && Server
internal import NetCore
internal import NetSocket
internal import NetTestServer
internal import NetTesting

/// Scenarios with WebSockets to a separate peer: messages in both directions, pings, and the ways in which they end.
enum SocketScenarios {
    static let all = [coalesced, ping, goodbye, lost, refused]

    /// The peers of the scenarios.
    private static let peers = [
        WebSocketStub.echo(),
        WebSocketStub(
            "/orders", .text("packed"), .text("shipped"), .close(.serviceRestart, reason: "back in a minute")),
        WebSocketStub("/cut", .text("packed"), .drop(.close)),
    ]

    /// Creates a scenario with its own peer and client. The tally of HTTP calls doesn't include it.
    private static func scenario(
        _ name: String, _ summary: String, expect expected: String, needsWire: Bool = false,
        _ body: @escaping @Sendable (_ client: WebSocketClient, _ peer: LabPeer) async throws -> String
    ) -> Scenario {
        Scenario(name, summary, expect: expected, needsWire: needsWire) { lab in
            let stub = Stub(.get, "/private", .text("members only", status: .forbidden))
            return try await Workbench.with(lab.peer.mode, [stub], webSockets: peers) { bench in
                let client = bench.peer.sockets()
                let result: Result<String, any Error>
                do { result = .success(try await body(client, bench.peer)) } catch { result = .failure(error) }
                await client.shutdown()
                return try result.get()
            }
        }
    }

    private static let coalesced = scenario(
        "1000 messages", "Sent together, received as they arrive, in their order.", expect: "1000 in order"
    ) { client, peer in
        let socket = try await client.connect(peer.webSocketURL + "/echo")
        let sent = (0..<1000).map { WebSocketMessage.text("message \($0)") }
        async let sending: Void = socket.send(contentsOf: sent)
        var received: [WebSocketMessage] = []
        while received.count < sent.count { received += try await socket.receiveAll() }
        try await sending
        return "\(received.count) \(received == sent ? "in order" : "in another order")"
    }

    private static let ping = scenario(
        "socket ping", "The time between a ping and its pong.", expect: "a pong within a second, 1 ping seen",
        needsWire: true
    ) { client, peer in
        let socket = try await client.connect(peer.webSocketURL + "/echo")
        let time = try await socket.ping()
        let server = try peer.server
        try await server.wait { requests, _ in requests.last?.webSocket?.pings == 1 }
        let pings = server.requests.last?.webSocket?.pings ?? 0
        return "a pong \(time < .seconds(1) ? "within a second" : "after \(time)"), \(pings) ping seen"
    }

    private static let goodbye = scenario(
        "closed by server", "Its code and reason arrive after its messages.",
        expect: "packed, shipped, webSocketClosed 1012 \"back in a minute\""
    ) { client, peer in
        await ending(of: try await client.connect(peer.webSocketURL + "/orders"))
    }

    private static let lost = scenario(
        "cut off socket", "The connection ends without a close frame.", expect: "packed, connectionLost 1006"
    ) { client, peer in
        await ending(of: try await client.connect(peer.webSocketURL + "/cut"))
    }

    private static let refused = scenario(
        "refused socket", "The server responds with 403 instead of 101.", expect: "unacceptableStatus 403, members only"
    ) { client, peer in
        do throws(NetError) {
            _ = try await client.connect(peer.webSocketURL + "/private?token=secret")
            return "it was accepted"
        } catch {
            let body = error.response.map { String(decoding: $0.body, as: UTF8.self) } ?? "no body"
            let isRedacted = !"\(error)".contains("secret")
            return "\(error.code) \(error.status ?? 0), \(body)\(isRedacted ? "" : ", and the token was printed")"
        }
    }

    /// Returns the remaining texts of a WebSocket and how it ended.
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
