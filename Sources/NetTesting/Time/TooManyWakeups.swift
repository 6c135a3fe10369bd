/// The error for work on a ``TestClock`` that continued after the maximum number of wakeups.
public struct TooManyWakeups: Error, Sendable, Hashable, CustomStringConvertible {
    /// The number of sleepers that were woken.
    public let count: Int

    public var description: String {
        "the work hadn't finished after \(count) sleeping tasks were woken. Does it sleep in an endless loop? "
            + "Raise maximumWakeups if it needs more."
    }
}
