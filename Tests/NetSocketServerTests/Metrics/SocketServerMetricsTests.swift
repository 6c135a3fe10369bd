#if Server
import NetCore
import NetSocketServer
import Testing

@Suite struct SocketServerMetricsTests {
    private func lines(_ metrics: SocketServerMetrics) -> [String] {
        metrics.text().split(separator: "\n").map(String.init)
    }

    @Test func `Connections are counted by how they end`() {
        let metrics = SocketServerMetrics()
        for _ in 0..<3 { metrics.connectionOpened() }
        metrics.connectionClosed(.goingAway)
        metrics.connectionClosed(WebSocketCloseCode(rawValue: 4001))
        metrics.refused(.origin)
        metrics.refused(.connectionsPerAddress)
        #expect(metrics.openConnections == 1)
        #expect(metrics.acceptedConnections == 3)
        #expect(metrics.refusedConnections(.origin) == 1)
        let lines = lines(metrics)
        #expect(lines.contains("# TYPE swift_net_server_websocket_open gauge"))
        #expect(lines.contains("swift_net_server_websocket_open 1"))
        #expect(lines.contains("swift_net_server_websocket_accepted_total 3"))
        #expect(lines.contains(#"swift_net_server_websocket_closed_total{swift_net_websocket_close_code="1001"} 1"#))
        #expect(lines.contains(#"swift_net_server_websocket_closed_total{swift_net_websocket_close_code="4xxx"} 1"#))
        #expect(lines.contains(#"swift_net_server_websocket_refused_total{error_type="origin"} 1"#))
        #expect(
            lines.contains(#"swift_net_server_websocket_refused_total{error_type="connections_per_address"} 1"#))
    }

    @Test func `Commands, pushes, channels and bytes are counted`() {
        let metrics = SocketServerMetrics()
        metrics.commandEnded(.success)
        metrics.commandEnded(.success)
        metrics.commandEnded(.timeout)
        metrics.channelOpened()
        metrics.channelOpened()
        metrics.channelClosed()
        metrics.pushesDelivered(1000)
        metrics.pushesDropped(7, .slow)
        metrics.outboxChanged(by: 500)
        metrics.outboxChanged(by: -200)
        metrics.received(bytes: 10)
        metrics.sent(bytes: 20)
        metrics.sent(bytes: 1)
        #expect(metrics.commands(.success) == 2)
        #expect(metrics.openChannels == 1)
        #expect(metrics.deliveredPushes == 1000)
        #expect(metrics.droppedPushes(.slow) == 7)
        #expect(metrics.outboxBytes == 300)
        let lines = lines(metrics)
        #expect(lines.contains(#"swift_net_server_websocket_commands_total{swift_net_websocket_outcome="success"} 2"#))
        #expect(lines.contains(#"swift_net_server_websocket_commands_total{swift_net_websocket_outcome="timeout"} 1"#))
        #expect(lines.contains("swift_net_server_websocket_channels 1"))
        #expect(lines.contains("swift_net_server_websocket_pushes_delivered_total 1000"))
        #expect(
            lines.contains(#"swift_net_server_websocket_pushes_dropped_total{swift_net_websocket_reason="slow"} 7"#))
        #expect(lines.contains("# TYPE swift_net_server_websocket_outbox_bytes gauge"))
        #expect(lines.contains("swift_net_server_websocket_outbox_bytes 300"))
        #expect(lines.contains(#"swift_net_server_websocket_io_bytes_total{network_io_direction="receive"} 10"#))
        #expect(lines.contains(#"swift_net_server_websocket_io_bytes_total{network_io_direction="transmit"} 21"#))
    }

    @Test func `The number of series is fixed, whatever clients do`() {
        let metrics = SocketServerMetrics()
        let before = lines(metrics).count
        #expect(lines(metrics).filter { !$0.hasPrefix("#") && !$0.hasSuffix(" 0") } == [])
        for code in UInt16.min...UInt16.max {
            metrics.connectionOpened()
            metrics.connectionClosed(WebSocketCloseCode(rawValue: code))
        }
        let after = lines(metrics)
        #expect(after.count == before)
        #expect(after.contains(#"swift_net_server_websocket_closed_total{swift_net_websocket_close_code="3xxx"} 1000"#))
        #expect(after.contains(#"swift_net_server_websocket_closed_total{swift_net_websocket_close_code="1006"} 1"#))
        #expect(
            after.contains(#"swift_net_server_websocket_closed_total{swift_net_websocket_close_code="other"} 63522"#))
    }

    @Test func `Each limit is a reason of its own`() {
        let reasons = AddressLimits.Limit.allCases.map { SocketServerMetrics.Refusal($0) }
        #expect(reasons == [.connections, .connectionsPerAddress, .connectionsPerUser, .handshakesPerAddress])
    }

    @Test func `Every metric has its help and type`() {
        let lines = lines(SocketServerMetrics())
        #expect(lines.count { $0.hasPrefix("# HELP ") } == 12)
        #expect(lines.count { $0.hasPrefix("# TYPE ") } == 12)
    }

    @Test func `Threads lose nothing`() async {
        let metrics = SocketServerMetrics()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<5000 {
                        metrics.pushesDelivered(1)
                        metrics.commandEnded(.success)
                        metrics.outboxChanged(by: 1)
                        metrics.outboxChanged(by: -1)
                    }
                }
            }
        }
        #expect(metrics.deliveredPushes == 20_000)
        #expect(metrics.commands(.success) == 20_000)
        #expect(metrics.outboxBytes == 0)
    }
}
#endif
