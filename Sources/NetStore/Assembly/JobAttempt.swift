internal import NetCore

/// An attempt of a job: one of its calls. Times are microseconds since 1970, because the calls of one job may be made
/// by several processes.
struct JobAttempt: Sendable, Hashable, Codable {
    /// The ID of the call, as text.
    var call: String
    var start: Int64
    /// Nil if the process ended before, or the attempt is running.
    var end: Int64?
    var error, phase, message: String?
    /// The run that made the attempt; nil for the run that writes the entry.
    var run: Int64?
}
