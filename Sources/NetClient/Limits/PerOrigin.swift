internal import NetCore
internal import Synchronization

/// One value per origin, for at most 1,000 origins; beyond that, the least recently used value is removed.
package final class PerOrigin<Value: Sendable>: Sendable {
    private struct Entry {
        var value: Value
        var used: UInt64
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var clock: UInt64 = 0
    }

    private static var limit: Int { 1000 }
    private let state = Mutex(State())
    private let make: @Sendable () -> Value

    package init(_ make: @escaping @Sendable () -> Value) { self.make = make }

    package func change<Result: Sendable>(_ origin: String, _ body: (inout Value) -> Result) -> Result {
        state.withLock { state in
            state.clock += 1
            if state.entries[origin] == nil, state.entries.count >= Self.limit,
                let oldest = state.entries.min(by: { $0.value.used < $1.value.used })
            {
                state.entries[oldest.key] = nil
            }
            var entry = state.entries.removeValue(forKey: origin) ?? Entry(value: make(), used: 0)
            entry.used = state.clock
            defer { state.entries[origin] = entry }
            return body(&entry.value)
        }
    }
}
