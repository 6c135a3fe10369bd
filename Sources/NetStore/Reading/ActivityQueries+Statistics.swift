#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ActivityQueries {
    /// Returns counts, rates, bytes and duration percentiles of finished calls, and the numbers of finished jobs by
    /// outcome.
    ///
    /// By default, the roll-ups are read. They are kept longer than the calls, and reading them takes the same time for
    /// any number of calls, but they have only whole hours and percentiles within 5 %. Operations and hosts are sorted
    /// by number of calls; hours and runs are sorted newest first.
    ///
    /// - Parameters:
    ///   - grouping: The property that groups the calls. Default ``StoredStatistics/Grouping/operation``.
    ///   - filter: The calls to count. Default ``ActivityFilter/all``. With any other filter, the calls themselves are
    ///     read instead of the roll-ups.
    ///   - start: A time in the first hour to count. Default nil.
    ///   - end: A time in the last hour to count. Default nil.
    ///   - isExact: True to compute exact percentiles from the calls that are still stored. Default false.
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
