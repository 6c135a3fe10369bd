/// The wait that a server requests in the reason of a close frame, like the response header of the same name:
/// `Retry-After: 3.5`, in seconds.
package enum RetryAfterReason {
    private static let prefix = "Retry-After: "

    /// Returns the reason for a wait, with millisecond precision.
    package static func text(_ wait: Duration) -> String { prefix + wait.seconds(places: 3) }

    /// Returns the wait that a reason requests; nil for any other reason.
    package static func wait(in reason: String) -> Duration? {
        guard reason.hasPrefix(prefix), let seconds = Double(reason.dropFirst(prefix.count)), seconds >= 0,
            seconds.isFinite
        else { return nil }
        return .nearest(seconds: seconds)
    }
}
