#if Server
import Foundation
import TestSupport

/// Runs blocking calls on a separate thread: the server's tasks need Dispatch's threads.
func offPool<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            continuation.resume(with: Result { try body() })
        }
    }
}
#endif
