/// The sleepers of a test clock in their order, and who waits for them. Pure: it returns whom to resume.
///
/// | event | sleeper known | cancelled before it slept |
/// |---|---|---|
/// | `sleep` | – | resumed at once with an error |
/// | `cancel` | resumed with an error | remembered |
/// | `wakeNext` | earliest is resumed | – |
/// | `sleepReturned` | no longer waking | – |
struct TestClockState {
    typealias Continuation = CheckedContinuation<Void, any Error>

    /// A continuation and how it ends.
    struct Resumption {
        let continuation: Continuation
        var isCancelled = false

        func run() {
            if isCancelled { continuation.resume(throwing: CancellationError()) } else { continuation.resume() }
        }
    }

    private struct Sleeper {
        let id: Int
        let deadline: Duration
        let continuation: Continuation
    }

    private struct Waiter {
        let id: Int
        let count: Int
        let continuation: Continuation
    }

    var now: Duration = .zero
    private(set) var lastID = 0
    /// Latest deadline first, so that the next one is taken from the end.
    private var sleepers: [Sleeper] = []
    private var waiters: [Waiter] = []
    private var cancelledEarly: Set<Int> = []
    /// Woken, and not back from their sleep yet.
    private var woken: Set<Int> = []

    var sleeperCount: Int { sleepers.count }
    var isWaking: Bool { !woken.isEmpty }

    mutating func makeID() -> Int {
        lastID += 1
        return lastID
    }

    mutating func sleep(_ id: Int, for duration: Duration, _ continuation: Continuation) -> [Resumption] {
        if cancelledEarly.remove(id) != nil { return [Resumption(continuation: continuation, isCancelled: true)] }
        let sleeper = Sleeper(id: id, deadline: now + duration, continuation: continuation)
        var low = 0
        var high = sleepers.count
        while low < high {
            let middle = (low + high) / 2
            if sleepers[middle].deadline > sleeper.deadline { low = middle + 1 } else { high = middle }
        }
        sleepers.insert(sleeper, at: low)
        let ready = waiters.filter { $0.count <= sleepers.count }
        waiters.removeAll { $0.count <= sleepers.count }
        return ready.map { Resumption(continuation: $0.continuation) }
    }

    mutating func wait(_ id: Int, forSleepers count: Int, _ continuation: Continuation) -> [Resumption] {
        if cancelledEarly.remove(id) != nil { return [Resumption(continuation: continuation, isCancelled: true)] }
        if sleepers.count >= count { return [Resumption(continuation: continuation)] }
        waiters.append(Waiter(id: id, count: count, continuation: continuation))
        return []
    }

    mutating func cancel(_ id: Int) -> [Resumption] {
        if let index = sleepers.firstIndex(where: { $0.id == id }) {
            return [Resumption(continuation: sleepers.remove(at: index).continuation, isCancelled: true)]
        }
        if let index = waiters.firstIndex(where: { $0.id == id }) {
            return [Resumption(continuation: waiters.remove(at: index).continuation, isCancelled: true)]
        }
        cancelledEarly.insert(id)
        return []
    }

    mutating func sleepReturned(_ id: Int) {
        woken.remove(id)
    }

    mutating func wakeNext(until reading: Duration?) -> Resumption? {
        guard let next = sleepers.last else { return nil }
        if let reading, next.deadline > reading { return nil }
        sleepers.removeLast()
        woken.insert(next.id)
        now = max(now, next.deadline)
        return Resumption(continuation: next.continuation)
    }
}
