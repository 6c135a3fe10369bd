#if Server
import NetCore
import NetHTTP
import NetSocket
import NetSocketServer
import NetStore

extension World {
    private func request(_ call: Call, at url: String) -> WebSocketRequest {
        var request = WebSocketRequest(
            url: "\(url)/s/\(call.number)", query: call.queryItems, headers: call.headerFields)
        request.subprotocols = call.subprotocols
        return request
    }

    /// Opens a WebSocket, and exchanges the messages of the call.
    private func talk(_ call: Call, at url: String) async throws {
        guard let sent = call.sent, let received = call.received else { return }
        let client = try sockets(call.credential, at: url)
        let request = request(call, at: url)
        outputs.print("request", request)
        outputs.print("request", client)
        do {
            let socket = try await client.connect(request)
            outputs.print("response", socket)
            for index in 0..<max(sent.count, received.count) {
                if index < sent.count { try await socket.send(sent[index]) }
                if index < received.count { outputs.print("response", try await socket.receive()) }
            }
            await socket.close(.normalClosure, reason: sent.last ?? "")
        } catch {
            outputs.print("error", error)
            outputs.add("error", error.debugSummary)
        }
    }

    /// Exchanges the messages of all calls with the test server, and then with a server that shows what it receives.
    func talk(_ calls: [Call]) async throws {
        let calls = calls.filter { $0.sent != nil }
        if calls.isEmpty { return }
        for call in calls { try await talk(call, at: "ws" + url.dropFirst(4)) }
        let replies = Dictionary(uniqueKeysWithValues: calls.map { ("/s/\($0.number)", $0.received ?? []) })
        var router = SocketRouter<Void>()
        router.onMessage { message, context in
            for reply in replies[context.connection.path] ?? [] { context.connection.post(.text(reply)) }
        }
        var configuration = SocketServerConfiguration()
        configuration.wires = ["*": .raw]
        configuration.subprotocols = ["chat"]
        configuration.logger = Lines.logger(outputs, "server-log")
        configuration.listeners = [
            SocketServerLog(logger: Lines.logger(outputs, "server-log"), detail: .verbose),
            Watcher(outputs: outputs, side: "server-"), MetricsListener(Labels(outputs: outputs)),
        ]
        let server = SocketServer(router: router, configuration: configuration)
        try await withThrowingTaskGroup { group in
            group.addTask { try await server.run() }
            let url = try await server.address.url
            for call in calls { try await talk(call, at: url) }
            outputs.print("server-log", server)
            server.stop()
            try await group.waitForAll()
        }
    }
}
#endif
