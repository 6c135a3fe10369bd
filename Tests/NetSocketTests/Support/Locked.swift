import Synchronization

/// A value that several tasks of a test change.
final class Locked<Value: Sendable>: Sendable {
    private let storage: Mutex<Value>

    init(_ value: Value) { storage = Mutex(value) }

    var value: Value { storage.withLock { $0 } }

    func change(_ body: (inout Value) -> Void) { storage.withLock { body(&$0) } }
}
