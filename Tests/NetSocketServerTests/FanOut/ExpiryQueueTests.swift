#if Server
import NetTesting
import Testing

@testable import NetSocketServer

@Suite struct ExpiryQueueTests {
    @Test func `Names come in the order of their times`() {
        let random = SeededRandom(seed: 3)
        var queue = ExpiryQueue()
        let times = (0..<500).map { _ in Int(random.next() % 100) }
        for time in times { queue.add("\(time)", at: .seconds(time)) }
        var names: [String] = []
        while let entry = queue.removeFirst() { names.append(entry.name) }
        #expect(names == times.sorted().map(String.init))
    }

    @Test func `A name comes when its time has`() {
        var queue = ExpiryQueue()
        for time in [3, 1, 2] { queue.add("\(time)", at: .seconds(time)) }
        #expect(queue.next(until: .milliseconds(999)) == nil)
        #expect(queue.next(until: .seconds(2)) == "1")
        #expect(queue.next(until: .seconds(2)) == "2")
        #expect(queue.next(until: .seconds(2)) == nil)
        #expect(queue.count == 1)
    }
}
#endif
