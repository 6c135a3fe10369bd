#if Server
internal import HTTPTypes
internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// Reports a server's activity to the interested listeners, and creates the spans of its commands. A server without
/// listeners has no observer.
final class ServerObserver: Sendable {
    private let listeners: [any ActivityListener]
    private let server: CallID
    private let start: Duration
    private let sequence = Atomic<Int>(0)
    let clock: NetClock
    #if Tracing
    let spans: ServerSpans?
    #endif

    /// Returns nil if there are no listeners and no spans.
    init?(_ configuration: SocketServerConfiguration, server: CallID) {
        listeners = configuration.listeners.filter { $0.interest.contains(.socketServers) }
        self.server = server
        clock = configuration.clock
        start = clock.now()
        #if Tracing
        spans = configuration.spans
        guard !listeners.isEmpty || spans != nil else { return nil }
        #else
        guard !listeners.isEmpty else { return nil }
        #endif
    }

    /// Reports an event of the server itself.
    func report(_ kind: SocketServerActivity.Kind) { report(kind, nil, since: start, path: nil) }

    /// Reports an event of a connection.
    func report(_ kind: SocketServerActivity.Kind, _ connection: ServerConnection) {
        report(kind, connection.id, since: connection.start, path: connection.shownPath)
    }

    private func report(
        _ kind: SocketServerActivity.Kind, _ connection: CallID?, since start: Duration, path: String?
    ) {
        guard !listeners.isEmpty else { return }
        let activity = SocketServerActivity(
            server: server, connection: connection, sequence: sequence.wrappingAdd(1, ordering: .relaxed).newValue,
            date: clock.date(), elapsed: clock.now() - start, path: path, kind: kind)
        for listener in listeners { listener.record(activity) }
    }

    /// Returns the trace that a handshake belongs to.
    func origin(_ headers: HTTPFields) -> TraceOrigin {
        #if Tracing
        TraceOrigin(context: spans?.context(of: headers))
        #else
        TraceOrigin()
        #endif
    }
}
#endif
