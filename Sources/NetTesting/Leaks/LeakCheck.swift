internal import NetCore
internal import Synchronization

/// Proves that code leaves nothing running: calls, transfers, WebSockets, tasks asleep on a ``TestClock``, descriptors.
///
/// What the clients, transports and clocks hold is counted that are made within the check, in its task and the tasks below;
/// so checks may run side by side. Descriptors belong to the whole process, and counting them is only sound where nothing
/// else runs: in a suite of its own, or in an exit test.
///
///     try await LeakCheck.run {
///         let client = HTTPClient(baseURL: "https://api.example.com", transport: .mock(Stub(.get, "/", .text("hello"))))
///         try await client.send(Request<String>("/"))
///     }
public enum LeakCheck {
    /// Runs `body`, then throws ``Leaks`` when something is still held after `patience`. What `body` throws goes first.
    ///
    /// - Parameters:
    ///   - countsDescriptors: Whether descriptors that were not open before are leaks. Default false.
    ///   - patience: How long what ends by itself, as a closing connection does, may take. Default 5 s of real time.
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

/// What code left running.
public struct Leaks: Error, Sendable, Hashable, CustomStringConvertible {
    /// How many of each kind are still held: "calls", "transfers", "WebSockets", "sleeping tasks".
    public let held: [String: Int]
    /// Descriptors that were not open before, each with what it stands for.
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
