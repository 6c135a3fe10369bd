#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The right to send the items of an outbox: a lock on the file `…-sender` beside it. The kernel releases the lock when
/// the process ends, even by a crash.
///
/// The lock belongs to an open file (`flock`), so two outboxes in one process exclude each other too. SQLite's locks
/// are on other files and of another kind. The file is empty and is never deleted: another process might lock the
/// deleted one.
final class OutboxLease: Sendable {
    private let descriptor: CInt

    private init(descriptor: CInt) { self.descriptor = descriptor }

    /// Takes the lock; returns nil if another sender holds it.
    static func take(besides path: String) throws(StoreError) -> OutboxLease? {
        let name = path + "-sender"
        let descriptor = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError(systemError: errno, path: name, doing: "open the sender's lock") }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let error = errno
            if error == EINTR { continue }
            close(descriptor)
            if error == EWOULDBLOCK { return nil }
            throw StoreError(systemError: error, path: name, doing: "lock the sender's file")
        }
        return OutboxLease(descriptor: descriptor)
    }

    deinit { close(descriptor) }
}
