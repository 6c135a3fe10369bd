import NetCore
import Testing

@testable import NetClient

@Suite struct ConcurrencyQueueTests {
    @Test func itIsIdleOnceNothingIsActiveOrWaits() {
        var queue = ConcurrencyQueue<Int>()
        #expect(queue.isIdle)
        let isAdmitted = queue.enter(limit: 1)
        // One is active and none waits.
        #expect(isAdmitted)
        #expect(!queue.isIdle)
        let isSecond = queue.enter(limit: 1)
        #expect(!isSecond)
        queue.wait(1, .normal)
        #expect(!queue.isIdle)
        #expect(queue.waiting == 1)
        let next = queue.leave()
        #expect(next == 1)
        #expect(!queue.isIdle)
        #expect(queue.waiting == 0)
        let none = queue.leave()
        #expect(none == nil)
        #expect(queue.isIdle)
    }

    @Test func waitingCallsAreServedByPriorityThenArrival() {
        var queue = ConcurrencyQueue<Int>()
        _ = queue.enter(limit: 1)
        for (id, priority) in [(1, RequestPriority.low), (2, .normal), (3, .high), (4, .normal), (5, .high)] {
            queue.wait(id, priority)
        }
        let removals = [queue.remove(4), queue.remove(4)]
        #expect(removals == [true, false])
        let order = (0..<5).map { _ in queue.leave() }
        #expect(order == [3, 5, 2, 1, nil])
    }

    /// A call that waits while none is active: the limit was zero for a moment.
    @Test func queueIsNotIdleWhileACallWaits() {
        var queue = ConcurrencyQueue<Int>()
        queue.wait(1, .normal)
        #expect(!queue.isIdle)
        let isRemoved = queue.remove(1)
        #expect(isRemoved)
        #expect(queue.isIdle)
    }
}
