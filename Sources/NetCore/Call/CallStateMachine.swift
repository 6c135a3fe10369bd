internal import Synchronization

/// The state of a call from its start to its end, and the reason if it was ended from outside its task.
///
/// | state | began | waits | ended | finished |
/// |---|---|---|---|---|
/// | running | running, with place | kept; dropped if `forGood` without place | ended; returns handlers | finished |
/// | ended | – | called immediately | – | finished |
/// | finished | – | dropped | – | – |
struct CallStateMachine: Sendable {
    typealias Handler = @Sendable () -> Void

    /// The identifier of a handler.
    struct HandlerID: Sendable, Equatable {
        fileprivate let number: Int
    }

    /// The result of registering a handler.
    enum Waiting: Sendable {
        case kept(HandlerID)
        /// The call has already been ended.
        case late
        /// The call is over, or it has no client, so that nothing would end it.
        case dropped
    }

    private struct Entry: Sendable {
        let id: HandlerID
        let handler: Handler
    }

    private enum State: Sendable {
        /// Most calls have a single handler, which is stored without an array. A call without a client has no place.
        case running(place: Int?, first: Entry?, rest: [Entry])
        case ended(place: Int?, RunningCall.EndReason)
        case finished(RunningCall.EndReason?)
    }

    private var state = State.running(place: nil, first: nil, rest: [])
    private var lastID = 0
    /// True while ``CallDeadlines`` watches the call, because a part that doesn't observe the deadline itself is
    /// waiting.
    var isTimed = false

    init() {}

    /// Records that the client keeps the call from now on, at `place` in its list.
    mutating func began(at place: Int) {
        guard case .running(_, let first, let rest) = state else { return }
        state = .running(place: place, first: first, rest: rest)
    }

    /// Records that the call is over. Returns its place in the client's list the first time, nil after that.
    mutating func finished() -> Int? {
        defer { state = .finished(reason) }
        switch state {
        case .finished: return nil
        case .running(let place, _, _), .ended(let place, _): return place
        }
    }

    /// Records that the call is ended from outside. Returns the handlers to call.
    mutating func ended(_ reason: RunningCall.EndReason) -> [Handler] {
        guard case .running(let place, let first, let rest) = state else { return [] }
        state = .ended(place: place, reason)
        return (first.map { [$0.handler] } ?? []) + rest.map(\.handler)
    }

    /// Registers a handler for something that waits on behalf of the call.
    ///
    /// - Parameter forGood: True for a handler that is never forgotten. Without a client, nothing would ever drop it.
    mutating func waits(forGood: Bool = false, _ handler: @escaping Handler) -> Waiting {
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
    mutating func forget(_ id: HandlerID) {
        guard case .running(let place, let first, var rest) = state else { return }
        if first?.id == id {
            state = .running(place: place, first: nil, rest: rest)
        } else {
            rest.removeAll { $0.id == id }
            state = .running(place: place, first: first, rest: rest)
        }
    }

    /// The reason why the call was ended from outside; nil while it is running, or if it ended by itself.
    var reason: RunningCall.EndReason? {
        switch state {
        case .running: nil
        case .ended(_, let reason): reason
        case .finished(let reason): reason
        }
    }

    var isRunning: Bool { if case .running = state { true } else { false } }
}
