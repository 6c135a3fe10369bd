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
        var trail: RedirectTrail?
        var hooks: [any AttemptHook] = []
        var identity: IdentityState?
        var login: CallLogin?
        var handshake: PreparedRequest?
    }

    private final class ChangesBox: Sendable, CustomReflectable {
        let changes: Changes

        init(_ changes: Changes) { self.changes = changes }

        /// No children, since hooks hold cookies and credentials.
        var customMirror: Mirror { Mirror(self, children: [:]) }
    }

    // Two references, a number and a flag, because a context is copied at every step of a call and changed in only a
    // few calls.

    /// The state shared by all parts of the call.
    package let call: RunningCall
    /// The changes that middleware made; nil if there are none.
    private var box: ChangesBox?

    /// The number of the attempt, counted from 1 over retries, new credentials and redirects. In a transport, it is the
    /// attempt that the transport makes; in a middleware, the attempt that the middleware is called for.
    ///
    /// A middleware that sends the request again calls ``CallContext/repeatRequest(after:reason:cause:)``.
    public internal(set) var attempt = 1
    /// True after this context's attempt has begun; ``attempt`` is then its number, regardless of other attempts.
    var isInAttempt = false

    private var changes: Changes {
        get { box?.changes ?? Changes(timeouts: call.timeouts) }
        set { box = ChangesBox(newValue) }
    }

    /// The ID of the call; retries keep it.
    public var id: CallID { call.id }
    /// The way in which the caller requested the body to be delivered.
    public var delivery: BodyDelivery { call.delivery }
    /// The timeouts that apply. A middleware may change them for the chain inside it; timeouts that it doesn't set keep
    /// their values. Changing the total timeout doesn't move ``deadline``.
    public var timeouts: Timeouts {
        get { box?.changes.timeouts ?? call.timeouts }
        set { changes.timeouts = timeouts.overridden(by: newValue) }
    }
    /// The time by which the whole call must have ended, on ``Environment/clock``; nil if there is no limit.
    public var deadline: Duration? { call.deadline }
    /// The time at which the call started, on ``Environment/clock``.
    public var start: Duration { call.start }
    /// The dependencies and settings shared by all calls of the client.
    public var environment: Environment { call.environment }
    /// The redirects that the call has followed; nil before the first one.
    package var trail: RedirectTrail? {
        get { box?.changes.trail }
        set {
            changes.trail = newValue
            call.reached(newValue)
        }
    }
    /// The hooks that are called for each attempt. Default none.
    package var hooks: [any AttemptHook] {
        get { box?.changes.hooks ?? [] }
        set { changes.hooks = newValue }
    }

    /// The opening handshake that the attempt sends, for WebSocket listeners; nil for any other request.
    var handshake: PreparedRequest? {
        get { box?.changes.handshake }
        set { changes.handshake = newValue }
    }

    /// The state of the call's identity; nil if no part of its chain uses it.
    var identityState: IdentityState? {
        get { box?.changes.identity }
        set { changes.identity = newValue }
    }

    /// The logins with which the call began; nil if there are none.
    package var login: CallLogin? {
        get { box?.changes.login }
        set { if newValue != nil || login != nil { changes.login = newValue } }
    }

    /// Creates the context of a new call, which starts now.
    public init(
        for request: PreparedRequest, delivery: BodyDelivery = .collected(upTo: 64 << 20),
        timeouts: Timeouts = Timeouts(), environment: Environment = Environment()
    ) {
        self.init(.prepared(request), delivery, timeouts, environment)
    }

    init(_ target: RunningCall.Target, _ delivery: BodyDelivery, _ timeouts: Timeouts, _ environment: Environment) {
        let now = environment.clock.now()
        call = RunningCall(
            target, id: CallID(date: environment.clock.date(), random: environment.random), delivery: delivery,
            timeouts: timeouts.overridden(by: nil), start: now, environment: environment)
    }

    /// The time since the call started.
    public var elapsed: Duration { call.elapsed }

    /// A summary of the request, for errors and events. It contains the number of the attempt or, outside an attempt,
    /// the number of attempts that have begun.
    public var summary: CallSummary {
        call.summary(attempt: isInAttempt ? attempt : max(1, call.attempts), trail: trail)
    }

    /// This context with the last redirect that the call reached, for a call that is abandoned there.
    package var atLastHop: CallContext {
        guard let last = call.lastTrail else { return self }
        var context = self
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
        call.record(kind)
    }
}
