#if Redis
import Foundation
import Glibc
import Synchronization

/// A server of the fleet as a process that can end and be restarted on its port.
final class FleetNode: Sendable {
    private struct State {
        var child: Child?
        var port = 0
    }

    private let arguments: [String]
    private let log: String
    private let state = Mutex(State())

    init(_ arguments: [String], log: String) {
        self.arguments = arguments
        self.log = log
    }

    /// The port, once it has been started.
    var port: Int { state.withLock { $0.port } }
    var isRunning: Bool { state.withLock { $0.child?.isRunning ?? false } }
    var residentBytes: Int { state.withLock { $0.child?.residentBytes ?? 0 } }

    func start() async throws {
        let program = CommandLine.arguments[0]
        let child = try Child(program, ["serve", "--port", "\(port)"] + arguments, log: log)
        let line = try await child.line("port ")
        state.withLock { $0 = State(child: child, port: Int(line) ?? 0) }
    }

    func kill() async { await state.withLock { $0.child.take() }?.kill() }

    /// Suspends the process; its connections stay open.
    func pause() { state.withLock { $0.child?.signal(SIGSTOP) } }
    func resume() { state.withLock { $0.child?.signal(SIGCONT) } }

    /// Asks the process to end, and returns its status once it has ended.
    func drain() async throws -> Int32 {
        guard let child = state.withLock({ $0.child.take() }) else { throw Failure("the server doesn't run") }
        child.signal(SIGTERM)
        return try await child.end()
    }
}
#endif
