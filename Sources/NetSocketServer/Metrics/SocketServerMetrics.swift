#if Server
public import NetCore
internal import NetObserve

/// Counters of a server's WebSockets, which can be rendered as text for Prometheus.
///
/// All functions may be called from any thread and don't block. The number of series is fixed: labels only have the
/// values listed here, whatever clients send.
///
///     let metrics = SocketServerMetrics()
///     print(metrics.text())  // serve it at /metrics as text/plain; version=0.0.4
public final class SocketServerMetrics: Sendable {
    /// The reason a handshake was refused; the value of the label `error.type`.
    public typealias Refusal = SocketServerActivity.Refusal
    /// The outcome of a command; the value of the label `swift_net.websocket.outcome`.
    public typealias Outcome = SocketServerActivity.Outcome
    /// The reason a push wasn't sent to a receiver; the value of the label `swift_net.websocket.reason`.
    public typealias Drop = SocketServerActivity.Drop

    private enum Direction: String, CaseIterable { case receive, transmit }

    private let open = AtomicCounter()
    private let accepted = AtomicCounter()
    private let channels = AtomicCounter()
    private let delivered = AtomicCounter()
    private let outbox = AtomicCounter()
    private let away = AtomicCounter()
    private let unreadable = AtomicCounter()
    private let bytes = CounterGroup<Direction>()
    private let refusals = CounterGroup<Refusal>()
    private let commands = CounterGroup<Outcome>()
    private let drops = CounterGroup<Drop>()
    private let closures = CounterGroup<CloseClass>()

    /// Creates metrics in which every value is 0.
    public init() {}

    // MARK: Values

    /// The number of open connections.
    public var openConnections: Int { Int(open.value) }
    /// The number of connections accepted so far.
    public var acceptedConnections: Int { Int(accepted.value) }
    /// The number of channels with members on this server.
    public var openChannels: Int { Int(channels.value) }
    /// The number of servers whose fan-out engine is unavailable: 1 or 0 unless servers share these metrics.
    public var enginesAway: Int { Int(away.value) }
    /// The size of the data that waits to be sent, in bytes.
    public var outboxBytes: Int { Int(outbox.value) }
    /// The number of pushes sent, counted once for each receiver.
    public var deliveredPushes: Int { Int(delivered.value) }
    /// Returns the number of pushes that were dropped for a reason.
    public func droppedPushes(_ reason: Drop) -> Int { Int(drops[reason]) }
    /// The number of messages of clients that couldn't be read.
    public var unreadableMessages: Int { Int(unreadable.value) }
    /// Returns the number of handshakes that were refused for a reason.
    public func refusedConnections(_ reason: Refusal) -> Int { Int(refusals[reason]) }
    /// Returns the number of commands with an outcome.
    public func commands(_ outcome: Outcome) -> Int { Int(commands[outcome]) }

    // MARK: Events

    package func connectionOpened() {
        open.add(1)
        accepted.add(1)
    }

    package func connectionClosed(_ code: WebSocketCloseCode) {
        open.add(-1)
        closures.add(1, to: CloseClass(code))
    }

    package func refused(_ reason: Refusal) { refusals.add(1, to: reason) }
    package func unreadableArrived() { unreadable.add(1) }
    package func channelOpened() { channels.add(1) }
    package func channelClosed() { channels.add(-1) }
    package func commandEnded(_ outcome: Outcome) { commands.add(1, to: outcome) }
    package func pushesDelivered(_ count: Int) { delivered.add(Int64(count)) }
    package func pushesDropped(_ count: Int, _ reason: Drop) { drops.add(Int64(count), to: reason) }
    package func outboxChanged(by bytes: Int) { outbox.add(Int64(bytes)) }
    package func fanOutChanged(isAway: Bool) { away.add(isAway ? 1 : -1) }
    package func received(bytes count: Int) { bytes.add(Int64(count), to: .receive) }
    package func sent(bytes count: Int) { bytes.add(Int64(count), to: .transmit) }

    // MARK: Text

    /// Returns all metrics in the Prometheus text format, version 0.0.4, sorted by name. Every series is present from
    /// the start, with the value 0.
    public func text() -> String {
        let metrics = PrometheusMetrics()
        metrics.add(open.value, to: .serverOpen, [])
        metrics.add(accepted.value, to: .serverAccepted, [])
        metrics.add(channels.value, to: .serverChannels, [])
        metrics.add(delivered.value, to: .serverDelivered, [])
        metrics.add(outbox.value, to: .serverOutbox, [])
        metrics.add(away.value, to: .serverEnginesAway, [])
        metrics.add(unreadable.value, to: .serverUnreadable, [])
        func add<Case>(_ group: CounterGroup<Case>, to metric: Metric, _ label: String) {
            for one in Case.allCases { metrics.add(group[one], to: metric, [MetricLabel(label, one.rawValue)]) }
        }
        add(bytes, to: .serverBytes, "network.io.direction")
        add(refusals, to: .serverRefused, "error.type")
        add(commands, to: .serverCommands, "swift_net.websocket.outcome")
        add(drops, to: .serverDropped, "swift_net.websocket.reason")
        add(closures, to: .serverClosed, "swift_net.websocket.close_code")
        return metrics.text()
    }
}

extension SocketServerActivity.Refusal {
    package init(_ limit: AddressLimits.Limit) {
        switch limit {
        case .connections: self = .connections
        case .connectionsPerAddress: self = .connectionsPerAddress
        case .connectionsPerUser: self = .connectionsPerUser
        case .handshakesPerAddress: self = .handshakesPerAddress
        }
    }
}
#endif
