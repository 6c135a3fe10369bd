import Foundation

/// Another user, for tests of permissions: the superuser may write everywhere.
enum OtherUser {
    /// Changes the user that the file system sees, of this thread only, if it's the superuser. Use it on a thread of
    /// its own.
    static func becomeNobody() {
        guard getuid() == 0 else { return }
        typealias SetUser = @convention(c) (UInt32) -> Int32
        guard let symbol = dlsym(nil, "setfsuid") else { return }
        _ = unsafeBitCast(symbol, to: SetUser.self)(65_534)
    }
}
