#if Redis
import ConformanceSupport
import Foundation
import Glibc
import Synchronization

/// The reason for the failure of a case.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The results: each case has a limit, and a line with its figures.
final class Checks: Sendable {
    private static let limit = Duration.seconds(120)
    /// Restricts the run to some cases during development: parts of their names.
    private static let chosen = (ProcessInfo.processInfo.environment["NET_FAN_OUT_CASES"] ?? "").split(separator: ",")

    private let done = Mutex<[CaseResult]>([])

    var results: [CaseResult] { done.withLock { $0 } }

    /// Runs a case, which returns its figures. It fails if it throws or takes longer than the limit.
    func check(_ name: String, _ body: @escaping @Sendable () async throws -> String) async {
        guard Self.chosen.isEmpty || Self.chosen.contains(where: { name.contains($0) }) else { return }
        var (problem, figures): (String?, String) = (nil, "")
        let start = ContinuousClock.now
        do { figures = try await Self.within(Self.limit, body) } catch { problem = "\(error)" }
        let seconds = Self.seconds(since: start)
        print(problem.map { "FAIL \(name): \($0.prefix(1000)) (\(seconds))" } ?? "ok   \(name): \(figures), \(seconds)")
        fflush(nil)
        done.withLock { $0.append(CaseResult(id: name, problem: problem)) }
    }

    static func seconds(since start: ContinuousClock.Instant) -> String {
        "\((((ContinuousClock.now - start) / .seconds(1)) * 10).rounded() / 10) s"
    }

    /// Returns the result of the work; cancels it and throws once the limit is over.
    private static func within<Value: Sendable>(
        _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await work() }
            group.addTask {
                try await Task.sleep(for: limit)
                return nil
            }
            guard let first = try await group.next(), let value = first else {
                throw Failure("took longer than \(limit)")
            }
            return value
        }
    }
}

func expect(_ condition: Bool, _ problem: @autoclosure () -> String) throws {
    if !condition { throw Failure(problem()) }
}

/// Waits until a condition holds; throws an error that describes the problem once the time is over.
func wait(
    _ what: @autoclosure () -> String, for time: Duration = .seconds(20), until condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + time
    while try await !condition() {
        if ContinuousClock.now > end { throw Failure("after \(time): \(what())") }
        try await Task.sleep(for: .milliseconds(20))
    }
}
#endif
