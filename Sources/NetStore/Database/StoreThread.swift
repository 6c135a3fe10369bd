internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A thread of its own, so that file work blocks neither a caller nor the cooperative pool.
///
/// It lives until its body returns; dropping this value does not end it.
final class StoreThread: Sendable {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// The running thread; nil once it was joined or left alone.
    private let thread: Mutex<pthread_t?>

    /// Starts the thread.
    init(path: String, _ run: @escaping @Sendable () -> Void) throws(StoreError) {
        let body = Unmanaged.passRetained(Body(run: run))
        #if canImport(Darwin)
        var started: pthread_t?
        #else
        var started = pthread_t()
        #endif
        let result = pthread_create(&started, nil, Self.entry, body.toOpaque())
        guard result == 0 else {
            body.release()
            throw StoreError(systemError: result, path: path, doing: "start a thread")
        }
        thread = Mutex(started)
    }

    deinit {
        if let left = thread.withLock({ $0 }) { pthread_detach(left) }
    }

    /// Waits for the thread's end; call it only when the body is about to return. Later calls do nothing.
    func join() {
        let joined = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        if let joined { pthread_join(joined, nil) }
    }

    #if canImport(Darwin)
    private static let entry: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { context in
        Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        return nil
    }
    #else
    private static let entry: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
        if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
        return nil
    }
    #endif
}
