public import NetCore

/// The measurements of a WebSocket server: its connections, the handshakes that it refuses, and its commands.
///
/// They are named like those of `SocketServerMetrics`; show only one of the two at one place.
extension MetricsListener {
    public func record(_ activity: SocketServerActivity) {
        switch activity.kind {
        case .refused(let reason, _): sink.add(1, to: .serverRefused, [MetricLabel("error.type", reason.rawValue)])
        case .opened:
            sink.add(1, to: .serverOpen, [])
            sink.add(1, to: .serverAccepted, [])
        case .closed(let code, _):
            sink.add(-1, to: .serverOpen, [])
            sink.add(1, to: .serverClosed, [Self.label(code)])
        case .command(let command):
            let outcome = MetricLabel("swift_net.websocket.outcome", command.outcome.rawValue)
            let name = MetricLabel("swift_net.websocket.command", command.event)
            sink.add(1, to: .serverCommands, [outcome])
            sink.record(command.duration.inSeconds, in: .serverCommandDuration, [name, outcome])
        case .dropped(let count, let reason):
            sink.add(Int64(count), to: .serverDropped, [MetricLabel("swift_net.websocket.reason", reason.rawValue)])
        case .authenticated, .joined, .notJoined, .left, .subscribed, .unsubscribed, .drainBegan, .drainEnded, .gap,
            .fanOutAway, .fanOutBack:
            break
        }
    }

    /// A WebSocket of a server: its opening and its end are counted by the server's own activities.
    func recordOnServer(_ event: SocketEvent) {
        switch event.kind {
        case .opened, .frame: break
        case .roundTrip(let time): sink.record(time.inSeconds, in: .serverRoundTrip, [])
        case .closed(let ending):
            sink.record(event.elapsed.inSeconds, in: .serverDuration, [Self.label(ending.code)])
            count(ending, in: (.serverMessages, .serverBytes), [])
        }
    }

    private static func label(_ code: WebSocketCloseCode) -> MetricLabel {
        MetricLabel("swift_net.websocket.close_code", CloseClass(code).rawValue)
    }
}
