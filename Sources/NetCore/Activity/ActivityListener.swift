/// A listener for all events of a client, for stores, logs, traces and tests.
///
/// `record` is called in order for each call, on the thread on which the event occurs. It must return immediately and
/// never block. Everything in an event is already redacted.
public protocol ActivityListener: Sendable {
    /// Receives one event.
    func record(_ event: ActivityEvent)
}
