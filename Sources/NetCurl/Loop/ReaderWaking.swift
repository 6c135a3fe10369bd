#if os(Linux)

/// When the reader of a streamed body is woken.
///
/// At once after a silence. While bytes pour in, each waking is a switch between two threads that finds little: then they are
/// gathered for a fifth of a millisecond, or until 384 KiB wait. Of 1,900 switches for 100 MB that leaves 600; one by one they
/// were a fifth of what such a body cost.
///
/// | | reader slept longer | woken a moment ago |
/// |---|---|---|
/// | little came | wake | later, at `next` |
/// | much came, or the transfer is paused | wake | wake |
///
/// The end of a body wakes its reader by another way, at once.
struct ReaderWaking {
    static let interval: UInt64 = 200_000
    static let much: Int64 = 384 << 10

    /// When it may be woken again for little.
    private(set) var next: UInt64 = 0
    /// How much of the body it was told of.
    private var told: Int64 = 0

    /// Whether to wake it now, which the next decisions then know.
    mutating func isDue(now: UInt64, received: Int64, isPaused: Bool) -> Bool {
        guard now >= next || received - told >= Self.much || isPaused else { return false }
        next = now &+ Self.interval
        told = received
        return true
    }
}
#endif
