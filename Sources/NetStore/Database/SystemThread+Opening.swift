internal import NetCore
internal import Synchronization

extension SystemThread {
    private final class Opening: Sendable {
        let error = Mutex<StoreError?>(nil)
        let signal = WakeSignal()
    }

    /// Starts a thread that opens a resource and uses it, and waits until it's open. The resource stays on that thread.
    ///
    /// Throws the error of `open`, or a `StoreError` if the thread can't be started; nothing runs then.
    static func opening<Resource>(
        path: String, _ open: @escaping @Sendable () throws(StoreError) -> Resource,
        run: @escaping @Sendable (Resource) -> Void
    ) throws(StoreError) -> SystemThread {
        let opening = Opening()
        let thread: SystemThread
        do {
            thread = try SystemThread {
                do throws(StoreError) {
                    let resource = try open()
                    opening.signal.raise()
                    run(resource)
                } catch {
                    opening.error.withLock { $0 = error }
                    opening.signal.raise()
                }
            }
        } catch {
            throw StoreError(systemError: error.number, path: path, doing: "start a thread")
        }
        opening.signal.wait()
        guard let error = opening.error.withLock({ $0 }) else { return thread }
        thread.join()
        throw error
    }
}
