#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Terms that don't compare text.
extension ActivityFilter {
    /// Failed, cancelled or cut off; `~e` in an expression.
    public static let failed = flag(.failed)
    /// Without a status, so far or at the end; not a log line. `~q` in an expression.
    public static let withoutStatus = flag(.withoutStatus)
    /// With a status; `~s` in an expression.
    public static let withStatus = flag(.withStatus)
    /// Pinned; `~marked` in an expression.
    public static let marked = flag(.marked)
    /// WebSockets; `~websocket` in an expression.
    public static let webSocket = flag(.webSocket)
    /// With at least one retry; `~retried` in an expression.
    public static let retried = flag(.retried)
    /// The last attempt used an open connection; `~reused` in an expression.
    public static let reused = flag(.reused)
    /// Jobs; `~job` in an expression.
    public static let job = flag(.job)
    /// Log lines; `~log` in an expression.
    public static let log = flag(.log)

    /// The last status, or the close code of a WebSocket; `~c` in an expression.
    public static func status(_ status: Int) -> ActivityFilter { Self.status(status...status) }

    /// A range of statuses, or of close codes of WebSockets; `~c` in an expression.
    public static func status(_ range: ClosedRange<Int>) -> ActivityFilter {
        guard range.overlaps(FilterTerm.statuses) else { return !all }
        return ActivityFilter(node: .term(.status(range.clamped(to: FilterTerm.statuses))))
    }

    /// Took at least this long; compared in microseconds. `~slower` in an expression.
    public static func slower(than duration: Duration) -> ActivityFilter {
        ActivityFilter(node: .term(.slower(max(0, StoredTime.microseconds(of: duration)))))
    }

    /// Took less time than this; compared in microseconds. `~faster` in an expression.
    public static func faster(than duration: Duration) -> ActivityFilter {
        ActivityFilter(node: .term(.faster(max(0, StoredTime.microseconds(of: duration)))))
    }

    /// The request or response body has at least this many bytes; `~larger` in an expression.
    public static func larger(than bytes: Int64) -> ActivityFilter {
        ActivityFilter(node: .term(.larger(max(0, bytes))))
    }

    /// Began at this time or later; `~since` in an expression.
    public static func since(_ date: Date) -> ActivityFilter {
        ActivityFilter(node: .term(.since(.at(moment(date)))))
    }

    /// Began at most this long ago; `~since` in an expression.
    public static func since(ago duration: Duration) -> ActivityFilter {
        ActivityFilter(node: .term(.since(.ago(max(0, StoredTime.microseconds(of: duration))))))
    }

    /// Began before this time; `~until` in an expression.
    public static func until(_ date: Date) -> ActivityFilter {
        ActivityFilter(node: .term(.until(.at(moment(date)))))
    }

    /// Began longer ago than this; `~until` in an expression.
    public static func until(ago duration: Duration) -> ActivityFilter {
        ActivityFilter(node: .term(.until(.ago(max(0, StoredTime.microseconds(of: duration))))))
    }

    /// Written by the run with this number; `~run` in an expression.
    public static func run(_ number: Int64) -> ActivityFilter {
        number < 0 ? !all : ActivityFilter(node: .term(.run(number)))
    }

    private static func flag(_ flag: FilterFlag) -> ActivityFilter { ActivityFilter(node: .term(.flag(flag))) }

    /// Returns microseconds since 1970, clamped to the years that RFC 3339 can represent.
    private static func moment(_ date: Date) -> Int64 {
        min(max(StoredTime.microseconds(of: date), -62_167_219_200_000_000), 253_402_300_799_999_999)
    }
}
