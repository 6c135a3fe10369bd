/// The running calls of a client, and the reason for refusing new ones.
struct CallRoster: Sendable {
    /// The reason for refusing new calls; nil while they are accepted.
    private(set) var closing: RunningCall.EndReason?
    /// The number of running calls.
    private(set) var count = 0
    /// The tasks that wait until no calls are running.
    var waiters = WaiterList<Void>()
    /// The calls by index; nil at a free index.
    private var calls: [RunningCall?] = []
    private var free: [Int] = []

    /// Adds a call and returns its index.
    mutating func enter(_ call: RunningCall) -> Int {
        count += 1
        guard let place = free.popLast() else {
            calls.append(call)
            return calls.count - 1
        }
        calls[place] = call
        return place
    }

    /// Removes a call that has ended; returns the tasks to resume if it was the last one.
    mutating func leave(_ place: Int) -> [WaiterList<Void>.Waiter] {
        count -= 1
        calls[place] = nil
        free.append(place)
        return count == 0 ? waiters.releaseAll(with: ()) : []
    }

    var all: [RunningCall] { calls.compactMap { $0 } }

    /// Refuses new calls from now on; the first reason is kept.
    mutating func close(_ reason: RunningCall.EndReason) { closing = closing ?? reason }

    /// Registers a task that waits until no calls are running; nil if none are.
    mutating func makeWaiter() -> WaiterList<Void>.ID? { count > 0 ? waiters.register() : nil }
}
