#if Tools && Server
internal import Foundation
internal import HTTPTypes
internal import NetCore
internal import NetHTTP
internal import NetSocket
internal import NetTestServer
internal import NetTesting

/// Proofs about caches, contracts and WebSockets.
extension Proofs {
    static let cacheLab = Scenario(
        "cache lab", "Fresh responses aren't requested again, stale ones only by their tag (RFC 9111).",
        expect: "fresh: 2 answers of 1 request; old: 2 of 2, the last for \"1\""
    ) { lab in
        let cached = lab.with { $0.middleware = [CacheMiddleware()] }
        var parts: [String] = []
        for path in ["charts/north", "charts/tides"] as [Path] {
            let before = lab.peer.arrived
            let request = Request<String>(path, serializer: .string)
            let answers = [try await cached.send(request), try await cached.send(request)]
            parts.append("\(answers.count { $0 == "a chart" })")
            parts.append("\(lab.peer.arrived - before)")
        }
        let tag = lab.peer.requests.last?.headers[.ifNoneMatch] ?? "anything"
        return "fresh: \(parts[0]) answers of \(parts[1]) request; old: \(parts[2]) of \(parts[3]), the last for \(tag)"
    }

    static let contractServer = Scenario(
        "contract server", "Requests in the contract get responses; others are refused and reported.",
        expect: "read, add kept: Doggerland, North Sea; a third is refused by its path"
    ) { lab in
        try await lab.contracted { lab, contract in
            let added = try await lab.send(
                Request<Shop.Chart>("charts", method: .post, body: .json(Shop.Chart(name: "Doggerland"))))
            let read = try await lab.send(Request<Shop.Chart>("charts/1"))
            let kept = Set(contract.report.matches.map(\.expectation))
            let all = contract.report.expectations.filter { kept.contains($0) }
            let isRefused = await lab.failure(of: Request<Shop.Chart>("charts/2")) != nil
            let drift = contract.report.violations.first
            return "\(all.joined(separator: ", ")) kept: \(added.name), \(read.name); "
                + "a third is \(isRefused ? "refused" : "answered") by its \(drift?.differences.first?.field ?? "none")"
        }
    }

    static let webSocketEcho = Scenario(
        "WebSocket echo", "Text and bytes of 0 to 1,000,000 bytes are returned as they were sent.",
        expect: "10 of 10 equal, subprotocol harbour.v1"
    ) { lab in
        let request = WebSocketRequest(url: lab.peer.webSocketURL + "/echo", subprotocols: ["harbour.v1"])
        let socket = try await lab.connect(request)
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

    static let socketClose = Scenario(
        "socket close", "The server receives the reason.", expect: "hello; the server saw 4001 \"shop closed\""
    ) { lab in
        let socket = try await lab.connect(WebSocketRequest(url: lab.peer.webSocketURL + "/echo"))
        try await socket.send("hello")
        let echo = try await socket.receive().text ?? "bytes"
        await socket.close(try CloseFrameCode(4001), reason: "shop closed")
        let closure = try await lab.peer.endedSocket()?.closure
        return "\(echo); the server saw \(closure?.description ?? "nothing")"
    }
}

extension Lab {
    /// Calls `body` with a lab whose client uses a peer that implements the contract: a separate server, or in memory
    /// the contract itself.
    fileprivate func contracted(
        _ body: (Lab, any ContractChecking) async throws -> String
    ) async throws -> String {
        var lab = with { $0.middleware = [CountingMiddleware(tally: tally)] }
        guard case .live = peer else {
            let contracted = ContractTransport(world.contract)
            lab.client = HTTPClient(configuration: lab.client.configuration, transport: contracted)
            return try await body(lab, contracted)
        }
        let contracted = try await TestServer.start(contract: world.contract)
        let result: Result<String, any Error>
        do {
            let url = try BaseURL("\(contracted.server.baseURL)/v1")
            lab = lab.with { $0.baseURL = url }
            result = .success(try await body(lab, contracted))
        } catch {
            result = .failure(error)
        }
        await contracted.stop()
        return try result.get()
    }
}

/// Counts requests to a peer other than the lab's.
private struct CountingMiddleware: Middleware {
    let tally: Tally

    func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        tally.countAttemptElsewhere()
        return try await next(request, context)
    }
}
#endif
