#if os(Linux)
/// Whether libcurl comes out of what it was called for.
///
/// | event | outside | inside |
/// |---|---|---|
/// | enter | inside; a watch begins where there is none | – |
/// | leave, the descriptor closes | – | outside |
/// | look | nothing; after ten looks without a call the watch ends | the fifth look at the same call ends its connection |
struct HeldLoopStateMachine {
    enum Action: Equatable {
        case none
        /// Nothing has happened for long.
        case stopWatching
        /// That connection must end.
        case end(CInt)
    }

    private static let looksAtOneCall = 5
    private static let quietLooks = 10

    /// What libcurl reads from; negative outside.
    private var descriptor: CInt = -1
    private var calls: UInt64 = 0
    private var isWatched = false
    private var hasEnded = false
    /// The call that was looked at last, how often, and how often there was none.
    private var seen: UInt64 = 0
    private var looks = 0
    private var quiet = 0

    /// libcurl is called for that descriptor; true where somebody must begin to look.
    mutating func enter(_ descriptor: CInt) -> Bool {
        self.descriptor = descriptor
        calls &+= 1
        defer { isWatched = true }
        return !isWatched
    }

    /// libcurl came back; whether its connection was ended for that.
    mutating func leave() -> Bool {
        descriptor = -1
        defer { hasEnded = false }
        return hasEnded
    }

    /// The number is free for something else.
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
