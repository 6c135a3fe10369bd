/// The attempts to open a connection, up to one that is stable.
struct AttemptSeries: Sendable {
    /// The attempts that failed: those without a connection, and those whose connection was lost before it was stable,
    /// except for the first one of the series, whose loss is the beginning.
    private(set) var failures = 0
    /// The waits after failures and losses.
    private(set) var waits = 0
    private(set) var hasLost = false

    /// The number of the next attempt, counted from 1; the one that opened a connection that was lost is counted too.
    var next: Int { waits + 1 }

    /// Records the end of an attempt, or of the connection that it opened.
    mutating func end(wasOpen: Bool) {
        if !wasOpen || hasLost { failures += 1 }
        hasLost = hasLost || wasOpen
        waits += 1
    }
}
