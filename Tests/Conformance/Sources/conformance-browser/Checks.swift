#if Server
import ConformanceSupport
import Foundation
import Glibc
import Synchronization

/// The reason for the failure of a check.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The checks of a run: each has a limit and its own line of output.
final class Checks: Sendable {
    private static let limit = Duration.seconds(45)

    /// Restricts the run to some checks during development: parts of their names.
    private static let chosen = (ProcessInfo.processInfo.environment["NET_BROWSER_CHECKS"] ?? "").split(separator: ",")

    private let group: String
    private let done = Mutex<[CaseResult]>([])

    init(_ group: String) { self.group = group }

    var results: [CaseResult] { done.withLock { $0 } }

    /// Runs a check, which fails if it throws or takes longer than the limit.
    func check(_ name: String, _ body: @escaping @Sendable () async throws -> Void) async {
        guard Self.chosen.isEmpty || Self.chosen.contains(where: { name.contains($0) }) else { return }
        var problem: String?
        let start = ContinuousClock.now
        do { try await Self.within(Self.limit, body) } catch { problem = "\(error)" }
        let id = "\(group): \(name)"
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        print(problem.map { "FAIL \(id): \($0.prefix(400))" } ?? "ok   \(id) (\((seconds * 10).rounded() / 10) s)")
        fflush(nil)
        done.withLock { $0.append(CaseResult(id: id, problem: problem)) }
    }

    /// Returns the result of the work; cancels it and throws once the limit is over.
    static func within<Value: Sendable>(
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

func expect<Value: Equatable>(_ found: Value, is wanted: Value, _ what: String = "") throws {
    if found != wanted { throw Failure("\(what.isEmpty ? "" : what + ": ")found \(found) instead of \(wanted)") }
}
#endif
