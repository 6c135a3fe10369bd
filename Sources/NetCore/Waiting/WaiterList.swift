/// Tasks that wait for a value, each under an ID: the part of a lock's state that holds continuations.
///
/// A task registers before it suspends, so that a release or a cancellation in between isn't lost. The owner keeps the list
/// in its `Mutex` and resumes what the functions return after it has unlocked.
///
/// | entry | `suspend` | `release` | `forget` |
/// |---|---|---|---|
/// | none | resumes with the fallback | – | – |
/// | registered | suspended | released | none |
/// | suspended | – | resumes, none | – |
/// | released | resumes, none | – | none |
package struct WaiterList<Value: Sendable>: Sendable {
    /// Identifies one waiting task within its list.
    package struct ID: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    /// A task to resume, and the value that it gets.
    package struct Waiter: Sendable {
        fileprivate let continuation: CheckedContinuation<Value, Never>
        fileprivate let value: Value

        package func resume() { continuation.resume(returning: value) }
    }

    private enum Entry: Sendable {
        case registered
        case suspended(CheckedContinuation<Value, Never>)
        case released(Value)
    }

    private var entries: [ID: Entry] = [:]
    private var last: UInt64 = 0

    package init() {}

    /// True if no task is registered, suspended, or released without having noticed it.
    package var isEmpty: Bool { entries.isEmpty }

    /// Registers a task that is about to suspend.
    package mutating func register() -> ID {
        last += 1
        let id = ID(number: last)
        entries[id] = .registered
        return id
    }

    /// Keeps a registered task until it is released; returns it if that has happened already.
    ///
    /// - Parameter fallback: The value for a task that isn't registered any more.
    package mutating func suspend(
        _ id: ID, _ continuation: CheckedContinuation<Value, Never>, fallback: Value
    ) -> Waiter? {
        switch entries[id] {
        case .registered:
            entries[id] = .suspended(continuation)
            return nil
        case .released(let value):
            entries[id] = nil
            return Waiter(continuation: continuation, value: value)
        case .suspended, nil:
            return Waiter(continuation: continuation, value: fallback)
        }
    }

    /// Releases one task with a value; the first release of a task counts. Returns it if it has suspended.
    package mutating func release(_ id: ID, with value: Value) -> Waiter? {
        switch entries[id] {
        case .registered:
            entries[id] = .released(value)
            return nil
        case .suspended(let continuation):
            entries[id] = nil
            return Waiter(continuation: continuation, value: value)
        case .released, nil:
            return nil
        }
    }

    /// Releases every task with one value.
    package mutating func releaseAll(with value: Value) -> [Waiter] {
        entries.keys.sorted { $0.number < $1.number }.compactMap { release($0, with: value) }
    }

    /// Drops a task that has registered and won't suspend.
    package mutating func forget(_ id: ID) { entries[id] = nil }
}
