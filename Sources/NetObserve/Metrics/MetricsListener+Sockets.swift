internal import HTTPTypes
public import NetCore

/// The measurements of WebSockets: how many are open, how long they were, how they ended, and what they carried.
extension MetricsListener {
    public var interest: ActivityInterest { [.calls, .sockets] }

    public func record(_ event: SocketEvent) {
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
            count(ending.sent, "transmit", labels)
            count(ending.received, "receive", labels)
        }
    }

    private func count(_ total: SocketEvent.Total, _ direction: String, _ labels: [MetricLabel]) {
        let labels = labels + [MetricLabel("network.io.direction", direction)]
        if total.messages > 0 { sink.add(Int64(total.messages), to: .socketMessages, labels) }
        if total.bytes > 0 { sink.add(total.bytes, to: .socketBytes, labels) }
    }
}

extension SemanticConventions {
    /// Returns the scheme, and if `server` is true the host and port, as labels.
    fileprivate static func socketLabels(url: String, server: Bool) -> [MetricLabel] {
        labels(method: .get, url: url, server: server).dropFirst().map { MetricLabel($0, $1) }
    }
}
