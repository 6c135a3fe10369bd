#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What travels with a call beside its request: identity, delivery, deadline, and the injected world.
public struct CallContext: Sendable {
    /// What differs inside of a middleware that changed it.
    private struct Changes {
        var timeouts: Timeouts
        var attempt = 1
        var trail: RedirectTrail?
        var hooks: [any AttemptHook] = []
        var identity: IdentityState?
    }

    private final class ChangesBox: Sendable {
        let changes: Changes

        init(_ changes: Changes) { self.changes = changes }
    }

    // Two references: a context is copied at every step of a call, and changed in few calls.

    /// What all parts of the call share.
    package let recorder: ActivityRecorder
    /// nil as long as nothing was changed.
    private var box: ChangesBox?

    private var changes: Changes {
        get { box?.changes ?? Changes(timeouts: recorder.timeouts) }
        set { box = ChangesBox(newValue) }
    }

    /// The call; retries keep it.
    public var id: CallID { recorder.id }
    /// How the caller wants the body.
    public var delivery: BodyDelivery { recorder.delivery }
    /// The time-outs that apply. A middleware may change them for what is inside of it; a limit that it doesn't set stays as
    /// it is. The total one is over at ``deadline``, whatever it becomes.
    public var timeouts: Timeouts {
        get { box?.changes.timeouts ?? recorder.timeouts }
        set { changes.timeouts = timeouts.overridden(by: newValue) }
    }
    /// When the whole call must have ended, on ``Environment/clock``; nil for no limit.
    public var deadline: Duration? { recorder.deadline }
    /// When the call began, on ``Environment/clock``.
    public var start: Duration { recorder.start }
    /// The attempt, counted from 1. A middleware that sends again counts it up.
    public var attempt: Int {
        get { box?.changes.attempt ?? 1 }
        set {
            changes.attempt = newValue
            recorder.reached(attempt: newValue)
        }
    }
    /// The injected world.
    public var environment: Environment { recorder.environment }
    /// Where redirects have led; nil before the first.
    package var trail: RedirectTrail? {
        get { box?.changes.trail }
        set {
            changes.trail = newValue
            recorder.reached(newValue)
        }
    }
    /// What wants to see each attempt. Default nothing.
    package var hooks: [any AttemptHook] {
        get { box?.changes.hooks ?? [] }
        set { changes.hooks = newValue }
    }

    /// What is known of the call's identity; nil if nothing in its chain asks for it.
    var identityState: IdentityState? {
        get { box?.changes.identity }
        set { changes.identity = newValue }
    }

    /// Makes the context of a new call, which starts now.
    public init(
        for request: PreparedRequest, delivery: BodyDelivery = .collected(upTo: 64 << 20),
        timeouts: Timeouts = Timeouts(), environment: Environment = Environment()
    ) {
        let now = environment.clock.now()
        // Between the ends of what an id holds: a clock of one's own may be anywhere.
        let milliseconds = max(0, min(environment.clock.date().timeIntervalSince1970 * 1000, 0x1p48))
        recorder = ActivityRecorder(
            id: CallID(milliseconds: UInt64(milliseconds), random: environment.random), request: request,
            delivery: delivery, timeouts: timeouts.overridden(by: nil), start: now, environment: environment)
    }

    /// Time since the call began.
    public var elapsed: Duration { environment.clock.now() - start }

    /// Which request this is, for errors and events.
    public var summary: CallSummary { recorder.summary(attempt: attempt, trail: trail) }

    /// The same with the attempt that the call came to, for what is said of it as a whole.
    package var atLastAttempt: CallContext {
        let last = recorder.lastAttempt
        guard last > attempt else { return self }
        var context = self
        context.attempt = last
        return context
    }

    /// The same with the attempt and the redirect that the call came to, for a call that is left behind there.
    package var atLastHop: CallContext {
        guard let last = recorder.lastTrail else { return atLastAttempt }
        var context = atLastAttempt
        context.trail = last
        return context
    }

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
