/// The listeners that receive captured attempts, and their combined limits.
final class CapturePlan: Sendable {
    private let listeners: [(listener: any ActivityListener, wantsBodies: Bool)]
    let limits: CaptureLimits

    /// Creates a plan; nil if no listener receives captured attempts.
    init?(_ listeners: [any ActivityListener]) {
        let wanting = listeners.filter { !$0.interest.isDisjoint(with: [.headers, .bodies]) }
        if wanting.isEmpty { return nil }
        self.listeners = wanting.map { ($0, $0.interest.contains(.bodies)) }
        limits = self.listeners.filter(\.wantsBodies)
            .reduce(.none) { $0.union($1.listener.captureLimits) }
    }

    /// Returns a tape for an attempt, or for a response that a cache serves.
    func makeTape(
        _ request: PreparedRequest, _ context: CallContext, attempt: Int?,
        cacheDecision: ActivityEvent.CacheDecision? = nil
    ) -> AttemptTape {
        AttemptTape(request, context, limits: limits) { [self, call = context.id] recording in
            for each in listeners {
                each.listener.record(
                    CapturedAttempt(
                        recording, call: call, attempt: attempt, cacheDecision: cacheDecision,
                        hasBodies: each.wantsBodies))
            }
        }
    }
}

extension CallContext {
    /// Returns the response that a cache serves, captured for listeners like the response of an attempt: it is copied
    /// while it is read.
    ///
    /// - Parameter decision: The decision of the cache, with its reason.
    package func capturing(
        _ response: StreamedResponse, to request: PreparedRequest, by decision: ActivityEvent.CacheDecision
    ) -> StreamedResponse {
        guard let plan = environment.capture else { return response }
        return plan.makeTape(request, self, attempt: nil, cacheDecision: decision).taped(response)
    }
}
