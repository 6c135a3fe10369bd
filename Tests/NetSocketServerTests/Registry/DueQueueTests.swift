#if Server
import NetCore
import NetTesting
import Testing

@testable import NetSocketServer

@Suite struct DueQueueTests {
    @Test func `Works come in the order of their times, and those of one time in that of their addition`() {
        let random = SeededRandom(seed: 5)
        var queue = DueQueue<Int>()
        let times = (0..<500).map { _ in Int(random.next() % 50) }
        for (index, time) in times.enumerated() { _ = queue.add(at: .seconds(time), index) }
        #expect(
            queue.takeDue(.seconds(20))
                == times.indices.filter { times[$0] <= 20 }.sorted { (times[$0], $0) < (times[$1], $1) })
        #expect(queue.next.map { $0 > .seconds(20) } == true)
        #expect(queue.takeDue(.seconds(50)).count == times.count { $0 > 20 })
        #expect(queue.next == nil)
        #expect(queue.count == 0)
    }

    @Test func `Works that are cancelled don't come, and give back their places`() {
        var queue = DueQueue<Int>()
        for number in 0..<10_000 { queue.cancel(queue.add(at: .seconds(3600), number)) }
        #expect(queue.count == 0)
        #expect(queue.size < 100)
        let kept = queue.add(at: .seconds(1), 1)
        let cancelled = queue.add(at: .seconds(1), 2)
        queue.cancel(cancelled)
        #expect(queue.takeDue(.seconds(1)) == [1])
        queue.cancel(kept)
    }
}
#endif
