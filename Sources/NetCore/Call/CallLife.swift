internal import Synchronization

/// The time from a call's beginning to its end, and whether something ended it from outside of its task.
///
/// | state | began | waits | ended | finished |
/// |---|---|---|---|---|
/// | running | running, at its place | kept; dropped without a place, if for good | ended; returns all handlers | finished |
/// | ended | – | called immediately | – | finished |
/// | finished | – | dropped | – | – |
package struct CallLife: Sendable {
    /// The reason why a call was ended from outside.
    package struct Reason: Sendable {
        package let code: NetError.Code
        package let message: String

        package init(_ code: NetError.Code, _ message: String) {
            self.code = code
            self.message = message
        }
    }

    package typealias Handler = @Sendable () -> Void

    /// Identifies a handler.
    package struct HandlerID: Sendable, Equatable {
        fileprivate let number: Int
    }

    /// The answer to something that wants to be notified.
    package enum Waiting: Sendable {
        case kept(HandlerID)
        /// The call has been ended already.
        case late
        /// The call is over, or nobody keeps it: nothing ends it.
        case dropped
    }

    private struct Entry: Sendable {
        let id: HandlerID
        let handler: Handler
    }

    private enum State: Sendable {
        /// Most calls wait for one thing: it has its place without a list. No client keeps a call without a place.
        case running(place: Int?, first: Entry?, rest: [Entry])
        case ended(place: Int?, Reason)
        case finished(Reason?)
    }

    private var state = State.running(place: nil, first: nil, rest: [])
    private var lastID = 0
    /// True while the call is ended at its deadline: something waits that doesn't know the deadline itself.
    fileprivate var isTimed = false

    package init() {}

    /// The client keeps the call from now on, at that place of its list.
    package mutating func began(at place: Int) {
        guard case .running(_, let first, let rest) = state else { return }
        state = .running(place: place, first: first, rest: rest)
    }

    /// The call is over: returns its place, the first time.
    package mutating func finished() -> Int? {
        defer { state = .finished(reason) }
        switch state {
        case .finished: return nil
        case .running(let place, _, _), .ended(let place, _): return place
        }
    }

    /// Something ends the call: returns the handlers to call.
    package mutating func ended(_ reason: Reason) -> [Handler] {
        guard case .running(let place, let first, let rest) = state else { return [] }
        state = .ended(place: place, reason)
        return (first.map { [$0.handler] } ?? []) + rest.map(\.handler)
    }

    /// Something waits on behalf of the call.
    ///
    /// - Parameter forGood: True for a handler that is never forgotten. Without a client, nothing would ever drop it.
    package mutating func waits(forGood: Bool = false, _ handler: @escaping Handler) -> Waiting {
        guard case .running(let place, let first, let rest) = state else {
            if case .ended = state { return .late }
            return .dropped
        }
        guard place != nil || !forGood else { return .dropped }
        lastID += 1
        let entry = Entry(id: HandlerID(number: lastID), handler: handler)
        state =
            first == nil
            ? .running(place: place, first: entry, rest: rest)
            : .running(place: place, first: first, rest: rest + [entry])
        return .kept(entry.id)
    }

    /// It waits no longer.
    package mutating func forget(_ id: HandlerID) {
        guard case .running(let place, let first, var rest) = state else { return }
        if first?.id == id {
            state = .running(place: place, first: nil, rest: rest)
        } else {
            rest.removeAll { $0.id == id }
            state = .running(place: place, first: first, rest: rest)
        }
    }

    /// The reason why the call was ended; nil while it runs, and if it ended by itself.
    package var reason: Reason? {
        switch state {
        case .running: nil
        case .ended(_, let reason): reason
        case .finished(let reason): reason
        }
    }

    fileprivate var isRunning: Bool { if case .running = state { true } else { false } }
}

extension ActivityRecorder {
    /// The client keeps the call, at that place of its list.
    package func begin(at place: Int) { life.withLock { $0.began(at: place) } }

    /// The call is over: returns its place, the first time.
    package func finish() -> Int? {
        let (place, isTimed) = life.withLock { ($0.finished(), $0.isTimed) }
        if isTimed { forgetDeadline() }
        return place
    }

    /// Ends the call from outside, and calls the handlers of everything that waits on its behalf.
    package func end(_ reason: CallLife.Reason) {
        for handler in life.withLock({ $0.ended(reason) }) { handler() }
    }

    /// Calls `handler` when something ends the call from outside, immediately if that has happened; never once it is over.
    /// The handler is kept as long as the call lasts; without a client, which would end it, it is dropped.
    package func onEnd(_ handler: @escaping CallLife.Handler) { _ = keep(handler, forGood: true) }

    /// Calls `handler` as ``onEnd(_:)`` does, without a client too, until it is forgotten.
    ///
    /// - Returns: The handler's ID if it is kept.
    func untilForgotten(_ handler: @escaping CallLife.Handler) -> CallLife.HandlerID? { keep(handler, forGood: false) }

    private func keep(_ handler: @escaping CallLife.Handler, forGood: Bool) -> CallLife.HandlerID? {
        switch life.withLock({ $0.waits(forGood: forGood, handler) }) {
        case .kept(let id): return id
        case .late: handler()
        case .dropped: break
        }
        return nil
    }

    /// Drops a handler that has nothing to end any more.
    func forget(_ handler: CallLife.HandlerID) { life.withLock { $0.forget(handler) } }

    /// The reason why the call was ended from outside; nil while it runs, and if it ended by itself.
    package var reason: CallLife.Reason? { life.withLock { $0.reason } }

    /// The reason of a call whose total time-out has passed.
    package var lateness: CallLife.Reason {
        let limit = timeouts.total.map { $0.seconds(places: 3) } ?? "?"
        return CallLife.Reason(.timeout, "the call took longer than its total time-out of \(limit) s")
    }

    /// Ends the call at its deadline, on the client's clock. A transport does that itself; this is for everything else
    /// that a call may wait for.
    ///
    /// - Returns: True if nobody watched it before; false too for a call without a deadline.
    package func watchDeadline() -> Bool {
        guard let deadline else { return false }
        let isNew = life.withLock { life in
            guard life.isRunning, !life.isTimed else { return false }
            life.isTimed = true
            return true
        }
        if isNew { environment.deadlines.watch(self, until: deadline) }
        return isNew
    }

    /// Watches the deadline no longer.
    package func forgetDeadline() {
        life.withLock { $0.isTimed = false }
        environment.deadlines.forget(self)
    }
}
