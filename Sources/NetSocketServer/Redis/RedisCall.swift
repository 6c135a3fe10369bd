#if Redis
internal import NetCore
internal import Synchronization

/// A task that waits for the reply to a command. The first result counts: the command's or the cancellation's.
final class RedisCall: Sendable {
    typealias Value = Result<RedisValue, NetError>

    private struct State {
        var continuation: CheckedContinuation<Value, Never>?
        var result: Value?
        var isWritten = false
    }

    private let state = Mutex(State())

    /// Waits for the result.
    func wait(_ continuation: CheckedContinuation<Value, Never>) {
        let result = state.withLock { state in
            if state.result == nil { state.continuation = continuation }
            return state.result
        }
        if let result { continuation.resume(returning: result) }
    }

    /// Records that the command is being written; returns false if its result isn't needed any more.
    func begin() -> Bool {
        state.withLock { state in
            state.isWritten = state.result == nil
            return state.isWritten
        }
    }

    func finish(_ result: Value) { finish { _ in result } }

    /// Ends the wait: the command won't be written, or its reply is dropped when it arrives.
    func cancel(_ address: RedisAddress) {
        finish { isWritten in
            .failure(
                NetError(
                    .cancelled, phase: isWritten ? .receiving : .sending,
                    message: "the task that called the broker at \(address) was cancelled"
                        + (isWritten ? "; the command may have been run" : "")))
        }
    }

    private func finish(_ result: (_ isWritten: Bool) -> Value) {
        let (continuation, result) = state.withLock { state -> (CheckedContinuation<Value, Never>?, Value?) in
            guard state.result == nil else { return (nil, nil) }
            state.result = result(state.isWritten)
            return (state.continuation.take(), state.result)
        }
        if let result { continuation?.resume(returning: result) }
    }
}
#endif
