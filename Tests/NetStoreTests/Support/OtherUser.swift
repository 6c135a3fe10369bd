import Foundation

/// Another user, for tests of permissions: the superuser may write everywhere.
enum OtherUser {
    /// Changes the user for the file system, of this thread only, if it is the superuser. Call it on a separate thread.
    static func becomeNobody() {
        guard getuid() == 0 else { return }
        typealias SetUser = @convention(c) (UInt32) -> Int32
        guard let symbol = dlsym(nil, "setfsuid") else { return }
        _ = unsafeBitCast(symbol, to: SetUser.self)(65_534)
    }
}
