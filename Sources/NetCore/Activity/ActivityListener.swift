/// Hears of everything a client does: stores, logs, traces and tests listen here.
///
/// `record` is called in order for each call, from whatever thread the event happens on; it must return at once and
/// never block. Everything in an event is redacted already.
public protocol ActivityListener: Sendable {
    /// Takes one event.
    func record(_ event: ActivityEvent)
}
