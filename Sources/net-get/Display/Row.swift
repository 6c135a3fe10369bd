#if Tools
internal import NetCore
internal import NetHTTP

/// The displayed data of a download.
struct Row: Sendable, Hashable {
    /// The name of the file, or part of the URL until there is a name; without control characters.
    var name: String
    var state: DownloadState = .queued
    var bytes: Int64 = 0
    /// The size; nil if it isn't known.
    var total: Int64?
    /// Bytes per second; nil if it isn't known.
    var speed: Double?
    var timeLeft: Duration?
    /// The number of ranges loaded concurrently.
    var ranges = 1
    /// The reason for waiting or failing; nil if there is none.
    var remark: String?

    /// The progress from 0 to 1; nil if the size isn't known.
    var fraction: Double? {
        if state == .completed { return 1 }
        guard let total, total > 0 else { return nil }
        return min(1, max(0, Double(bytes) / Double(total)))
    }

    /// A percentage such as `45 %`, rounded down, so that 100 % means complete; empty if the size isn't known.
    var percent: String { fraction.map { "\(Int($0 * 100)) %" } ?? "" }

    /// An amount such as `12.3 MB of 27.2 MB`.
    var amount: String {
        let here = TerminalText.bytes(bytes)
        guard let total, state != .completed else { return here }
        return "\(here) of \(TerminalText.bytes(total))"
    }

    /// A speed such as `3.4 MB/s`; empty if it isn't known.
    var rate: String { speed.map { "\(TerminalText.bytes(Int64($0)))/s" } ?? "" }

    /// The remaining time: `1:05`, `2:03:04`, `3 d`; empty if it isn't known.
    var countdown: String { timeLeft.map(Row.clock) ?? "" }

    static func clock(_ duration: Duration) -> String {
        let seconds = Int64(max(0, duration.inSeconds.rounded(.up)))
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        if seconds >= 48 * 3600 { return "\(seconds / 86_400) d" }
        if seconds >= 3600 { return "\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))" }
        return "\(seconds / 60):\(two(seconds % 60))"
    }
}
#endif
