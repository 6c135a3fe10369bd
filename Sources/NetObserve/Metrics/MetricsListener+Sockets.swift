internal import HTTPTypes
public import NetCore

/// The measurements of WebSockets: the number of open ones, their durations, their ends, and their traffic.
extension MetricsListener {
    public var interest: ActivityInterest { [.calls, .sockets, .sessions, .socketServers] }

    public func record(_ event: SocketEvent) {
        if event.side == .server { return recordOnServer(event) }
        let labels = SemanticConventions.socketLabels(url: event.url, server: labelsServer)
        switch event.kind {
        case .opened: sink.add(1, to: .openSockets, labels)
        case .frame: break
        case .roundTrip(let time): sink.record(time.inSeconds, in: .socketRoundTrip, labels)
        case .closed(let ending):
            sink.add(-1, to: .openSockets, labels)
            var result = labels + [MetricLabel("swift_net.websocket.close_code", "\(ending.code)")]
            if ending.error.code != .webSocketClosed {
                result.append(MetricLabel("error.type", ending.error.code.rawValue))
            }
            sink.record(event.elapsed.inSeconds, in: .socketDuration, result)
            count(ending, in: (.socketMessages, .socketBytes), labels)
        }
    }

    /// Records a session's reconnection attempts and its commands.
    public func record(_ activity: SessionActivity) {
        switch activity.kind {
        case .waiting(_, _, let error):
            let labels = SemanticConventions.socketLabels(url: activity.url ?? "", server: labelsServer)
            sink.add(1, to: .reconnects, labels + [MetricLabel("error.type", error.code.rawValue)])
        case .command(let command) where command.wantsReply:
            var labels = SemanticConventions.socketLabels(url: activity.url ?? "", server: labelsServer)
            labels.append(MetricLabel("swift_net.websocket.command", command.event))
            switch command.failure {
            // The server's codes can be arbitrary text.
            case .rejected?: labels.append(MetricLabel("error.type", "rejected"))
            case .failed(let error)?: labels.append(MetricLabel("error.type", error.code.rawValue))
            case nil: break
            }
            sink.record(command.duration.inSeconds, in: .commandDuration, labels)
        default: break
        }
    }

    /// Counts the messages and bytes of a WebSocket.
    func count(_ ending: SocketEvent.Ending, in metrics: (messages: Metric, bytes: Metric), _ labels: [MetricLabel]) {
        for (total, direction) in [(ending.sent, "transmit"), (ending.received, "receive")] {
            let labels = labels + [MetricLabel("network.io.direction", direction)]
            if total.messages > 0 { sink.add(Int64(total.messages), to: metrics.messages, labels) }
            if total.bytes > 0 { sink.add(total.bytes, to: metrics.bytes, labels) }
        }
    }
}

extension SemanticConventions {
    /// Returns the scheme, and if `server` is true the host and port, as labels.
    fileprivate static func socketLabels(url: String, server: Bool) -> [MetricLabel] {
        labels(method: .get, url: url, server: server).dropFirst().map { MetricLabel($0, $1) }
    }
}
