#if Server
import ConformanceSupport
import Glibc
import Synchronization

/// The cases of one peer: each runs within a limit, is printed on its own line, and is kept for the report.
final class CaseList: Sendable {
    static let limit = Duration.seconds(20)

    private let peer: String
    private let found = Mutex<[CaseResult]>([])

    init(_ peer: String) {
        self.peer = peer
    }

    var results: [CaseResult] { found.withLock { $0 } }

    /// The reasons why cases weren't run.
    static let skipped = Mutex<[String]>([])

    /// Runs a case, which fails if it throws or takes too long.
    func run(
        _ name: String, limit: Duration = CaseList.limit, _ body: @escaping @Sendable () async throws -> Void
    ) async {
        do {
            try await within(limit, body)
            add(name, nil)
        } catch {
            add(name, "\(error)")
        }
    }

    /// Notes that the peer can't be run on this machine.
    func skip(_ reason: String) {
        print("skip \(peer): \(reason)")
        Self.skipped.withLock { $0.append(peer) }
    }

    /// Adds the result of a case that was run elsewhere.
    func add(_ name: String, _ problem: String?) {
        let id = "\(peer): \(name)"
        print(problem.map { "FAIL \(id): \($0.prefix(400))" } ?? "ok   \(id)")
        fflush(nil)
        found.withLock { $0.append(CaseResult(id: id, problem: problem)) }
    }
}

/// The reason for the failure of a case.
struct CaseFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

func expect(_ condition: Bool, _ problem: @autoclosure () -> String) throws {
    if !condition { throw CaseFailure(problem()) }
}

func expect<Value: Equatable>(_ found: Value, is wanted: Value) throws {
    if found != wanted { throw CaseFailure("found \(found) instead of \(wanted)") }
}

/// Returns the result of the work; cancels it and throws once the limit is over.
func within<Value: Sendable>(
    _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        defer { group.cancelAll() }
        group.addTask { try await work() }
        group.addTask {
            try await Task.sleep(for: limit)
            throw CaseFailure("nothing within \(limit)")
        }
        guard let value = try await group.next() else { throw CancellationError() }
        return value
    }
}
#endif
