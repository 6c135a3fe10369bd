/// A listener for all events of a client or server, for stores, logs, traces and tests.
///
/// `record` is called in order for each call, each WebSocket, each session, each connection of a server and each job,
/// on the thread on which the event occurs. It must return immediately and never block. Everything in an event is
/// already redacted; a ``CapturedAttempt`` and a ``CapturedSocketMessage`` are redacted when their contents are read.
///
///     struct Printing: ActivityListener {
///         var interest: ActivityInterest { [.calls, .sockets] }
///         func record(_ event: ActivityEvent) { print(event.call, event.url) }
///         func record(_ event: SocketEvent) { print(event.socket, event.kind) }
///     }
public protocol ActivityListener: Sendable {
    /// The activity that the listener receives. Read once, when the listener is added to a client or server. Default
    /// ``ActivityInterest/calls``.
    var interest: ActivityInterest { get }
    /// The parts of bodies and messages that the listener receives. Read once, like ``interest``. Default: 64 KiB of
    /// text, JSON, XML and forms. A listener may receive more if another one requests more.
    var captureLimits: CaptureLimits { get }
    /// Receives one event of a call.
    func record(_ event: ActivityEvent)
    /// Receives one event of a WebSocket. By default, does nothing.
    func record(_ event: SocketEvent)
    /// Receives one activity of a session over WebSockets. By default, does nothing.
    func record(_ activity: SessionActivity)
    /// Receives one activity of a WebSocket server. By default, does nothing.
    func record(_ activity: SocketServerActivity)
    /// Receives the captured request and response of one attempt of a call. By default, does nothing.
    func record(_ attempt: CapturedAttempt)
    /// Receives one message of a WebSocket. By default, does nothing.
    func record(_ message: CapturedSocketMessage)
    /// Receives one activity of a job. By default, does nothing.
    func record(_ activity: JobActivity)
}

extension ActivityListener {
    public var interest: ActivityInterest { .calls }
    public func record(_ event: SocketEvent) {}
    public func record(_ activity: SessionActivity) {}
    public func record(_ activity: SocketServerActivity) {}
    public var captureLimits: CaptureLimits { CaptureLimits() }
    public func record(_ attempt: CapturedAttempt) {}
    public func record(_ message: CapturedSocketMessage) {}
    public func record(_ activity: JobActivity) {}
}
