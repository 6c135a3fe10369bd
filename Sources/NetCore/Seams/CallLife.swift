internal import Synchronization

/// Whether a client looks after a call, and whether it has ended it from outside its task.
///
/// | state | began | waits | ended | finished |
/// |---|---|---|---|---|
/// | apart | running | – | – | – |
/// | running | – | kept | ended; tells all | apart |
/// | ended | – | told at once | – | apart |
package struct CallLife: Sendable {
    /// Why a call was ended.
    package struct Reason: Sendable {
        package let code: NetError.Code
        package let message: String

        package init(_ code: NetError.Code, _ message: String) {
            self.code = code
            self.message = message
        }
    }

    package typealias Handler = @Sendable () -> Void

    private enum State: Sendable {
        /// No client looks after it.
        case apart
        /// Most calls wait for one thing: it has its place without a list.
        case running(place: Int, first: Handler?, rest: [Handler])
        case ended(place: Int, Reason)
    }

    private var state = State.apart

    package init() {}

    /// The client looks after the call, at that place of its list.
    package mutating func began(at place: Int) {
        state = .running(place: place, first: nil, rest: [])
    }

    /// The call is over: returns its place, the first time.
    package mutating func finished() -> Int? {
        defer { state = .apart }
        switch state {
        case .apart: return nil
        case .running(let place, _, _), .ended(let place, _): return place
        }
    }

    /// The client ends the call: returns whom to tell.
    package mutating func ended(_ reason: Reason) -> [Handler] {
        guard case .running(let place, let first, let rest) = state else { return [] }
        state = .ended(place: place, reason)
        return (first.map { [$0] } ?? []) + rest
    }

    /// Something waits on behalf of the call; returns whether it must be told at once.
    package mutating func waits(_ handler: @escaping Handler) -> Bool {
        switch state {
        case .apart: return false
        case .ended: return true
        case .running(let place, nil, let rest): state = .running(place: place, first: handler, rest: rest)
        case .running(let place, let first, let rest):
            state = .running(place: place, first: first, rest: rest + [handler])
        }
        return false
    }

    /// Why the client ended the call; nil while it runs.
    package var reason: Reason? {
        if case .ended(_, let reason) = state { reason } else { nil }
    }
}

extension ActivityRecorder {
    /// The client looks after the call, at that place of its list.
    package func begin(at place: Int) { life.withLock { $0.began(at: place) } }

    /// The call is over: returns its place, the first time.
    package func finish() -> Int? { life.withLock { $0.finished() } }

    /// Ends the call; whatever waits on its behalf is told.
    package func end(_ reason: CallLife.Reason) {
        for handler in life.withLock({ $0.ended(reason) }) { handler() }
    }

    /// Calls `handler` when the client ends the call, at once where it has; never once the call is over.
    package func onEnd(_ handler: @escaping CallLife.Handler) {
        if life.withLock({ $0.waits(handler) }) { handler() }
    }

    /// Why the client ended the call; nil while it runs.
    package var reason: CallLife.Reason? { life.withLock { $0.reason } }
}
