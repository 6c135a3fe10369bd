import NetCore
import Synchronization
import Testing

@testable import NetStore

@Suite struct WriteQueueStateMachineTests {
    private var queue = WriteQueueStateMachine(
        path: "p", capacity: 4, byteCapacity: 10_000, batch: 3, patience: .milliseconds(50))
    private let event = PendingEntry.call(PendingEvent(Events.event(1, 1, .started(requestBytes: nil))))
    private let error = StoreError(.full, message: "full", path: "p")

    /// Returns the action as a word.
    private func name(_ next: WriteQueueStateMachine.Next) -> String {
        switch next {
        case .write(let events): "write \(events.count)"
        case .run(let jobs): "run \(jobs.count)"
        case .sleep(let limit): limit == nil ? "sleep" : "gather"
        case .finish: "finish"
        }
    }

    private mutating func next() -> String { name(queue.writerIsReady()) }
    private mutating func request() -> UInt64? { queue.requested(run: { _, _ in }, refuse: { _ in }) }

    @Test mutating func theFirstEventWakesTheWriterAndTheNextOnesLetItGather() {
        #expect(next() == "sleep")
        #expect(queue.received(event) == true)
        #expect(next() == "gather")
        #expect(queue.received(event) == false)
        #expect(queue.received(event) == true, "a whole batch ends the gathering")
        #expect(next() == "write 3")
        #expect(queue.statistics.queued == 3)
        queue.entriesWereHandled(written: 3, failed: 0)
        #expect(queue.statistics == WriterStatistics(written: 3))
        #expect(next() == "sleep")
    }

    @Test mutating func gatheringEndsAfterOnePause() {
        _ = queue.received(event)
        #expect(next() == "gather")
        #expect(next() == "write 1")
    }

    @Test mutating func entriesBeingWrittenCountTowardTheCapacity() {
        for _ in 0..<3 { _ = queue.received(event) }
        #expect(next() == "write 3")
        _ = queue.received(event)
        _ = queue.received(event)
        #expect(queue.statistics == WriterStatistics(dropped: .init(calls: 1), queued: 4, queuedBytes: 4 * event.bytes))
    }

    @Test mutating func aJobComesAfterItsEventsAndBeforeLaterOnes() {
        _ = queue.received(event)
        #expect(request() != nil)
        #expect(next() == "write 1", "somebody waits, so nothing is gathered")
        _ = queue.received(event)
        queue.entriesWereHandled(written: 1, failed: 0)
        #expect(next() == "run 1", "a stream of events does not keep a job waiting")
        #expect(next() == "gather")
    }

    @Test mutating func aFailedWriteTellsThoseWhoWaitForItsEvents() {
        _ = queue.received(event)
        _ = request()
        #expect(next() == "write 1")
        _ = queue.writeBegins()
        let (jobs, isRetried) = queue.writeFailed(error)
        #expect(jobs.count == 1)
        #expect(isRetried)
        #expect(queue.received(event) == false, "the pause is not cut short by events")
        #expect(
            queue.statistics
                == WriterStatistics(queued: 2, queuedBytes: 2 * event.bytes, failedWrites: 1, lastError: error))
        queue.entriesWereHandled(written: 1, failed: 0)
        #expect(queue.statistics.lastError == error, "the latest error stays visible")
    }

    @Test mutating func aTryFailsOnlyThoseWhoCameBeforeIt() {
        _ = queue.received(event)
        let first = request()
        #expect(next() == "write 1")
        _ = queue.writeBegins()
        let second = request()
        #expect(queue.closeWasRequested(nil) == true)
        let early = queue.writeFailed(error)
        #expect(early.jobs.map(\.id) == [first], "the disk may have come back before they asked")
        #expect(early.isRetried, "the disk may have come back before they asked")
        _ = queue.writeBegins()
        let late = queue.writeFailed(error)
        #expect(late.jobs.map(\.id) == [second])
        #expect(!late.isRetried)
    }

    @Test mutating func aJobThatWasTakenBackDoesNotRun() throws {
        let id = try #require(request())
        #expect(queue.jobWasCancelled(id)?.id == id)
        #expect(queue.jobWasCancelled(id) == nil)
        #expect(next() == "sleep")
    }

    @Test mutating func closingWritesRunsAndThenEnds() {
        _ = queue.received(event)
        _ = request()
        #expect(queue.closeWasRequested(nil) == true)
        #expect(queue.received(event) == false)
        #expect(queue.statistics.dropped.calls == 1)
        #expect(request() == nil)
        #expect(next() == "write 1")
        queue.entriesWereHandled(written: 1, failed: 0)
        #expect(next() == "run 1")
        #expect(next() == "finish")
        let left = queue.writerFinished(error: nil)
        #expect(left.jobs.isEmpty)
        #expect(left.closers.isEmpty)
        #expect(queue.closeWasRequested(nil) == false)
    }

    @Test mutating func closingWhileTheDiskFailsGivesUpAndCountsTheLoss() {
        for _ in 0..<2 { _ = queue.received(event) }
        #expect(queue.closeWasRequested { _ in } == true)
        #expect(queue.closeWasRequested { _ in } == true)
        #expect(next() == "write 2")
        _ = queue.writeBegins()
        #expect(queue.writeFailed(error).isRetried == false)
        queue.entriesWereLost(2)
        #expect(queue.writerFinished(error: error).closers.count == 2)
        #expect(queue.statistics == WriterStatistics(failed: 2, failedWrites: 1, lastError: error))
    }

    @Test mutating func capturesLeaveAQuarterOfTheByteCapacityToEvents() {
        let body = CaptureContent.Body(
            bytes: Bytes([UInt8](repeating: 0, count: 7000)), size: 7000, isCut: false, type: nil)
        let capture = PendingEntry.capture(PendingCapture(Events.id(1), number: 1, status: 200, response: body))
        _ = queue.received(capture)
        _ = queue.received(capture)
        #expect(queue.statistics.dropped == .init(captures: 1), "two are more than three quarters")
        _ = queue.received(event)
        #expect(queue.statistics.dropped.calls == 0)
        #expect(queue.statistics.queued == 2)
    }

    @Test mutating func ofADroppedEndTheLossIsKept() {
        for _ in 0..<4 { _ = queue.received(event) }
        let end = PendingEntry.call(PendingEvent(Events.call(1)[2]))
        _ = queue.received(end)
        #expect(queue.statistics.dropped.calls == 1)
        #expect(queue.statistics.queued == 5)
        guard case .write(let entries) = queue.writerIsReady(), case .lost(let loss) = entries[4] else {
            Issue.record("the loss comes last")
            return
        }
        #expect(loss.key == ItemKey(Events.id(1), .call))
    }

    @Test mutating func anIdleWriterSleepsUntilSomethingIsDue() {
        guard case .sleep(let limit) = queue.writerIsReady(idle: .seconds(3)) else {
            Issue.record("there is nothing else to do")
            return
        }
        #expect(limit == .seconds(3))
        #expect(queue.received(event) == true, "an entry ends the sleep")
    }
}
