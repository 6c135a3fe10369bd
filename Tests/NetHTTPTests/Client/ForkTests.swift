#if Server && os(Linux)
@testable import ClientTestSupport
import Foundation
import Glibc
import NetHTTP
import NetTestServer
import NetTesting
import Testing

/// Runs a task immediately on the thread that creates it: a forked child has only one thread.
private final class InlineExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        job.runSynchronously(on: asUnownedTaskExecutor())
    }
}

@Suite(.timeLimit(.minutes(1))) struct ForkTests {
    @Test func aForkedChildGetsAnErrorAndNeverTheParentsConnections() async throws {
        try await Fixture.run([.echo("/x")]) { fixture in
            let request = Request<Bytes>("x", serializer: .bytes)
            try await fixture.client.send(request)
            let text = try Self.inChild { report in
                let client = fixture.client
                _ = Task(executorPreference: InlineExecutor()) {
                    do {
                        try await client.send(request)
                        report("sent")
                    } catch {
                        report("\(error)")
                    }
                }
            }
            #expect(text.contains("unsupported"))
            #expect(text.contains("forked"))
            // The parent continues with its existing connection.
            try await fixture.client.send(request)
            #expect(fixture.transport.statistics.openedConnections == 1)
            #expect(fixture.server.requests.count == 2)
        }
    }

    /// Returns the reports of `body` in a forked child.
    private static func inChild(_ body: (@escaping @Sendable (String) -> Void) -> Void) throws -> String {
        // Swift hides the function, because few operations are safe in the child.
        let symbol = try #require(dlsym(nil, "fork"))
        let fork = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        let child = fork()
        if child == 0 {
            alarm(10)
            body { text in
                let bytes = Array(text.utf8)
                _ = write(writing, bytes, bytes.count)
            }
            _exit(0)
        }
        close(writing)
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(reading, &buffer, buffer.count)
            guard count > 0 else { break }
            text += buffer.prefix(count)
        }
        close(reading)
        waitpid(child, nil, 0)
        return String(decoding: text, as: UTF8.self)
    }
}
#endif
