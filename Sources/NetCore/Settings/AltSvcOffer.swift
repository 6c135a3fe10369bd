internal import Synchronization

/// The alternative services that a transport may use for one attempt, and the outcome. A transport that doesn't support
/// them connects to the origin and reports nothing here.
package final class AltSvcOffer: Sendable {
    private struct State {
        var used: AlternativeService?
        var hasFailedSent = false
    }

    /// The alternatives, best first.
    package let services: [AlternativeService]
    /// The maximum time for connecting to an alternative, unless the call's own limit is shorter.
    package let connectTimeout: Duration
    private let state = Mutex(State())

    package init(_ services: [AlternativeService], connectTimeout: Duration) {
        self.services = services
        self.connectTimeout = connectTimeout
    }

    /// Records that the transport uses an alternative.
    package func use(_ service: AlternativeService) {
        state.withLock { $0 = State(used: service) }
    }

    /// Records that the attempt failed after some of the request was sent, or may have been.
    package func failedAfterSending() {
        state.withLock { $0.hasFailedSent = true }
    }

    /// The alternative that the transport used; nil for the origin.
    package var used: AlternativeService? { state.withLock { $0.used } }

    /// True if some of the request may have been sent before the attempt failed.
    package var hasFailedSent: Bool { state.withLock { $0.hasFailedSent } }
}
