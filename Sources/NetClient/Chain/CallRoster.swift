internal import NetCore

/// The calls that a client has begun and that have not ended, and whether it accepts more.
struct CallRoster: Sendable {
    /// The reason why new calls are refused; nil while they are accepted.
    private(set) var closing: CallLife.Reason?
    /// The number of calls.
    private(set) var count = 0
    /// Tasks that wait until there are no calls.
    var waiters = WaiterList<Void>()
    /// Each call at its place; nil at a free place.
    private var calls: [ActivityRecorder?] = []
    private var free: [Int] = []

    /// Adds a call; returns its place.
    mutating func enter(_ call: ActivityRecorder) -> Int {
        count += 1
        guard let place = free.popLast() else {
            calls.append(call)
            return calls.count - 1
        }
        calls[place] = call
        return place
    }

    /// A call has ended; returns the tasks to resume if it was the last one.
    mutating func leave(_ place: Int) -> [WaiterList<Void>.Waiter] {
        count -= 1
        calls[place] = nil
        free.append(place)
        return count == 0 ? waiters.releaseAll(with: ()) : []
    }

    /// All calls.
    var all: [ActivityRecorder] { calls.compactMap { $0 } }

    /// Refuses new calls.
    mutating func close(_ reason: CallLife.Reason) { closing = closing ?? reason }

    /// Registers a task that waits until there are no calls; nil if there are none.
    mutating func makeWaiter() -> WaiterList<Void>.ID? { count > 0 ? waiters.register() : nil }
}
