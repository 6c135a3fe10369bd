internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A thread outside the cooperative pool, for blocking work and for event loops. It runs until its body returns.
package final class SystemThread: Sendable {
    /// The error number of a thread that couldn't be started.
    package struct StartFailure: Error {
        package let number: CInt
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// The running thread; nil after it was joined.
    private let thread: Mutex<pthread_t?>

    /// Starts the thread.
    package init(_ run: @escaping @Sendable () -> Void) throws(StartFailure) {
        let body = Unmanaged.passRetained(Body(run: run))
        #if canImport(Darwin)
        var started: pthread_t?
        #else
        var started = pthread_t()
        #endif
        let number = pthread_create(&started, nil, Self.entry, body.toOpaque())
        guard number == 0 else {
            body.release()
            throw StartFailure(number: number)
        }
        thread = Mutex(started)
    }

    /// Detaches the thread, which continues to run.
    deinit {
        if let left = thread.withLock({ $0 }) { pthread_detach(left) }
    }

    /// Waits for the end of the thread; blocks the caller. Later calls do nothing.
    package func join() {
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
