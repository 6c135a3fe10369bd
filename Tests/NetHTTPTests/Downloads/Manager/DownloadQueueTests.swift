import NetCore
import Testing

@testable import NetHTTP

struct DownloadQueueTests {
    typealias Queue = DownloadQueue<Int>

    private func queue(_ concurrent: Int = 1, perHost: Int? = nil, limit: Int = 100) -> Queue {
        Queue(maximumConcurrent: concurrent, maximumPerHost: perHost, limit: limit)
    }

    private func started(_ actions: [Queue.Action]) -> [Int] {
        actions.compactMap { action in
            if case .start(let id) = action { id } else { nil }
        }
    }

    @discardableResult
    private func add(
        _ id: Int, _ priority: RequestPriority = .normal, host: String = "a", url: String? = nil,
        isAllowed: Bool = true,
        to queue: inout Queue
    ) throws -> [Int] {
        _ = try queue.add(id, url: url ?? "\(id)", host: host, priority: priority, isAllowed: isAllowed)
        return started(queue.wasAdded(id))
    }

    /// Ends all running downloads, one after another, and returns their order.
    private func order(_ queue: inout Queue, from first: Int) -> [Int] {
        var all = [first]
        while let next = started(queue.hasEnded(all[all.count - 1], .completed)).first { all.append(next) }
        return all
    }

    @Test func priorityDecidesThenWhoCameFirst() throws {
        var queue = queue()
        #expect(try add(0, .low, to: &queue) == [0])
        for (id, priority) in [
            (1, RequestPriority.low), (2, .normal), (3, .critical), (4, .normal), (5, .high), (6, .critical),
        ] {
            try add(id, priority, to: &queue)
        }
        #expect(order(&queue, from: 0) == [0, 3, 6, 5, 2, 4, 1])
    }

    @Test func aPriorityCanChangeWhileADownloadWaits() throws {
        var queue = queue()
        for id in 0...3 { try add(id, to: &queue) }
        queue.setPriority(.high, of: 3)
        queue.setPriority(.low, of: 1)
        #expect(order(&queue, from: 0) == [0, 3, 2, 1])
    }

    @Test func capsHoldOverallAndForEachHost() throws {
        var queue = queue(3, perHost: 2)
        #expect(try add(0, host: "a", to: &queue) == [0])
        #expect(try add(1, host: "a", to: &queue) == [1])
        #expect(try add(2, host: "a", to: &queue) == [])
        #expect(try add(3, host: "b", to: &queue) == [3])
        #expect(try add(4, host: "b", to: &queue) == [])
        #expect(started(queue.hasEnded(3, .completed)) == [4])
        #expect(started(queue.hasEnded(0, .completed)) == [2])
    }

    @Test func oneDownloadForEachURLAndABound() throws {
        var queue = queue(limit: 3)
        try add(0, url: "x", to: &queue)
        #expect(throws: Queue.Refusal.isQueued(0)) { try add(1, url: "x", to: &queue) }
        try add(2, to: &queue)
        try add(3, to: &queue)
        #expect(throws: Queue.Refusal.isFull) { try add(4, to: &queue) }
        _ = queue.hasEnded(0, .completed)
        try add(5, url: "x", to: &queue)
        _ = queue.cancel(5)
        try add(6, url: "x", to: &queue)
    }

    @Test func pauseFreesTheSlotOnlyWhenTheRunHasEnded() throws {
        var queue = queue()
        try add(0, to: &queue)
        try add(1, to: &queue)
        #expect(queue.pause(0) == [.stop(0)])
        #expect(queue.isPaused(0))
        #expect(queue.hasEnded(0, .stopped) == [.changed(0, .paused), .changed(1, .downloading), .start(1)])
        #expect(queue.pause(1) == [.stop(1)])
        // Resumed before it has stopped: it keeps its slot, without a notification.
        #expect(try queue.resume(1) == [])
        #expect(queue.hasEnded(1, .stopped) == [.start(1)])
        #expect(try queue.resume(0) == [.changed(0, .queued)])
        #expect(queue.pause(0) == [.changed(0, .paused)])
    }

    @Test func aCancelledDownloadIsRemovedOnceItsRunHasEnded() throws {
        var queue = queue()
        try add(0, to: &queue)
        try add(1, to: &queue)
        #expect(queue.cancel(0) == [.stop(0)])
        #expect(queue.cancel(1) == [.changed(1, .cancelled), .remove(1)])
        #expect(queue.hasEnded(0, .stopped) == [.changed(0, .cancelled), .remove(0)])
        #expect(queue.phase(of: 0) == nil)
        #expect(queue.unfinished == 0)
        #expect(queue.running == 0)
    }

    @Test func aFileThatIsCompleteIsCompleteWhoeverHasStoppedIt() throws {
        for stop in [{ $0.pause(0) }, { $0.cancel(0) }] as [(inout Queue) -> [Queue.Action]] {
            var queue = queue()
            try add(0, to: &queue)
            _ = stop(&queue)
            #expect(queue.hasEnded(0, .completed) == [.changed(0, .completed)])
        }
    }

    @Test func aFailedDownloadIsTriedAgainBehindTheOthers() throws {
        var queue = queue()
        for id in 0...2 { try add(id, to: &queue) }
        #expect(queue.hasEnded(0, .failed) == [.changed(0, .failed), .changed(1, .downloading), .start(1)])
        #expect(try queue.retry(0) == [.changed(0, .queued)])
        #expect(order(&queue, from: 1) == [1, 2, 0])
        #expect(try queue.retry(0) == [])
    }

    @Test func aFailedDownloadHasNoClaimToItsURL() throws {
        var queue = queue(limit: 1)
        try add(0, url: "x", to: &queue)
        _ = queue.hasEnded(0, .failed)
        try add(1, url: "x", to: &queue)
        #expect(throws: Queue.Refusal.isFull) { try queue.retry(0) }
        _ = queue.hasEnded(1, .failed)
        #expect(try started(queue.retry(0)) == [0])
        #expect(throws: Queue.Refusal.isFull) { try queue.retry(1) }
    }

    @Test func theNetworkHoldsForbidsAndAllows() throws {
        var queue = queue(1)
        try add(0, to: &queue)
        try add(1, to: &queue)
        #expect(queue.networkChanged { _ in .isHeld } == [.changed(1, .waiting)])
        #expect(try add(2, isAllowed: false, to: &queue) == [])
        #expect(
            queue.networkChanged { $0 == 0 ? .isForbidden : .isAllowed } == [
                .stop(0), .changed(1, .queued), .changed(2, .queued),
            ])
        #expect(queue.hasEnded(0, .stopped) == [.changed(0, .waiting), .changed(1, .downloading), .start(1)])
        #expect(queue.hasEnded(1, .noNetwork).first == .changed(1, .waiting))
        #expect(queue.networkChanged { _ in .isAllowed } == [.changed(0, .queued), .changed(1, .queued)])
        #expect(order(&queue, from: 2) == [2, 0, 1])
    }

    @Test func drainingStopsAllAndStartsNothing() throws {
        var queue = queue(2)
        for id in 0...2 { try add(id, to: &queue) }
        #expect(Set(queue.drain()) == [.stop(0), .stop(1)])
        #expect(queue.hasEnded(0, .stopped) == [.changed(0, .queued)])
        #expect(queue.hasEnded(1, .completed) == [.changed(1, .completed)])
        #expect(!queue.isPaused(0))
        #expect(queue.running == 0)
    }

    @Test func journalsBringOrderPrioritiesAndPausesBack() throws {
        var queue = queue()
        let kept: [(id: Int, priority: RequestPriority, isPaused: Bool)] = [
            (7, .normal, false), (5, .high, false), (6, .normal, true), (4, .normal, false), (9, .normal, false),
        ]
        for (index, each) in kept.enumerated() {
            // Two journals contain the same position.
            _ = queue.restore(
                each.id, url: "\(each.id)", host: "a", priority: each.priority, order: Int64(min(index, 3)),
                isPaused: each.isPaused, isAllowed: true)
        }
        #expect(
            queue.restore(1, url: "7", host: "a", priority: .critical, order: 9, isPaused: false, isAllowed: true) == [
                .changed(1, .paused)
            ])
        #expect(started(queue.start()) == [5])
        #expect(throws: Queue.Refusal.isQueued(7)) { try queue.resume(1) }
        try add(10, to: &queue)
        #expect(queue.order(of: 10) == 10)
        queue.setPriority(.low, of: 9)
        #expect(order(&queue, from: 5) == [5, 7, 4, 10, 9])
        #expect(queue.phase(of: 6) == .paused)
    }

    @Test func thousandsThatChangeAtOnceKeepTheirOrder() throws {
        var queue = queue(1, limit: 10_000)
        for id in 0..<10_000 { try add(id, RequestPriority(rawValue: Int8(id % 4)), to: &queue) }
        for id in stride(from: 1, to: 10_000, by: 2) { _ = queue.pause(id) }
        for id in stride(from: 1, to: 10_000, by: 2) { _ = try queue.resume(id) }
        let expected = [0] + (1..<10_000).sorted { ($1 % 4, $0) < ($0 % 4, $1) }
        #expect(order(&queue, from: 0) == expected)
    }
}
