#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ActivityQueries {
    /// Counts, rates, bytes and percentiles of the duration of finished calls.
    ///
    /// By default from the roll-ups, which live longer than the calls: whole hours, percentiles within 5 %, in a time that
    /// doesn't depend on the number of calls. Names come by the number of calls, hours and runs newest first.
    ///
    /// - Parameters:
    ///   - grouping: What calls are grouped by. Default ``StoredStatistics/Grouping/operation``.
    ///   - filter: Which calls. Default ``ActivityFilter/all``. Any other reads the calls, since roll-ups don't know it.
    ///   - start: Only hours from the one of this moment on. Default nil.
    ///   - end: Only hours up to the one of this moment. Default nil.
    ///   - isExact: Whether to rank the calls that are still stored. Default false.
    public func statistics(
        by grouping: StoredStatistics.Grouping = .operation, matching filter: ActivityFilter = .all,
        since start: Date? = nil, until end: Date? = nil, exact isExact: Bool = false
    ) async throws(StoreError) -> [StoredStatistics] {
        let (condition, isAll) = (reader.condition(filter), filter == .all)
        let hour = { (date: Date) in StoredTime.microseconds(of: date) / HourTotals.length }
        let query = StatisticsQuery(grouping: grouping, hours: (start.map(hour), end.map(hour)))
        return try await reader.worker.perform { desk throws(StoreError) in
            if isAll, !isExact { return try query.rollUps(on: desk.connection) }
            return try query.exact(condition, on: desk.connection)
        }
    }
}
