#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The state that accompanies a request through its call: identity, delivery, deadline and environment.
public struct CallContext: Sendable {
    /// The values that a middleware has changed for the chain inside it.
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

    // Two references, because a context is copied at every step of a call and changed in only a few calls.

    /// The state shared by all parts of the call.
    package let recorder: ActivityRecorder
    /// The changes; nil if there are none.
    private var box: ChangesBox?

    private var changes: Changes {
        get { box?.changes ?? Changes(timeouts: recorder.timeouts) }
        set { box = ChangesBox(newValue) }
    }

    /// The ID of the call; retries keep it.
    public var id: CallID { recorder.id }
    /// The delivery of the body that the caller requested.
    public var delivery: BodyDelivery { recorder.delivery }
    /// The timeouts that apply. A middleware may change them for the chain inside it; a limit that it doesn't set stays
    /// as it is. Changing the total timeout doesn't move ``deadline``.
    public var timeouts: Timeouts {
        get { box?.changes.timeouts ?? recorder.timeouts }
        set { changes.timeouts = timeouts.overridden(by: newValue) }
    }
    /// The time by which the whole call must have ended, on ``Environment/clock``; nil for no limit.
    public var deadline: Duration? { recorder.deadline }
    /// The time at which the call started, on ``Environment/clock``.
    public var start: Duration { recorder.start }
    /// The number of the attempt, counted from 1. A middleware that sends again increments it.
    public var attempt: Int {
        get { box?.changes.attempt ?? 1 }
        set {
            changes.attempt = newValue
            recorder.reached(attempt: newValue)
        }
    }
    /// The dependencies and settings shared by all calls of the client.
    public var environment: Environment { recorder.environment }
    /// The redirects that the call has followed; nil before the first.
    package var trail: RedirectTrail? {
        get { box?.changes.trail }
        set {
            changes.trail = newValue
            recorder.reached(newValue)
        }
    }
    /// The hooks that are called for each attempt. Default none.
    package var hooks: [any AttemptHook] {
        get { box?.changes.hooks ?? [] }
        set { changes.hooks = newValue }
    }

    /// The state of the call's identity; nil if nothing in its chain asks for it.
    var identityState: IdentityState? {
        get { box?.changes.identity }
        set { changes.identity = newValue }
    }

    /// Creates the context of a new call, which starts now.
    public init(
        for request: PreparedRequest, delivery: BodyDelivery = .collected(upTo: 64 << 20),
        timeouts: Timeouts = Timeouts(), environment: Environment = Environment()
    ) {
        let now = environment.clock.now()
        // Clamped to the range of an ID's timestamp, because a custom clock may return any date.
        let milliseconds = max(0, min(environment.clock.date().timeIntervalSince1970 * 1000, 0x1p48 - 1))
        recorder = ActivityRecorder(
            id: CallID(milliseconds: UInt64(milliseconds), random: environment.random), request: request,
            delivery: delivery, timeouts: timeouts.overridden(by: nil), start: now, environment: environment)
    }

    /// The time since the call started.
    public var elapsed: Duration { environment.clock.now() - start }

    /// A summary of the request, for errors and events.
    public var summary: CallSummary { recorder.summary(attempt: attempt, trail: trail) }

    /// This context with the last attempt that the call reached, for errors and events about the whole call.
    package var atLastAttempt: CallContext {
        let last = recorder.lastAttempt
        guard last > attempt else { return self }
        var context = self
        context.attempt = last
        return context
    }

    /// This context with the last attempt and redirect that the call reached, for a call that is abandoned there.
    package var atLastHop: CallContext {
        guard let last = recorder.lastTrail else { return atLastAttempt }
        var context = atLastAttempt
        context.trail = last
        return context
    }

    /// Returns an error with this call's request, attempt and elapsed time.
    public func error(
        _ code: NetError.Code, phase: NetError.Phase, message: String, underlying: (any Error)? = nil,
        response: NetError.FailedResponse? = nil, closure: WebSocketClosure? = nil
    ) -> NetError {
        NetError(
            code, phase: phase, message: message, underlying: underlying, call: summary, elapsed: elapsed,
            response: response, closure: closure)
    }

    /// Reports an event of this call to the listeners.
    public func record(_ kind: ActivityEvent.Kind) {
        recorder.record(kind)
    }
}
