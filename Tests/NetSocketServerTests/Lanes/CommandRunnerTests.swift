#if Server
import Synchronization
import Testing

@testable import NetSocketServer

struct CommandRunnerTests {
    let runner = CommandRunner(on: nil)

    @Test(arguments: [SocketExecutor.pool, .loop])
    func `A handler that waits holds up no other`(place: SocketExecutor) async {
        async let run: Void = runner.run()
        let gates = (0..<20).map { _ in Gate() }
        let end = Gate()
        // Each waits for the one after it.
        for index in gates.indices {
            runner.start(place) {
                if index + 1 < gates.count { await gates[index + 1].wait() } else { end.open() }
                gates[index].open()
            }
        }
        await end.wait()
        for gate in gates { await gate.wait() }
        runner.close()
        await run
    }

    @Test(arguments: [SocketExecutor.pool, .loop])
    func `A task that was cancelled runs no other handler`(place: SocketExecutor) async {
        async let run: Void = runner.run()
        let cancelled = Mutex(0)
        for _ in 0..<200 {
            let gate = Gate()
            runner.start(place) {
                if Task.isCancelled { cancelled.withLock { $0 += 1 } }
                withUnsafeCurrentTask { $0?.cancel() }
                gate.open()
            }
            await gate.wait()
        }
        runner.close()
        await run
        #expect(cancelled.withLock { $0 } == 0)
    }

    @Test(arguments: [SocketExecutor.pool, .loop])
    func `Commands started before the end run, and none after it`(place: SocketExecutor) async {
        let count = Mutex(0)
        for _ in 0..<100 { runner.start(place) { count.withLock { $0 += 1 } } }
        runner.close()
        #expect(runner.start(place) { count.withLock { $0 += 1 } } == false)
        await runner.run()
        #expect(count.withLock { $0 } == 100)
    }
}
#endif
