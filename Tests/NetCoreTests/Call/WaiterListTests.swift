import NetCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct WaiterListTests {
    /// A list with its lock, as its owners use it.
    private final class Line: Sendable {
        private let list = Mutex(WaiterList<Int>())

        var isEmpty: Bool { list.withLock { $0.isEmpty } }

        func register() -> WaiterList<Int>.ID { list.withLock { $0.register() } }
        func forget(_ id: WaiterList<Int>.ID) { list.withLock { $0.forget(id) } }
        func release(_ id: WaiterList<Int>.ID, with value: Int) {
            list.withLock { $0.release(id, with: value) }?.resume()
        }
        func releaseAll(with value: Int) {
            for waiter in list.withLock({ $0.releaseAll(with: value) }) { waiter.resume() }
        }
        func wait(_ id: WaiterList<Int>.ID) async -> Int {
            await withUnsafeContinuation { continuation in
                list.withLock { $0.suspend(id, continuation, fallback: -1) }?.resume()
            }
        }
    }

    @Test func aReleaseBeforeTheTaskSuspendsIsNotLost() async {
        let line = Line()
        let id = line.register()
        line.release(id, with: 7)
        line.release(id, with: 8)
        #expect(!line.isEmpty)
        #expect(await line.wait(id) == 7)
        #expect(line.isEmpty)
    }

    @Test func aSuspendedTaskIsResumedByItsFirstRelease() async {
        let line = Line()
        let id = line.register()
        async let value = line.wait(id)
        await Task.yield()
        line.release(id, with: 1)
        line.release(id, with: 2)
        #expect(await value == 1)
        #expect(line.isEmpty)
    }

    @Test func aTaskThatIsNotRegisteredAnyMoreGetsTheFallback() async {
        let line = Line()
        let id = line.register()
        line.forget(id)
        line.release(id, with: 1)
        #expect(await line.wait(id) == -1)
        #expect(line.isEmpty)
    }

    @Test func allAreReleasedWithOneValueAndLaterOnesWait() async {
        let line = Line()
        let ids = (0..<3).map { _ in line.register() }
        await withTaskGroup(of: Int.self) { group in
            for id in ids { group.addTask { await line.wait(id) } }
            line.releaseAll(with: 4)
            for await value in group { #expect(value == 4) }
        }
        let late = line.register()
        #expect(!ids.contains(late))
        line.release(late, with: 5)
        #expect(await line.wait(late) == 5)
        #expect(line.isEmpty)
    }

    /// Every order of registering, suspending and releasing that is possible with two threads.
    @Test func noTaskIsLeftBehindWhenReleasesAndWaitsRace() async {
        let line = Line()
        let sum = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<500 {
                let id = line.register()
                group.addTask { await line.wait(id) }
                group.addTask {
                    line.release(id, with: 1)
                    return 0
                }
            }
            return await group.reduce(0, +)
        }
        #expect(sum == 500)
        #expect(line.isEmpty)
    }
}
