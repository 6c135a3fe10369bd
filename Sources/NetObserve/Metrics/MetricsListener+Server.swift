public import NetCore

/// The measurements of a WebSocket server: its connections, refused handshakes, and commands.
///
/// They have the same names as those of `SocketServerMetrics`; export only one of the two to the same destination.
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
        case .unreadable: sink.add(1, to: .serverUnreadable, [])
        case .authenticated, .joined, .notJoined, .left, .subscribed, .unsubscribed, .drainBegan, .drainEnded, .gap,
            .fanOutAway, .fanOutBack:
            break
        }
    }

    /// Records an event of a server's WebSocket. Its opening and end are counted by the server's own activities.
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
