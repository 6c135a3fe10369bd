/// Work on a ``TestClock`` that went on after as many sleepers as allowed had been woken.
public struct TooManyWakeups: Error, Sendable, Hashable, CustomStringConvertible {
    /// How many were woken.
    public let count: Int

    public var description: String {
        "the work went on after \(count) sleepers were woken. Does it sleep in a loop that nothing ends? "
            + "Raise maximumWakeups if it needs more."
    }
}
