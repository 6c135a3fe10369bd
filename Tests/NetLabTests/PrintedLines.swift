#if Tools && Server
import Synchronization

@testable import net_lab

/// The output of a command or a tour.
final class PrintedLines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    /// Runs `body` and collects its lines instead of writing them to standard output.
    func take<Value>(_ body: () async throws -> Value) async throws -> Value {
        let keep: @Sendable (String) -> Void = { line in self.lines.withLock { $0.append(line) } }
        return try await Terminal.$redirect.withValue(keep) { try await body() }
    }
}
#endif
