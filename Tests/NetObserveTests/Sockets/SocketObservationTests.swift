#if os(Linux) && Server
@testable import ClientTestSupport
import HTTPTypes
import Logging
import NetHTTP
import NetSocket
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// The events, logs and metrics of an open WebSocket.
@Suite(.timeLimit(.minutes(1))) struct SocketObservationTests {
    /// Collects events; its interest is given at creation.
    private final class Collector: ActivityListener {
        let interest: ActivityInterest
        private let all = Locked<[SocketEvent]>([])
        private let calls = Locked<[ActivityEvent]>([])

        init(_ interest: ActivityInterest) { self.interest = interest }

        func record(_ event: ActivityEvent) { calls.change { $0.append(event) } }
        func record(_ event: SocketEvent) { all.change { $0.append(event) } }

        var events: [SocketEvent] { all.value }
        var callCount: Int { calls.value.count }
        var lines: [String] { events.map { SocketObservationTests.line($0) } }
    }

    private static func line(_ event: SocketEvent) -> String {
        switch event.kind {
        case .opened(let opening):
            "opened \(opening.subprotocol ?? "-") \(opening.compression == nil ? "plain" : "compressed")"
        case .frame(let frame): "\(frame.direction) \(frame.kind) \(frame.bytes) \(frame.preview ?? "-")"
        case .roundTrip: "round trip"
        case .closed(let ending):
            "closed \(ending.code) \(ending.isByPeer) \(ending.sent.messages)/\(ending.sent.bytes) "
                + "\(ending.received.messages)/\(ending.received.bytes) \(ending.error.code)"
        }
    }

    private static func withServer(
        _ listeners: [any ActivityListener], _ middleware: [any Middleware] = [],
        _ body: (WebSocketClient, TestServer) async throws -> Void
    ) async throws {
        var echo = WebSocketStub("/echo", subprotocols: ["chat"], .echo)
        echo.compression = WebSocketCompression()
        let server = try await TestServer.start(webSockets: [
            echo, WebSocketStub("/away", .text("bye"), .close(.init(rawValue: 4001), reason: "token geheim is over")),
            WebSocketStub("/drop", .text("bye"), .drop(.reset)),
        ])
        let client = WebSocketClient(baseURL: server.baseURL) {
            $0.listeners = listeners
            $0.middleware = middleware
        }
        try await body(client, server)
        await client.shutdown()
        await server.stop()
    }

    @Test func everythingIsSeenByWhoWantsIt() async throws {
        let (all, sockets, calls) = (
            Collector([.calls, .sockets, .socketFrames, .socketPreviews]), Collector(.sockets), Collector(.calls)
        )
        try await Self.withServer([all, sockets, calls]) { client, server in
            var request = WebSocketRequest("echo", subprotocols: ["chat"])
            request.compression = WebSocketCompression()
            let socket = try await client.connect(request)
            try await socket.send(#"{"name":"Ada","token":"geheim"}"#)
            _ = try await socket.receive()
            try await socket.send(Bytes([1, 2, 3]))
            _ = try await socket.receive()
            try await socket.ping()
            await socket.close(reason: "done")
        }
        let text = #"{"name":"Ada","token":"<redacted>"}"#
        #expect(
            all.lines == [
                "opened chat compressed", "sent text 31 \(text)", "received text 31 \(text)", "sent binary 3 -",
                "received binary 3 -", "sent ping 1 -", "received pong 1 -", "round trip", "sent close 6 -",
                "received close 6 -", "closed 1000 false 2/34 2/34 webSocketClosed",
            ])
        #expect(all.events.map(\.sequence) == Array(1...11))
        #expect(Set(all.events.map(\.socket)).count == 1)
        #expect(
            sockets.lines == ["opened chat compressed", "round trip", "closed 1000 false 2/34 2/34 webSocketClosed"])
        #expect(calls.lines.isEmpty)
        #expect(calls.callCount == 3)
        #expect(sockets.callCount == 0)
        #expect(all.callCount == 3)
        let address = try #require(
            all.events.first.flatMap { if case .opened(let opening) = $0.kind { opening.address } else { nil } })
        #expect(address.hasPrefix("127.0.0.1:"))
    }

    /// The loop may be writing when a message is appended: a receiver continues while the turn that delivered to it
    /// isn't over.
    @Test func aMessageIsSeenBeforeTheReplyToIt() async throws {
        let collector = Collector([.sockets, .socketFrames])
        try await Self.withServer([collector]) { client, _ in
            try await withThrowingDiscardingTaskGroup { tasks in
                for _ in 0..<4 {
                    tasks.addTask {
                        let socket = try await client.connect(WebSocketRequest("echo"))
                        for number in 0..<500 {
                            try await socket.send(String(repeating: "x", count: number))
                            _ = try await socket.receive()
                        }
                        await socket.close()
                    }
                }
            }
        }
        var lengths: [CallID: [Int]] = [:]
        for event in collector.events {
            guard case .frame(let frame) = event.kind, frame.kind == .text else { continue }
            lengths[event.socket, default: []].append(frame.direction == .sent ? frame.bytes : -frame.bytes)
        }
        #expect(lengths.count == 4)
        for each in lengths.values { #expect(each == (0..<500).flatMap { [$0, -$0] }) }
    }

    @Test(arguments: [
        ("away", "closed 4001 true 0/0 1/3 webSocketClosed"), ("drop", "closed 1006 true 0/0 1/3 connectionLost"),
    ])
    func theEndIsSeenThoughNobodyReceives(_ path: String, _ line: String) async throws {
        let collector = Collector(.sockets)
        try await Self.withServer([collector]) { client, _ in
            let socket = try await client.connect(WebSocketRequest(Path(path)))
            let isOver = await waitUntil { collector.lines.count == 2 }
            #expect(isOver)
            withExtendedLifetime(socket) {}
        }
        #expect(collector.lines.last == line)
        #expect(!"\(collector.events)".contains("geheim"))
    }

    @Test func pingsOfTheLivenessHaveRoundTrips() async throws {
        let collector = Collector([.sockets, .socketFrames])
        try await Self.withServer([collector]) { client, _ in
            var request = WebSocketRequest("echo")
            request.liveness = WebSocketLiveness(silence: .milliseconds(30), grace: .seconds(10))
            let socket = try await client.connect(request)
            let isThere = await waitUntil { collector.lines.filter { $0 == "round trip" }.count >= 2 }
            #expect(isThere)
            withExtendedLifetime(socket) {}
        }
        #expect(collector.lines.prefix(4) == ["opened - plain", "sent ping 1 -", "received pong 1 -", "round trip"])
    }

    @Test func aWebSocketInMemoryIsSeenTheSameWay() async throws {
        let collector = Collector([.sockets, .socketFrames])
        var echo = WebSocketStub.echo(subprotocols: ["chat"])
        echo.compression = WebSocketCompression()
        let configuration = WebSocketClient.Configuration(listeners: [collector])
        let client = WebSocketClient(configuration: configuration, transport: MockWebSocketTransport([echo]))
        var request = WebSocketRequest(url: "ws://example.com/echo", subprotocols: ["chat"])
        request.compression = WebSocketCompression()
        let socket = try await client.connect(request)
        try await socket.send("hello")
        _ = try await socket.receive()
        try await socket.ping()
        await socket.close(reason: "done")
        #expect(
            collector.lines == [
                "opened chat compressed", "sent text 5 -", "received text 5 -", "sent ping 1 -", "received pong 1 -",
                "round trip", "sent close 6 -", "received close 6 -",
                "closed 1000 false 1/5 1/5 webSocketClosed",
            ])
        await client.shutdown()
    }

    @Test func partsOfAMessageAreFrames() async throws {
        let collector = Collector([.sockets, .socketFrames])
        try await Self.withServer([collector]) { client, _ in
            let socket = try await client.connect(WebSocketRequest("echo"))
            let parts = AsyncStream<Bytes> { feed in
                feed.yield(Bytes("ab".utf8))
                feed.yield(Bytes("c".utf8))
                feed.finish()
            }
            try await socket.send(parts: parts, as: .text)
            _ = try await socket.receive()
            await socket.close()
        }
        #expect(
            collector.lines.prefix(5) == [
                "opened - plain", "sent text 2 -", "sent text 1 -", "sent text 0 -", "received text 3 -",
            ])
        #expect(collector.lines.last == "closed 1000 false 1/3 1/3 webSocketClosed")
    }

    @Test func linesOfALogSayWhatItCarried() async throws {
        for detail in LoggingMiddleware.Detail.allCases {
            let sink = LogSink()
            let logging = LoggingMiddleware(logger: sink.logger(), detail: detail)
            try await Self.withServer([], [logging]) { client, _ in
                let socket = try await client.connect(WebSocketRequest("echo", query: ["token": "geheim"]))
                try await socket.send("geheim")
                _ = try await socket.receive()
                await socket.close()
            }
            let lines = sink.lines.filter { $0.metadata["attempt"] == nil }.map(\.text)
            let isOpened = lines.contains { $0.hasPrefix("info ⇄ opened, 127.0.0.1:") }
            #expect(isOpened == (detail >= .standard), "\(lines)")
            let ends = lines.filter { $0.hasPrefix("info ✗ ") }
            #expect(ends.count == (detail > .none ? 1 : 0), "\(lines)")
            #expect(ends.allSatisfy { $0 == "info ✗ closed here; sent 1 messages, 6 B; received 1, 6 B" }, "\(ends)")
            let metadata = sink.lines.filter { $0.metadata["code"] != nil }.map(\.metadata)
            #expect(metadata.allSatisfy { $0["code"] == "1000" && $0["duration"] != nil })
            #expect(metadata.allSatisfy { $0["url"]?.hasPrefix("http://127.0.0.1:") == true })
            #expect(lines.contains { $0.hasSuffix("text 6 B") } == (detail == .verbose))
            #expect(!"\(sink.lines)".contains("geheim"))
        }
    }

    @Test func aLossIsAWarning() async throws {
        let sink = LogSink()
        try await Self.withServer([], [LoggingMiddleware(logger: sink.logger(), detail: .minimal)]) { client, _ in
            let socket = try await client.connect(WebSocketRequest("drop"))
            let isOver = await waitUntil { sink.lines.contains { $0.level == .warning } }
            #expect(isOver)
            withExtendedLifetime(socket) {}
        }
        let line = try #require(sink.lines.first { $0.level == .warning })
        #expect(line.message.contains("without a closing handshake"))
        #expect(line.metadata["error"] == "connectionLost")
        #expect(line.metadata["code"] == "1006")
    }

    @Test func metricsCountWebSockets() async throws {
        let metrics = PrometheusMetrics()
        try await Self.withServer([MetricsListener(metrics, labelsServer: false)]) { client, _ in
            let socket = try await client.connect(WebSocketRequest("echo"))
            #expect(metrics.text().contains(#"swift_net_client_websocket_open{url_scheme="http"} 1"#))
            try await socket.send("hello")
            _ = try await socket.receive()
            try await socket.ping()
            await socket.close()
        }
        let text = metrics.text()
        for line in [
            #"swift_net_client_websocket_open{url_scheme="http"} 0"#,
            #"swift_net_client_websocket_messages_total{url_scheme="http",network_io_direction="transmit"} 1"#,
            #"swift_net_client_websocket_io_bytes_total{url_scheme="http",network_io_direction="receive"} 5"#,
            #"swift_net_client_websocket_duration_seconds_count{url_scheme="http",swift_net_websocket_close_code="1000"} 1"#,
            #"swift_net_client_websocket_round_trip_seconds_count{url_scheme="http"} 1"#,
        ] { #expect(text.contains(line), "\(line) is missing in \(text)") }
    }

    @Test func aPlantedSecretIsNowhere() async throws {
        let secret = "geheim-0815"
        let collector = Collector([.calls, .sockets, .socketFrames, .socketPreviews])
        let sink = LogSink()
        var stub = WebSocketStub("/echo", subprotocols: [secret]) { socket in
            _ = try await socket.receive()
            try await socket.send(#"{"access_token":"\#(secret)"}"#)
            try await socket.close(.init(rawValue: 4000), reason: secret)
        }
        stub.compression = WebSocketCompression(minimumBytes: 0)
        let server = try await TestServer.start(webSockets: [stub])
        let metrics = PrometheusMetrics()
        let client = WebSocketClient(baseURL: server.baseURL) {
            $0.listeners = [collector, MetricsListener(metrics)]
            $0.middleware = [LoggingMiddleware(logger: sink.logger(), detail: .verbose)]
        }
        var request = WebSocketRequest(
            "echo", query: ["token": secret], headers: [.authorization: "Bearer \(secret)"])
        request.secretSubprotocol = secret
        request.compression = WebSocketCompression(minimumBytes: 0)
        let socket = try await client.connect(request)
        try await socket.send(secret)
        _ = try await socket.receive()
        let error = await #expect(throws: NetError.self) { _ = try await socket.receive() }
        #expect(error?.closure?.reason == secret, "the program itself gets the reason")
        let isOver = await waitUntil { collector.lines.last?.hasPrefix("closed 4000 true 1/") == true }
        #expect(isOver)
        var dumped = ""
        dump(error, to: &dumped)
        dump(collector.events, to: &dumped)
        dump(socket, to: &dumped)
        dump(client, to: &dumped)
        let everything = "\(collector.events)\(sink.lines)\(metrics.text())\(error.map { "\($0)" } ?? "")" + dumped
        #expect(!everything.contains(secret))
        await client.shutdown()
        await server.stop()
    }
}

/// Waits until a condition holds, for at most ten seconds.
private func waitUntil(_ condition: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + .seconds(10)
    while ContinuousClock.now < end {
        if condition() { return true }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return condition()
}
#endif
