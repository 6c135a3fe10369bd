import Logging
import NetHTTP
import NetSocket
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport

/// The events, logs and metrics of a session over WebSockets.
@Suite(.timeLimit(.minutes(1))) struct SessionObservationTests {
    private static let secret = "geheim-0815"

    private final class Collector: ActivityListener {
        let interest: ActivityInterest
        private let all = Locked<[SessionActivity]>([])

        init(_ interest: ActivityInterest = .sessions) { self.interest = interest }

        func record(_ event: ActivityEvent) {}
        func record(_ activity: SessionActivity) { all.change { $0.append(activity) } }

        var activities: [SessionActivity] { all.value }
        var lines: [String] { activities.map { SessionObservationTests.line($0.kind) } }
    }

    private static func line(_ kind: SessionActivity.Kind) -> String {
        switch kind {
        case .opened: "opened"
        case .waiting(let attempt, _, let error): "waiting \(attempt) \(error.code)"
        case .paused: "paused"
        case .joined(let topic, let missed): "joined \(topic) \(missed)"
        case .notJoined(let topic, let failure): "not joined \(topic) \(text(failure))"
        case .left(let topic, let code): "left \(topic) \(code ?? "-")"
        case .gap(let topic): "gap \(topic)"
        case .command(let command):
            "\(command.wantsReply ? "command" : "message") \(command.event) \(command.topic ?? "-") "
                + (command.failure.map(text) ?? "done")
        case .subscribed: "subscribed"
        case .unsubscribed(_, let code): "unsubscribed \(code ?? "-")"
        case .unreadable(let error): "unreadable \(error.code)"
        case .undelivered(let count): "undelivered \(count)"
        case .unhandled(let event, let error): "unhandled \(event) \(error.code)"
        case .ended(let error): "ended \(error.map { "\($0.code)" } ?? "-")"
        }
    }

    private static func text(_ failure: SessionActivity.Failure) -> String {
        switch failure {
        case .rejected(let code): "rejected \(code)"
        case .failed(let error): "failed \(error.code)"
        }
    }

    private struct Ask: SocketCommand {
        static let event = "ask"
        struct Response: Codable, Sendable {}
        var token = SessionObservationTests.secret
    }

    private struct Tell: SocketPush {
        static let event = "tell"
        var token = SessionObservationTests.secret
    }

    /// A server that rejects messages marked with `no`, repeats its secret everywhere, and closes after `bye`.
    private static func server(_ wire: SocketWire = .json) -> WebSocketStub {
        WebSocketStub("/socket", subprotocols: wire.subprotocols) { peer in
            var machine = wire.makeMachine(.server)
            let refusal = SocketFailure("no_entry", secret, details: SocketPayload(json: "\"\(secret)\""))
            while let message = try await peer.receive() {
                let reading = try machine.decode(message)
                for answer in reading.responses { try await peer.send(answer) }
                for signal in reading.signals {
                    let answer: WireSignal?
                    switch signal {
                    case .open: answer = .opened(WireOpened())
                    case .request(let request) where request.event == "ask":
                        guard let id = request.id else { continue }
                        let outcome: WireReply.Outcome =
                            request.topic == nil ? .failure(refusal) : .success(SocketPayload(json: "{}"))
                        answer = .reply(WireReply(id: id, event: "ask", topic: request.topic, outcome))
                    case .request, .push:
                        try await peer.send(.text("{\"\(secret)"))
                        answer = nil
                    case .join(let join):
                        answer =
                            join.topic == "no"
                            ? .joinRefused(join.id, topic: join.topic, refusal)
                            : .joined(WireJoined(id: join.id, topic: join.topic, payload: nil))
                    case .leave(let id, let topic): answer = .left(id, topic: topic, nil)
                    case .subscribe(let id, _): answer = .completed(id, refusal)
                    default: answer = nil
                    }
                    if let answer {
                        for message in try machine.encode(answer) { try await peer.send(message) }
                    }
                }
            }
        }
    }

    private static func client(
        _ listeners: [any ActivityListener], _ middleware: [any Middleware] = [], wire: SocketWire = .json,
        clock: TestClock = TestClock(), transport: (any WebSocketTransport)? = nil
    ) -> SocketClient {
        let sockets = WebSocketClient(
            configuration: .init(middleware: middleware, listeners: listeners, clock: clock.netClock),
            transport: transport ?? MockWebSocketTransport([server(wire)]))
        return SocketClient(
            "ws://a.test/socket?token=\(secret)", client: sockets, configuration: .init(wire: wire))
    }

    /// Commands, joins, an unreadable message, and the end.
    private static func talk(_ client: SocketClient) async throws {
        try await client.withConnection { client in
            let room = try await client.join("room") { ["token": secret] }
            try await room.send(Ask())
            await #expect(throws: SocketCommandError.self) { try await client.send(Ask()) }
            await #expect(throws: SocketCommandError.self) { try await client.join("no") }
            let events = client.events()
            try await client.notify(Tell())
            for try await event in events { if case .unreadable = event { break } }
            try await room.leave()
        }
    }

    @Test func sessionEventsAreObservedInOrder() async throws {
        let (collector, indifferent) = (Collector(), Collector([.calls, .sockets, .socketFrames]))
        try await Self.talk(Self.client([collector, indifferent]))
        #expect(
            collector.lines.filter { !$0.hasPrefix("unreadable") } == [
                "opened", "joined room nothing", "command ask room done", "command ask - rejected no_entry",
                "not joined no rejected no_entry", "message tell - done", "left room -", "ended -",
            ])
        // The reply to a message may arrive before its sender continues.
        #expect(collector.lines.suffix(4).contains("unreadable decoding"))
        #expect(indifferent.activities.isEmpty)
        #expect(collector.activities.map(\.sequence) == Array(1...9))
        #expect(Set(collector.activities.map(\.session)).count == 1)
        #expect(Set(collector.activities.map(\.socket)).count == 1)
        #expect(collector.activities.first?.socket != nil)
        #expect(collector.activities.allSatisfy { $0.url == "http://a.test/socket?token=<redacted>" })
    }

    @Test func waitsAndTheLastFailureAreSeen() async throws {
        let (collector, clock) = (Collector(), TestClock())
        let refused = NetError(.connect, phase: .connecting, message: "refused")
        let sockets = WebSocketClient(
            configuration: .init(listeners: [collector], clock: clock.netClock), transport: .failing(with: refused))
        let client = SocketClient(
            "ws://a.test/", client: sockets, configuration: .init(reconnect: ReconnectPolicy(maximumAttempts: 2)))
        client.start()
        while collector.lines.last?.hasPrefix("ended") != true {
            await clock.advance(by: .milliseconds(50))
            await Task.yield()
        }
        #expect(collector.lines.last == "ended connect")
        #expect(collector.lines.dropLast().allSatisfy { $0.hasPrefix("waiting ") && $0.hasSuffix(" connect") })
        #expect(collector.lines.first == "waiting 2 connect")
        #expect(Set(collector.activities.map(\.socket)).count == collector.lines.count)
    }

    @Test func pausesAndSubscriptionsAreSeen() async throws {
        let collector = Collector()
        let client = Self.client([collector], wire: .graphQLTransport)
        await #expect(throws: SocketCommandError.self) {
            try await client.withConnection { client in
                for try await _ in client.subscribe(GraphQLSubscription("subscription { a }", as: Int.self)) {}
            }
        }
        // The session opens in another task than the subscription, so either may come first.
        #expect(Set(collector.lines.prefix(2)) == ["subscribed", "opened"])
        #expect(collector.lines.dropFirst(2) == ["unsubscribed no_entry", "ended -"])

        let (other, paused) = (Collector(), Self.client([]))
        paused.close()
        let second = Self.client([other])
        try await second.withConnection { client in
            for try await state in client.states where state.isOpen { break }
            client.pause()
        }
        #expect(other.lines == ["opened", "paused", "ended -"])
    }

    @Test(arguments: LoggingMiddleware.Detail.allCases)
    func aLogHasItsLines(_ detail: LoggingMiddleware.Detail) async throws {
        let sink = LogSink()
        try await Self.talk(Self.client([], [LoggingMiddleware(logger: sink.logger(), detail: detail)]))
        let url = "http://a.test/socket?token=<redacted>"
        let own = sink.lines.filter { $0.metadata["session"] != nil }
        #expect(own.allSatisfy { $0.metadata["url"] == url })
        let lines = own.map(\.text)
        let warnings = [
            "warning ✗ command failed: refused by the server", "warning ✗ not joined: refused by the server",
        ]
        let all = ["info ⇄ session open", "info ⇄ joined", "info ← reply", "info → message", "info · left"]
        #expect(lines.contains("info · session closed") == (detail > .none), "\(lines)")
        for line in warnings { #expect(lines.contains(line) == (detail > .none), "\(line) in \(lines)") }
        for line in all { #expect(lines.contains(line) == (detail >= .standard), "\(line) in \(lines)") }
        #expect(lines.contains { $0.hasPrefix("warning ✗ unreadable while ") } == (detail > .none))
        let refused = own.filter { $0.level == .warning && $0.metadata["error"] == "no_entry" }
        #expect(refused.count == (detail > .none ? 2 : 0))
        let command = own.first { $0.message == "← reply" }?.metadata
        #expect(
            command.map { $0["event"] == "ask" && $0["topic"] == "room" && $0["duration"] != nil }
                ?? (detail < .standard))
    }

    @Test func aLoggerForErrorsAloneHasNoLines() async throws {
        let sink = LogSink()
        try await Self.talk(Self.client([], [LoggingMiddleware(logger: sink.logger(.critical))]))
        #expect(sink.lines.isEmpty)
    }

    @Test func metricsCountCommandsAndReconnects() async throws {
        let (metrics, clock) = (PrometheusMetrics(), TestClock())
        let stub = WebSocketStub("/socket") { peer in
            while let message = try await peer.receive() {
                if message.text?.contains("drop") == true { return await peer.drop() }
                var machine = SocketWire.json.makeMachine(.server)
                for case .request(let request) in try machine.decode(message).signals {
                    guard let id = request.id else { continue }
                    for text in try machine.encode(.reply(WireReply(id: id, event: "ask", .success(nil)))) {
                        try await peer.send(text)
                    }
                }
            }
        }
        let client = Self.client(
            [MetricsListener(metrics, labelsServer: false)], clock: clock, transport: MockWebSocketTransport([stub]))
        try await client.withConnection { client in
            try await client.send(Ask())
            await #expect(throws: SocketCommandError.self) { try await client.send(Ask(token: "drop")) }
            while !client.state.isOpen {
                await clock.advance(by: .milliseconds(50))
                await Task.yield()
            }
            try await client.send(Ask())
        }
        let text = metrics.text()
        let name = "swift_net_client_websocket_command_duration_seconds_count"
        for line in [
            #"swift_net_client_websocket_reconnects_total{url_scheme="http",error_type="connectionLost"} 1"#,
            #"\#(name){url_scheme="http",swift_net_websocket_command="ask"} 2"#,
            #"\#(name){url_scheme="http",swift_net_websocket_command="ask",error_type="connectionLost"} 1"#,
        ] { #expect(text.contains(line), "\(line) is missing in \(text)") }
    }

    @Test(arguments: [SocketWire.json, .phoenixV2, .jsonRPC])
    func aPlantedSecretIsNowhere(_ wire: SocketWire) async throws {
        let (collector, sink, metrics) = (
            Collector([.calls, .sockets, .socketFrames, .sessions]), LogSink(), PrometheusMetrics()
        )
        let logging = LoggingMiddleware(logger: sink.logger(), detail: .verbose)
        let client = Self.client([collector, MetricsListener(metrics)], [logging], wire: wire)
        try? await client.withConnection { client in
            if wire.features.contains(.channels) {
                let room = try await client.join("room") { ["token": Self.secret] }
                try await room.send(Ask())
                _ = try? await client.join("no")
            }
            _ = try? await client.send(Ask())
            _ = try? await client.notify(Tell())
        }
        #expect(collector.lines.count > 2)
        var dumped = ""
        dump(collector.activities, to: &dumped)
        #expect(!"\(collector.activities)\(sink.lines)\(metrics.text())\(dumped)".contains(Self.secret))
    }
}
