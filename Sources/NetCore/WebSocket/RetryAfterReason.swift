/// The wait that a server asks for in the reason of a close frame, as the header of the same name asks for one in a response:
/// `Retry-After: 3.5`, in seconds.
package enum RetryAfterReason {
    private static let prefix = "Retry-After: "

    /// Returns a reason, to milliseconds.
    package static func text(_ wait: Duration) -> String { prefix + wait.seconds(places: 3) }

    /// Returns the wait of a reason; nil for any other reason.
    package static func wait(in reason: String) -> Duration? {
        guard reason.hasPrefix(prefix), let seconds = Double(reason.dropFirst(prefix.count)), seconds >= 0,
            seconds.isFinite
        else { return nil }
        return .nearest(seconds: seconds)
    }
}
