package import NetCore

/// The decisions of a session: when to connect, what to send on a new connection, and which observers to notify. Pure:
/// events in, effects out, with the time as an argument.
///
/// | state | start, resume | connected | lost | the wait is over | pause | reconnect | close |
/// |---|---|---|---|---|---|---|---|
/// | idle | connecting, or idle until there is a need | – | – | – | – | – | closed |
/// | connecting | – | opening or open | waiting or failed | – | suspended | connecting | closed |
/// | opening | – | – | waiting or failed | – | suspended | connecting | closed |
/// | open | – | – | waiting or failed | – | suspended | connecting | closed |
/// | waiting | connecting | – | – | connecting | suspended | connecting | closed |
/// | suspended | connecting | – | – | – | – | connecting | closed |
/// | failed, closed | – | – | – | – | – | – | – |
///
/// While the network is unreachable, waiting has no limit and failures don't count. When the network changes, waiting
/// ends immediately, and an open connection must show that it is alive. With an idle timeout, an idle session connects
/// when a connection is needed, and becomes idle again when it isn't.
///
/// On each new connection, the channels are joined again and the subscriptions started again first. Queued messages
/// are sent when all joins have been sent, and the messages of a channel when it is joined. Every ticket is settled
/// exactly once, at the latest when the session is over.
package struct SessionMachine: Sendable {
    package struct Settings: Sendable {
        package var policy = ReconnectPolicy()
        package var features: SocketWire.Features
        /// The time limit for opening the wire protocol, and for a join, including its wait for a connection.
        package var joinTimeout = Duration.seconds(10)
        /// The interval of the wire protocol's heartbeats, if it has any; nil for none. A server that sends nothing
        /// between two of them counts as gone.
        package var heartbeatInterval: Duration? = .seconds(30)
        /// The time limit for the response to a probe, after the network has changed.
        package var probeTimeout = Duration.seconds(5)
        /// The time for which an unneeded connection is kept; nil to connect immediately and stay connected.
        package var idleTimeout: Duration?
        package var maximumQueueCount = 1000
        package var maximumQueueBytes = 1 << 20
        /// The limits of at-least-once delivery, and the name of the session for the server; nil for plain messages.
        package var delivery: (limits: SocketDelivery, session: String)?

        package init(features: SocketWire.Features) {
            self.features = features
        }
    }

    enum Phase: Sendable {
        case idle
        case connecting(ConnectionID)
        /// The connection is open, but the wire protocol isn't yet.
        case opening(ConnectionID)
        case open(ConnectionID, since: Duration)
        case waiting
        case suspended
        case failed
        case closed
    }

    /// A request that was sent and has no reply yet.
    struct Pending: Sendable {
        var entry: SessionQueue.Entry
        var connection: ConnectionID
        /// The number of its message, if messages are numbered.
        var number: UInt64?
    }

    let settings: Settings
    var phase = Phase.idle
    /// The state last reported to observers.
    package internal(set) var state = SocketSessionState.idle
    var series = AttemptSeries()
    var lastNumber: UInt64 = 0
    var needsNewCredential = false
    /// A refused credential is renewed only once in a row: the next refusal counts as a failure.
    var hasRenewedCredential = false
    var pending: [Ticket: Pending] = [:]
    var queue: SessionQueue
    var channels: [String: Channel] = [:]
    /// Channels whose join has not been sent on this connection yet.
    var unsentJoins: Set<String> = []
    var subscriptions: [Ticket: SocketPayload] = [:]
    var heartbeats = Heartbeats()
    /// True if data has arrived since the last heartbeat.
    var hasHeard = true
    /// The time at which data last arrived.
    var lastHeard = Duration.zero
    /// The last reported status of the network; nil if it isn't monitored.
    var network: NetworkStatus?
    /// The last status in which the network was reachable; nil if there was none.
    var lastWay: NetworkStatus?
    /// The time by which some data must have arrived; nil for no limit.
    var probeDeadline: Duration?
    var isStarted = false
    /// The time at which the connection ends unless it is needed; nil while it is needed.
    var idleDeadline: Duration?
    /// The order in which subscriptions and channels were created, and are created again.
    var subscriptionOrder: [Ticket] = []
    var channelOrder: [String] = []
    /// The numbered, unacknowledged and received messages; nil for plain messages.
    package internal(set) var delivery: DeliveryMachine?
    /// True if the server was asked to resume the session and hasn't replied yet.
    var isResuming = false
    /// True if the timer for the next acknowledgment is set.
    var waitsToAcknowledge = false

    package init(_ settings: Settings) {
        self.settings = settings
        delivery = settings.delivery.map { DeliveryMachine($0.limits) }
        queue = SessionQueue(maximumCount: settings.maximumQueueCount, maximumBytes: settings.maximumQueueBytes)
    }

    /// Returns a new number for a request, join, leave or subscription.
    package mutating func makeTicket() -> Ticket {
        lastNumber += 1
        return lastNumber
    }

    /// The connection that messages go out on; nil if none is open.
    package var openConnection: ConnectionID? { if case .open(let id, _) = phase { id } else { nil } }

    /// Handles an event, and returns the resulting effects.
    package mutating func handle(_ event: Event, now: Duration) -> [Effect] {
        var effects: [Effect] = []
        if case .open(_, let since) = phase, now - since >= settings.policy.stablePeriod {
            (series, hasRenewedCredential) = (AttemptSeries(), false)
        }
        switch event {
        case .start: start(&effects)
        case .resume: resume(&effects)
        case .pause: pause(&effects)
        case .reconnect: reconnect(&effects)
        case .network(let status): changed(to: status, now, &effects)
        case .close: close(&effects)
        case .connected(let id): connected(id, now, &effects)
        case .connectFailed(let id, let error, let chance), .ended(let id, let error, let chance):
            lost(id, error, chance, now, &effects)
        case .openPayload(let id, let payload, let error, let chance):
            openPayload(id, payload, error, chance, now, &effects)
        case .received(let id, let signal): received(id, signal, now, &effects)
        case .heard(let id): if current == id { heard(now, &effects) }
        case .wireEnded(let id, let end, let chance): ended(id, end, chance, now, &effects)
        case .timer(let timer, let chance): passed(timer, chance, now, &effects)
        case .request(let ticket, let message): request(ticket, message, now, &effects)
        case .cancel(let ticket): cancel(ticket, now, &effects)
        case .join(let ticket, let topic): join(ticket, topic, now, &effects)
        case .joinPayload(let id, let topic, let generation, let payload, let error):
            joinPayload(id, topic, generation, payload, error, now, &effects)
        case .leave(let ticket, let topic): leave(ticket, topic, now, &effects)
        // A reply is only sent on the connection of its request.
        case .reply(let id, let reply): if openConnection == id { effects.append(.send(id, .reply(reply))) }
        case .subscribe(let ticket, let payload): subscribe(ticket, payload, &effects)
        case .unsubscribe(let ticket): unsubscribe(ticket, &effects)
        case .unwritable(let number): unwritable(number, now, &effects)
        }
        followNeed(after: event, now, &effects)
        return effects
    }

    /// Returns true if a channel is joined, or is about to be joined.
    package func hasChannel(_ topic: String) -> Bool { channels[topic]?.isWanted == true }

    /// Returns true if the request or the join of a ticket was sent and has no reply yet.
    package func hasSent(_ ticket: Ticket) -> Bool {
        pending[ticket] != nil || channels.values.contains { $0.isJoining && $0.waiters.contains(ticket) }
    }

    mutating func change(to state: SocketSessionState, _ effects: inout [Effect]) {
        self.state = state
        effects.append(.tell(.state(state)))
    }

    /// The connection that is being opened or is open.
    package var current: ConnectionID? {
        switch phase {
        case .connecting(let id), .opening(let id), .open(let id, _): id
        case .idle, .waiting, .suspended, .failed, .closed: nil
        }
    }
}
