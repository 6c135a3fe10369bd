#if Server
import Foundation
import TestSupport

/// Runs blocking calls on a thread of their own: Dispatch's threads are those that the server's tasks need.
func offPool<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            continuation.resume(with: Result { try body() })
        }
    }
}
#endif
