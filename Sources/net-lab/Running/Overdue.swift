#if Tools && Server
internal import NetCore
internal import NetTesting

/// What had to come did not come in time.
struct Overdue: Error, CustomStringConvertible {
    let limit: Duration

    var description: String { "nothing more came within \(limit.seconds(places: 0)) s" }

    /// Runs work that may wait for what never comes. Throws ``Overdue`` after `limit`, and cancels the work.
    static func limit<Value: Sendable>(
        _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await CancellableWork.run(within: limit, timeout: { Overdue(limit: limit) }, work)
    }
}
#endif
