internal import Synchronization

/// The alternatives that a transport may use for one attempt, and what became of that. A transport that knows nothing of them
/// goes to the origin, and says nothing here.
package final class AltSvcOffer: Sendable {
    private struct State {
        var used: AlternativeService?
        var hasFailedSent = false
    }

    /// Best first.
    package let services: [AlternativeService]
    /// How long a connection there may take, unless the call's own limit is shorter.
    package let connectTimeout: Duration
    private let state = Mutex(State())

    package init(_ services: [AlternativeService], connectTimeout: Duration) {
        self.services = services
        self.connectTimeout = connectTimeout
    }

    /// The transport goes there.
    package func use(_ service: AlternativeService) {
        state.withLock { $0 = State(used: service) }
    }

    /// The attempt failed when some of the request was sent, or may have been.
    package func failedAfterSending() {
        state.withLock { $0.hasFailedSent = true }
    }

    /// Where the transport went; nil for the origin.
    package var used: AlternativeService? { state.withLock { $0.used } }

    /// Whether some of the request may have been sent before the attempt failed.
    package var hasFailedSent: Bool { state.withLock { $0.hasFailedSent } }
}
