#if Server
import HTTPTypes
import Logging
import NetCore
import NetObserve
import NetSocket
import NetSocketServer
import NetTesting
import TestSupport
import Testing

#if Tracing
import InMemoryTracing
import Tracing
#endif

/// Secrets in every place that a server's client controls; all output of the server is searched for them.
@Suite(.timeLimit(.minutes(5))) struct PlantedServerSecretTests {
    private struct Odd: Error, CustomStringConvertible {
        var token = "PLANTED-thrown"
        var description: String { token }
    }

    private static var router: SocketRouter<User> {
        var router = SocketRouter<User>()
        router.channel("room:*") { _ in throw SocketFailure("forbidden", "PLANTED-refusal") }
        router.on(Say.self) { say, _ in
            if say.text.contains("words") { throw SocketFailure("closed", "PLANTED-words") }
            throw Odd()
        }
        return router
    }

    private static let messages = [
        #"{"event":"say","requestId":"1","payload":{"text":"a","token":"PLANTED-payload"}}"#,
        #"{"event":"say","requestId":"2","payload":{"text":"words","password":"PLANTED-password"}}"#,
        #"{"event":"say","requestId":"3","payload":{"token":"PLANTED-unreadable"}}"#,
        #"{"event":"PLANTED-event","requestId":"4"}"#,
        #"{"event":"say","requestId":"5","topic":"PLANTED-topic","payload":{"text":""}}"#,
        #"{"event":"join","requestId":"6","topic":"room:PLANTED-room"}"#,
        #"{"event":"join","requestId":"7","topic":"PLANTED-channel"}"#,
        "PLANTED-message",
    ]

    @Test func `No secret of a client or handler is in a log, event, metric or span`() async throws {
        let log = Locked<[String]>([])
        var logger = Logger(label: "test") { _ in LineLog(lines: log) }
        logger.logLevel = .trace
        let watcher = Watcher([.socketServers, .sockets, .socketFrames])
        let prometheus = PrometheusMetrics()
        var configuration = SocketServerConfiguration()
        configuration.logger = logger
        configuration.subprotocols = ["PLANTED-protocol"]
        configuration.listeners = [
            watcher, SocketServerLog(logger: logger, detail: .verbose), MetricsListener(prometheus),
        ]
        #if Tracing
        let tracer = InMemoryTracer()
        configuration.addTracing(tracer)
        #endif
        let seen = Locked<[String]>([])
        let server = SocketServer(
            identifying: Self.router, configuration: configuration,
            by: { handshake in
                seen.change {
                    $0 += [handshake.bearer ?? "", handshake.query["token"] ?? "", handshake.cookies["session"] ?? ""]
                    $0 += handshake.subprotocols
                }
                if handshake.query["user"] == nil { throw Odd() }
                return SocketIdentity(User(name: "PLANTED-name"), user: "PLANTED-user")
            })
        let received = Locked<[String]>([])
        try await withThrowingTaskGroup { group in
            group.addTask { try await server.run() }
            let url = try await server.address.url
            var request = WebSocketRequest(
                url: "\(url)/ada:PLANTED-path@x/socket?user=ada&token=PLANTED-query",
                headers: [.authorization: "Bearer PLANTED-bearer", .cookie: "session=PLANTED-cookie"])
            request.subprotocols = ["other", "secret.PLANTED-offer"]
            let socket = try await WebSocketClient().connect(request)
            for message in Self.messages { try await socket.send(message) }
            while received.value.count < Self.messages.count - 1 {
                let text = try await socket.receive().text ?? ""
                received.change { $0.append(text) }
            }
            await socket.close(.normalClosure, reason: "PLANTED-reason")
            request.query = ["token": "PLANTED-refused"]
            _ = try? await WebSocketClient().connect(request)
            server.stop()
            try await group.waitForAll()
        }
        var said = log.value.map { ("log", $0) }
        for activity in watcher.activities { said.append(("activity", dumped(activity))) }
        for event in watcher.sockets { said.append(("event", dumped(event))) }
        said += [("metrics", prometheus.text()), ("server metrics", configuration.metrics.text())]
        #if Tracing
        for span in tracer.finishedSpans {
            var text = "\(span.operationName) \(span.status.map { "\($0)" } ?? "") \(span.errors)"
            // swift-format-ignore: ReplaceForEachWithForLoop
            span.attributes.forEach { text += " \($0)=\($1)" }
            said.append(("span", text))
        }
        #expect(tracer.finishedSpans.count >= 4)
        #endif
        #expect(log.value.count > 15)
        #expect(watcher.activities.count > 8)
        #expect(watcher.sockets.count > 15)
        for (place, text) in said { #expect(!text.contains("PLANTED"), "\(place): \(text.prefix(400))") }
        // Checks that they were received, otherwise the test would prove nothing.
        for secret in ["bearer", "query", "cookie", "offer"] {
            #expect(seen.value.contains { $0.contains("PLANTED-\(secret)") }, "\(secret)")
        }
        #expect(received.value.contains { $0.contains("PLANTED-words") })
    }

    private func dumped(_ value: Any) -> String {
        var text = "\(value) "
        dump(value, to: &text)
        return text
    }
}
#endif
