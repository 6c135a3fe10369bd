/// A list of tasks that wait for a value, each with an ID.
///
/// A task registers before it suspends, so that a release or a cancellation in between isn't lost. The owner keeps the
/// list in its `Mutex` and resumes the returned tasks after unlocking. ``wait(_:fallback:in:)`` does this for a task
/// that may be cancelled.
///
/// | entry | `suspend` | `release` | `forget` |
/// |---|---|---|---|
/// | none | resumes with the fallback | – | – |
/// | registered | suspended | released | none |
/// | suspended | – | resumes, none | – |
/// | released | resumes, none | – | none |
///
/// The continuations are unsafe ones, because the table resumes each exactly once. Other modules don't know the layout
/// of a checked one and looked up its type with each copy, which took 2 of the 14 µs of CPU time of a command over a
/// WebSocket session.
///
/// Inlinable, because other modules would look up the generic type at run time, which costs a fiftieth of a call whose
/// response comes from a cache.
@usableFromInline
package struct WaiterList<Value: Sendable>: Sendable {
    /// The identifier of one waiting task within its list.
    @usableFromInline
    package struct ID: Hashable, Sendable {
        @usableFromInline let number: UInt64

        @inlinable init(number: UInt64) { self.number = number }
    }

    /// A task to resume, and the value for it.
    @usableFromInline
    package struct Waiter: Sendable {
        @usableFromInline let continuation: UnsafeContinuation<Value, Never>
        @usableFromInline let value: Value

        @inlinable init(continuation: UnsafeContinuation<Value, Never>, value: Value) {
            self.continuation = continuation
            self.value = value
        }

        @inlinable package func resume() { continuation.resume(returning: value) }
    }

    @usableFromInline
    enum Entry: Sendable {
        case registered
        case suspended(UnsafeContinuation<Value, Never>)
        case released(Value)
    }

    @usableFromInline var entries: [ID: Entry] = [:]
    @usableFromInline var last: UInt64 = 0

    @inlinable package init() {}

    /// True if there are no entries: no task is registered or suspended, and none was released before it suspended.
    @inlinable package var isEmpty: Bool { entries.isEmpty }

    /// Registers a task that is about to suspend.
    @inlinable
    package mutating func register() -> ID {
        last += 1
        let id = ID(number: last)
        entries[id] = .registered
        return id
    }

    /// Suspends a registered task until it is released. Returns the task if it can be resumed immediately.
    ///
    /// - Parameter fallback: The value for a task that is no longer registered.
    @inlinable
    package mutating func suspend(
        _ id: ID, _ continuation: UnsafeContinuation<Value, Never>, fallback: Value
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

    /// Releases one task with a value; only the first release of a task counts. Returns the task if it has suspended.
    @inlinable
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

    /// Releases all tasks with the same value, in the order in which they registered.
    @inlinable
    package mutating func releaseAll(with value: Value) -> [Waiter] {
        if entries.isEmpty { return [] }
        return entries.keys.sorted { $0.number < $1.number }.compactMap { release($0, with: value) }
    }

    /// Removes a task that has registered and won't suspend.
    @inlinable package mutating func forget(_ id: ID) { entries[id] = nil }

    /// Waits until a registered task is released. Cancellation releases it with the fallback.
    ///
    /// - Parameter change: Applies the given function to the list under the owner's lock, and returns its result.
    @inlinable
    package static func wait(
        _ id: ID, fallback: Value, in change: @Sendable ((inout WaiterList) -> Waiter?) -> Waiter?
    ) async -> Value {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                change { $0.suspend(id, continuation, fallback: fallback) }?.resume()
            }
        } onCancel: {
            change { $0.release(id, with: fallback) }?.resume()
        }
    }
}
