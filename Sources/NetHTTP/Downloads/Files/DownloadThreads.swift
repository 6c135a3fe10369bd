internal import NetCore

/// The two threads for the file access of one manager, so that a disk that doesn't respond holds up nothing else.
///
/// They end after the last reference is released, once the accepted work is done.
package final class DownloadThreads: Sendable {
    let threads = FileThreads(maximum: 2)

    package init() {}

    deinit { threads.end() }

    /// Accepts no more work: `run` throws `.shutDown`.
    package func end() { threads.end() }

    /// Runs `body` on one of the threads without waiting for it. Returns false after ``end()``, or if the process
    /// can't start more threads.
    package func post(_ body: @escaping @Sendable () -> Void) -> Bool { threads.post(body) }

    /// Runs `body`, which may block, on one of the threads. Cancelling the task doesn't interrupt it.
    package func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(DownloadError) -> Value
    ) async throws(DownloadError) -> Value {
        guard let result = await threads.result(of: body) else {
            throw DownloadError(
                .shutDown,
                message: "the manager was shut down, or the process can't start more threads; create another manager")
        }
        return try result.get()
    }
}
