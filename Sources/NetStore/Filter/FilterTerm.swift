/// One term of a filter.
enum FilterTerm: Sendable, Hashable {
    case flag(FilterFlag)
    case text(FilterField, FilterPattern)
    case status(ClosedRange<Int>)
    /// A duration of at least this many microseconds.
    case slower(Int64)
    /// A duration of less than this many microseconds.
    case faster(Int64)
    /// A body of at least this many bytes.
    case larger(Int64)
    case since(FilterMoment)
    case until(FilterMoment)
    case run(Int64)

    /// The valid statuses: HTTP statuses, and close codes of WebSockets.
    static let statuses = 100...9999
    /// The longest duration in microseconds, 292 years: 64 bits of nanoseconds.
    static let longestDuration = Int64.max / 1000
}

/// A term without a value; the raw value is its name.
enum FilterFlag: String, Sendable, Hashable, CaseIterable {
    case failed = "e"
    case withoutStatus = "q"
    case withStatus = "s"
    case marked
    case webSocket = "websocket"
    case retried
    case reused
    case job
    case log
}

/// The text that a term searches; the raw value is the term's name, empty for a bare word.
enum FilterField: String, Sendable, Hashable, CaseIterable {
    case word = ""
    case host = "d"
    case url = "u"
    case method = "m"
    case header = "h"
    case requestHeader = "hq"
    case responseHeader = "hs"
    case body = "b"
    case requestBody = "bq"
    case responseBody = "bs"
    case contentType = "t"
    case operation = "op"
    case tag
    case comment
    case error
    case cache
}

/// A point in time, absolute or relative to now.
enum FilterMoment: Sendable, Hashable {
    /// Microseconds since 1970.
    case at(Int64)
    /// Microseconds before now.
    case ago(Int64)

    /// Returns the microseconds since 1970.
    func resolved(now: Int64) -> Int64 {
        switch self {
        case .at(let moment): moment
        case .ago(let duration):
            now.subtractingReportingOverflow(duration).overflow ? .min : now - duration
        }
    }
}
