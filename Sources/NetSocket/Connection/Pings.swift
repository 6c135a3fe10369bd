#if os(Linux)
internal import NetCore

/// Pings that wait for their pong. Each carries its number as payload.
struct Pings {
    enum Outcome {
        case answered(Duration)
        case failed(NetError)
    }

    private struct Entry {
        var start: Duration
        var continuation: UnsafeContinuation<Void, Never>?
        var outcome: Outcome?
    }

    private var entries: [UInt64: Entry] = [:]
    private var next: UInt64 = 1
    private var failure: NetError?

    mutating func begin(now: Duration) -> UInt64 {
        defer { next += 1 }
        entries[next] = Entry(start: now, outcome: failure.map { .failed($0) })
        return next
    }

    /// Lets a task wait; false when the outcome is known.
    mutating func wait(_ id: UInt64, _ continuation: UnsafeContinuation<Void, Never>) -> Bool {
        guard entries[id]?.outcome == nil else { return false }
        entries[id]?.continuation = continuation
        return true
    }

    /// A pong came. One that answers no ping is no error (RFC 6455 section 5.5.3).
    mutating func answer(_ payload: Bytes, now: Duration) -> UnsafeContinuation<Void, Never>? {
        guard payload.count == 8 else { return nil }
        let id = payload.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let entry = entries[id], entry.outcome == nil else { return nil }
        return finish(id, .answered(now - entry.start))
    }

    /// The connection has ended.
    mutating func fail(_ error: NetError) -> [UnsafeContinuation<Void, Never>] {
        guard failure == nil else { return [] }
        failure = error
        return entries.keys.compactMap { id in entries[id]?.outcome == nil ? finish(id, .failed(error)) : nil }
    }

    /// The task that waits was cancelled.
    mutating func cancel(_ id: UInt64, _ error: NetError) -> UnsafeContinuation<Void, Never>? {
        guard entries[id] != nil, entries[id]?.outcome == nil else { return nil }
        return finish(id, .failed(error))
    }

    mutating func take(_ id: UInt64) -> Outcome? {
        entries.removeValue(forKey: id)?.outcome
    }

    private mutating func finish(_ id: UInt64, _ outcome: Outcome) -> UnsafeContinuation<Void, Never>? {
        entries[id]?.outcome = outcome
        return entries[id]?.continuation.take()
    }
}
#endif
