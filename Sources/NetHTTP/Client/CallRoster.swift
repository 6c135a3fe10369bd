internal import NetCore

/// The calls that a client has begun and that have not ended, and whether it takes more.
struct CallRoster: Sendable {
    /// Why new calls are not taken any more; nil while they are.
    private(set) var closing: CallLife.Reason?
    /// How many there are.
    private(set) var count = 0
    /// Each at its place; nil where a place is free.
    private var calls: [ActivityRecorder?] = []
    private var free: [Int] = []
    /// Who waits until there are none.
    private var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    /// Who has a number and neither waits yet nor was told to stop.
    private var expected: Set<Int> = []
    private var nextWaiter = 0

    /// Takes a call in; returns its place.
    mutating func enter(_ call: ActivityRecorder) -> Int {
        count += 1
        guard let place = free.popLast() else {
            calls.append(call)
            return calls.count - 1
        }
        calls[place] = call
        return place
    }

    /// A call has ended; returns whom to tell that it was the last.
    mutating func leave(_ place: Int) -> [CheckedContinuation<Void, Never>] {
        count -= 1
        calls[place] = nil
        free.append(place)
        return count == 0 && !waiters.isEmpty ? releaseAll() : []
    }

    /// The calls there are.
    var all: [ActivityRecorder] { calls.compactMap { $0 } }

    /// Takes no more calls.
    mutating func close(_ reason: CallLife.Reason) { closing = closing ?? reason }

    /// A number for someone who will wait.
    mutating func makeWaiter() -> Int {
        nextWaiter += 1
        expected.insert(nextWaiter)
        return nextWaiter
    }

    /// Keeps whoever waits until the last call has ended; false where there is none to wait for, or the time is over already.
    mutating func wait(_ waiter: Int, _ continuation: CheckedContinuation<Void, Never>) -> Bool {
        guard expected.remove(waiter) != nil, count > 0 else { return false }
        waiters[waiter] = continuation
        return true
    }

    /// Whoever waits is told to stop.
    mutating func release(_ waiter: Int) -> CheckedContinuation<Void, Never>? {
        expected.remove(waiter)
        return waiters.removeValue(forKey: waiter)
    }

    private mutating func releaseAll() -> [CheckedContinuation<Void, Never>] {
        defer { waiters = [:] }
        return Array(waiters.values)
    }
}
