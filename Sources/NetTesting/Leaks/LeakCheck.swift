internal import NetCore
internal import Synchronization

/// Verifies that code leaves nothing running: calls, transfers, WebSockets, tasks asleep on a ``TestClock``,
/// descriptors.
///
/// Only the clients, transports and clocks created within the check, in its task and child tasks, are counted, so
/// checks may run concurrently. Descriptors belong to the whole process; counting them is reliable only if nothing else
/// runs: in a separate suite, or in an exit test.
///
///     try await LeakCheck.run {
///         let client = HTTPClient(
///             baseURL: "https://api.example.com", transport: .mock(Stub(.get, "/", .text("hello"))))
///         try await client.send(Request<String>("/"))
///     }
public enum LeakCheck {
    /// Runs `body`, then throws ``Leaks`` if something is still held after `patience`. An error from `body` takes
    /// precedence.
    ///
    /// - Parameters:
    ///   - countsDescriptors: True if newly opened descriptors are leaks. Default false.
    ///   - patience: The time allowed for things that end by themselves, such as a closing connection. Default 5 s of
    ///     real time.
    ///   - body: The work to check.
    @discardableResult
    public static func run<Value>(
        countingDescriptors countsDescriptors: Bool = false, patience: Duration = .seconds(5),
        _ body: () async throws -> Value
    ) async throws -> Value {
        let scope = ResourceScope()
        let before = countsDescriptors ? OpenDescriptors() : nil
        let value = try await ResourceScope.$current.withValue(scope) { try await body() }
        let end = ContinuousClock.now + patience
        while true {
            let leaks = Leaks(held: scope.held, descriptors: before.map { OpenDescriptors().added(since: $0) } ?? [])
            if leaks.isEmpty { return value }
            guard ContinuousClock.now < end else { throw leaks }
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}

/// The resources that code left running.
public struct Leaks: Error, Sendable, Hashable, CustomStringConvertible {
    /// The number of each kind still held: "calls", "transfers", "WebSockets", "sleeping tasks".
    public let held: [String: Int]
    /// Newly opened descriptors, each with its target.
    public let descriptors: [String]

    var isEmpty: Bool { held.isEmpty && descriptors.isEmpty }

    public var description: String {
        var parts = held.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        if !descriptors.isEmpty {
            parts.append("\(descriptors.count) descriptors: " + descriptors.joined(separator: ", "))
        }
        return "left behind: " + parts.joined(separator: "; ")
            + ". Read bodies to their end or drop them, await tasks, and shut clients down."
    }
}
