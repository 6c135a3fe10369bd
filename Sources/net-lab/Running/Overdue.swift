#if Tools && Server
internal import NetCore
internal import NetTesting

/// The error of work that has reached its time limit.
struct Overdue: Error, CustomStringConvertible {
    let limit: Duration

    var description: String { "nothing more arrived within \(limit.seconds(places: 0)) s" }

    /// Runs work that may wait forever. After `limit`, on the system's clock, cancels it and throws ``Overdue``.
    static func after<Value: Sendable>(
        _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await CancellableWork.run(within: limit, timeout: { Overdue(limit: limit) }, work)
    }
}
#endif
