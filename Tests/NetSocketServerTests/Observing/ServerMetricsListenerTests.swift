#if Server
import NetCore
import NetObserve
import NetSocket
import NetSocketServer
import NetTesting
import TestSupport
import Testing

#if Metrics
import CoreMetrics
import MetricsTestKit
#endif

@Suite(.timeLimit(.minutes(5))) struct ServerMetricsListenerTests {
    private func measure(_ sink: some MetricsSink) async throws {
        var router = SocketRouter<User>()
        router.on(Say.self) { say, _ in
            if say.text.isEmpty { throw SocketFailure("empty") }
            return .init(text: say.text)
        }
        try await ServerWorld.run(router) {
            $0.listeners = [MetricsListener(sink)]
        } body: { world in
            let refused = try await world.socket("eve")
            await expectClosure(4401) { _ = try await refused.receive() }
            try await world.client().withConnection { client in
                for _ in 1...3 { _ = try await client.send(Say(text: "hello")) }
                _ = try? await client.send(Say(text: ""))
                for number in 1...5 { _ = try? await client.send("made-up-\(number)", payload: nil) }
            }
        }
    }

    @Test func `Connections and commands are counted, with labels that no client can make up`() async throws {
        let metrics = PrometheusMetrics()
        try await measure(metrics)
        let lines = metrics.text().split(separator: "\n").map(String.init)
        func expect(_ line: String) { #expect(lines.contains(line), "\(line)") }
        let command = "swift_net_server_websocket_command_duration_seconds_count{swift_net_websocket_command"
        expect(#"\#(command)="say",swift_net_websocket_outcome="success"} 3"#)
        expect(#"\#(command)="say",swift_net_websocket_outcome="rejected"} 1"#)
        expect(#"\#(command)="_OTHER",swift_net_websocket_outcome="unknown"} 5"#)
        expect(#"swift_net_server_websocket_commands_total{swift_net_websocket_outcome="success"} 3"#)
        expect(#"swift_net_server_websocket_refused_total{error_type="unauthorized"} 1"#)
        #expect(lines.contains { $0.hasPrefix("swift_net_server_websocket_closed_total{") && $0.hasSuffix("} 1") })
        expect("swift_net_server_websocket_open 0")
        expect("swift_net_server_websocket_accepted_total 1")
        expect(#"swift_net_server_websocket_messages_total{network_io_direction="receive"} 9"#)
        #expect(!lines.contains { $0.contains("made-up") || $0.contains("http_client") || $0.contains("_client_") })
    }

    #if Metrics
    @Test func `Figures reach swift-metrics`() async throws {
        let factory = TestMetrics()
        try await measure(SwiftMetricsSink(factory: factory))
        let timer = try factory.expectTimer(
            "swift_net.server.websocket.command.duration",
            [("swift_net.websocket.command", "say"), ("swift_net.websocket.outcome", "success")])
        #expect(timer.values.count == 3)
        let counter = try factory.expectCounter(
            "swift_net.server.websocket.commands", [("swift_net.websocket.outcome", "unknown")])
        #expect(counter.values == [1, 1, 1, 1, 1])
        #expect(try factory.expectMeter("swift_net.server.websocket.open", []).lastValue == 0)
    }
    #endif
}
#endif
