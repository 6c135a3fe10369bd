#if os(Linux)
/// Detects a call to libcurl that doesn't return.
///
/// | event | outside | inside |
/// |---|---|---|
/// | `enter` | inside; starts a watch if there is none | – |
/// | `leave`, `closed` | – | outside |
/// | `look` | nothing; ends the watch after ten without a call | ends the connection at the fifth look at one call |
struct HeldLoopStateMachine {
    enum Action: Equatable {
        case none
        /// End the watch: there have been no calls for a while.
        case stopWatching
        /// Shut down the connection with this descriptor.
        case end(CInt)
    }

    private static let looksAtOneCall = 5
    private static let quietLooks = 10

    /// The descriptor that libcurl reads from; negative outside of a call.
    private var descriptor: CInt = -1
    private var calls: UInt64 = 0
    private var isWatched = false
    private var hasEnded = false
    /// The call at the last look, the number of looks at it, and the number of looks without a call.
    private var seen: UInt64 = 0
    private var looks = 0
    private var quiet = 0

    /// Records that libcurl is called for a descriptor; returns true if a watch must be started.
    mutating func enter(_ descriptor: CInt) -> Bool {
        self.descriptor = descriptor
        calls &+= 1
        defer { isWatched = true }
        return !isWatched
    }

    /// Records that libcurl has returned; returns true if its connection was shut down to make it return.
    mutating func leave() -> Bool {
        descriptor = -1
        defer { hasEnded = false }
        return hasEnded
    }

    /// Records that a descriptor is closed, after which its number may be reused.
    mutating func closed(_ descriptor: CInt) {
        if self.descriptor == descriptor { self.descriptor = -1 }
    }

    mutating func look() -> Action {
        let isSame = seen == calls
        seen = calls
        guard descriptor >= 0 else {
            looks = 0
            quiet = isSame ? quiet + 1 : 0
            guard quiet >= Self.quietLooks else { return .none }
            (quiet, isWatched) = (0, false)
            return .stopWatching
        }
        quiet = 0
        looks = isSame ? looks + 1 : 1
        guard looks >= Self.looksAtOneCall else { return .none }
        (looks, hasEnded) = (0, true)
        return .end(descriptor)
    }
}
#endif
