import Synchronization

/// A value that several tasks of a test can change.
package final class Locked<Value: Sendable>: Sendable {
    private let storage: Mutex<Value>

    package init(_ value: Value) { storage = Mutex(value) }

    package var value: Value { storage.withLock { $0 } }

    @discardableResult package func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        storage.withLock { body(&$0) }
    }
}
