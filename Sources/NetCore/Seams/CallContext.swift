#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What travels with a call beside its request: identity, delivery, deadline, and the injected world.
public struct CallContext: Sendable {
    /// The call; retries keep it.
    public let id: CallID
    /// How the caller wants the body.
    public let delivery: BodyDelivery
    /// The time-outs that apply; a middleware may change them for what is inside of it. The total one is over at
    /// ``deadline``, whatever it becomes.
    public var timeouts: Timeouts
    /// When the whole call must have ended, on ``Environment/clock``; nil for no limit.
    public let deadline: Duration?
    /// When the call began, on ``Environment/clock``.
    public let start: Duration
    /// The attempt, counted from 1. A middleware that sends again counts it up.
    public var attempt: Int
    /// The injected world.
    public let environment: Environment
    /// Where redirects have led; nil before the first.
    package var trail: RedirectTrail?
    package let recorder: ActivityRecorder

    /// Makes the context of a new call, which starts now.
    public init(
        for request: PreparedRequest, delivery: BodyDelivery = .collected(upTo: 64 << 20),
        timeouts: Timeouts = Timeouts(), environment: Environment = Environment()
    ) {
        let now = environment.clock.now()
        let milliseconds = environment.clock.date().timeIntervalSince1970 * 1000
        id = CallID(milliseconds: UInt64(max(0, milliseconds)), random: environment.random)
        self.delivery = delivery
        self.timeouts = timeouts
        deadline = timeouts.total.map { now + $0 }
        start = now
        attempt = 1
        self.environment = environment
        recorder = ActivityRecorder(id: id, request: request, start: now, environment: environment)
    }

    /// Time since the call began.
    public var elapsed: Duration { environment.clock.now() - start }

    /// Which request this is, for errors and events.
    public var summary: CallSummary { recorder.summary(attempt: attempt, trail: trail) }

    /// An error that names this call, its attempt and its time.
    public func error(
        _ code: NetError.Code, phase: NetError.Phase, message: String, underlying: (any Error)? = nil,
        response: NetError.FailedResponse? = nil, closure: WebSocketClosure? = nil
    ) -> NetError {
        NetError(
            code, phase: phase, message: message, underlying: underlying, call: summary, elapsed: elapsed,
            response: response, closure: closure)
    }

    /// Tells the listeners what happened to this call.
    public func record(_ kind: ActivityEvent.Kind) {
        recorder.record(kind)
    }
}
