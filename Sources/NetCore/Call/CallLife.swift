internal import Synchronization

/// The state of a call from its start to its end, and whether it was ended from outside its task.
///
/// | state | began | waits | ended | finished |
/// |---|---|---|---|---|
/// | running | running, with place | kept; dropped if `forGood` without place | ended; returns handlers | finished |
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

    /// The identifier of a handler.
    package struct HandlerID: Sendable, Equatable {
        fileprivate let number: Int
    }

    /// The result of registering a handler.
    package enum Waiting: Sendable {
        case kept(HandlerID)
        /// The call has already been ended.
        case late
        /// The call is over, or no client keeps it, so that nothing would end it.
        case dropped
    }

    private struct Entry: Sendable {
        let id: HandlerID
        let handler: Handler
    }

    private enum State: Sendable {
        /// Most calls have a single handler, which is stored without an array. A call without a client has no place.
        case running(place: Int?, first: Entry?, rest: [Entry])
        case ended(place: Int?, Reason)
        case finished(Reason?)
    }

    private var state = State.running(place: nil, first: nil, rest: [])
    private var lastID = 0
    /// True while ``CallDeadlines`` watches the call, because something is waiting that doesn't know the deadline
    /// itself.
    fileprivate var isTimed = false

    package init() {}

    /// Records that the client keeps the call from now on, at `place` in its list.
    package mutating func began(at place: Int) {
        guard case .running(_, let first, let rest) = state else { return }
        state = .running(place: place, first: first, rest: rest)
    }

    /// Records that the call is over. Returns its place the first time, nil after that.
    package mutating func finished() -> Int? {
        defer { state = .finished(reason) }
        switch state {
        case .finished: return nil
        case .running(let place, _, _), .ended(let place, _): return place
        }
    }

    /// Records that the call is ended from outside. Returns the handlers to call.
    package mutating func ended(_ reason: Reason) -> [Handler] {
        guard case .running(let place, let first, let rest) = state else { return [] }
        state = .ended(place: place, reason)
        return (first.map { [$0.handler] } ?? []) + rest.map(\.handler)
    }

    /// Registers a handler for something that waits on behalf of the call.
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

    /// Removes a handler whose wait is over.
    package mutating func forget(_ id: HandlerID) {
        guard case .running(let place, let first, var rest) = state else { return }
        if first?.id == id {
            state = .running(place: place, first: nil, rest: rest)
        } else {
            rest.removeAll { $0.id == id }
            state = .running(place: place, first: first, rest: rest)
        }
    }

    /// The reason why the call was ended from outside; nil while it is running, and if it ended by itself.
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
    /// Records that the client keeps the call, at `place` in its list.
    package func begin(at place: Int) { life.withLock { $0.began(at: place) } }

    /// Records that the call is over. Returns its place the first time, nil after that.
    package func finish() -> Int? {
        let (place, isTimed) = life.withLock { ($0.finished(), $0.isTimed) }
        if isTimed { forgetDeadline() }
        return place
    }

    /// Ends the call from outside and calls the handlers of everything that waits on its behalf.
    package func end(_ reason: CallLife.Reason) {
        for handler in life.withLock({ $0.ended(reason) }) { handler() }
    }

    /// Calls `handler` when the call is ended from outside: immediately if that has happened already, never once the
    /// call is over. The handler is kept as long as the call lasts; without a client, which would end the call, it is
    /// dropped.
    package func onEnd(_ handler: @escaping CallLife.Handler) { _ = keep(handler, forGood: true) }

    /// Calls `handler` like ``onEnd(_:)``, but also without a client, and only until it is removed with ``forget(_:)``.
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

    /// Removes a handler whose wait is over.
    func forget(_ handler: CallLife.HandlerID) { life.withLock { $0.forget(handler) } }

    /// The reason why the call was ended from outside; nil while it is running, and if it ended by itself.
    package var reason: CallLife.Reason? { life.withLock { $0.reason } }

    /// The reason for ending a call whose total timeout has passed.
    package var lateness: CallLife.Reason {
        let limit = timeouts.total.map { $0.seconds(places: 3) } ?? "?"
        return CallLife.Reason(.timeout, "the call took longer than its total time-out of \(limit) s")
    }

    /// Ends the call at its deadline, on the client's clock. A transport does that itself; this is for everything else
    /// that a call may wait for.
    ///
    /// - Returns: True if the deadline wasn't being watched before; false also for a call without a deadline.
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

    /// Stops watching the deadline.
    package func forgetDeadline() {
        life.withLock { $0.isTimed = false }
        environment.deadlines.forget(self)
    }
}
