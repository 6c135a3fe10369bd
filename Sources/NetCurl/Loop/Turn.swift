#if os(Linux)
internal import Glibc

/// Who holds it may touch a ``LoopCore``: the loop's thread for as long as it is awake, or for a moment a caller that found
/// it asleep.
///
/// A thread that must be woken to send a request and that sleeps again until the answer comes is half the cost of one
/// call at a time. libcurl allows any thread, one at once.
///
/// `@unchecked Sendable`: the mutex is made for many threads, and its address is constant.
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
