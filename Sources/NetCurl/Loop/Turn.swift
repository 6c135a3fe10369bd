#if os(Linux)
internal import Glibc

/// The lock that protects a ``LoopCore``: held by the loop's own thread while it's awake, or briefly by a caller that
/// found it asleep. Other comments call the thread that holds it "the loop's thread".
///
/// With one call at a time, half of the cost is waking a thread to send the request, which then sleeps until the
/// response arrives. libcurl can be used on any thread, but only on one at a time.
///
/// `@unchecked Sendable`: a mutex may be used on any thread, and its address is constant.
final class Turn: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func take() { pthread_mutex_lock(mutex) }

    func takeIfFree() -> Bool { pthread_mutex_trylock(mutex) == 0 }

    func giveBack() { pthread_mutex_unlock(mutex) }
}
#endif
