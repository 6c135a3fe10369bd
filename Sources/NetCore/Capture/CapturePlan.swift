/// The listeners that want what attempts send and receive, and what all of them want together.
final class CapturePlan: Sendable {
    private let listeners: [(listener: any ActivityListener, wantsBodies: Bool)]
    let limits: CaptureLimits

    /// Returns nil if no listener wants it.
    init?(_ listeners: [any ActivityListener]) {
        let wanting = listeners.filter { !$0.interest.isDisjoint(with: [.fields, .bodies]) }
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
        AttemptTape(request, in: context.environment, limits: limits) { [self, call = context.id] recording in
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
    /// Returns the response that a cache serves, for listeners as that of an attempt would be: copied while it is read.
    ///
    /// - Parameter decision: Why the cache serves it.
    package func capturing(
        _ response: StreamedResponse, to request: PreparedRequest, by decision: ActivityEvent.CacheDecision
    ) -> StreamedResponse {
        guard let plan = environment.capture else { return response }
        return plan.makeTape(request, self, attempt: nil, cacheDecision: decision).taped(response)
    }
}
