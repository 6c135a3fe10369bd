import NetCore
import Testing

@testable import NetStore

/// The queue's dropping, counting and results at its limits.
@Suite struct WriteQueueLimitsTests {
    private var queue = WriteQueueStateMachine(
        path: "p", capacity: 4, byteCapacity: 1 << 20, batch: 3, patience: .milliseconds(50))
    private let event = PendingEntry.call(PendingEvent(Events.event(1, 1, .started(requestBytes: nil))))
    private let error = StoreError(.full, message: "full", path: "p")

    private static func capture(_ bytes: Int) -> PendingEntry {
        .capture(PendingCapture(Events.id(1), number: 1, bytes: bytes - 256) { CaptureContent() })
    }

    private static var one: [PendingEntry] {
        let socket = PendingSocketEvent(Events.socket(1)[0])
        let job = PendingJob(Events.id(1), startedAt: 0, occurredAt: 0, name: nil, url: nil, requests: 0)
        let line = PendingLogLine(
            Events.id(1), occurredAt: 0, level: 1, label: "l", message: "m", detail: nil, owner: nil)
        let message = PendingMessage(Events.id(1), number: 1, occurredAt: 0, isSent: true, kind: .text, size: 1)
        return [
            .call(PendingEvent(Events.call(1)[0])), .job(job), .log(line), capture(256), .message(message),
            .lost(PendingEntry.LostEnd(ItemKey(Events.id(1), .call))),
        ] + (socket.map { [.socket($0)] } ?? [])
    }

    private mutating func next(_ idle: Duration? = nil) -> WriteQueueStateMachine.Next {
        queue.writerIsReady(idle: idle)
    }

    private mutating func request() -> UInt64? { queue.requested(run: { _, _ in }, refuse: { _ in }) }

    private func isWrite(_ next: WriteQueueStateMachine.Next, _ count: Int) -> Bool {
        if case .write(let entries) = next { entries.count == count } else { false }
    }

    private func jobs(_ next: WriteQueueStateMachine.Next) -> [UInt64]? {
        if case .run(let jobs) = next { jobs.map(\.id) } else { nil }
    }

    private func pause(_ next: WriteQueueStateMachine.Next) -> Duration? {
        if case .sleep(let limit) = next { limit } else { nil }
    }

    @Test mutating func droppedEntriesAreCountedByKind() {
        #expect(queue.closeWasRequested(nil) == true)
        for entry in Self.one { #expect(queue.received(entry) == false) }
        let dropped = queue.statistics.dropped
        #expect(dropped == .init(calls: 1, sockets: 1, jobs: 1, logs: 1, captures: 1, messages: 1))
        #expect(dropped.total == 6)
        #expect(queue.statistics.queued == 0)
        let counts = WriterStatistics.Dropped(calls: 1, sockets: 2, jobs: 4, logs: 8, captures: 16, messages: 32)
        #expect(counts.total == 63)
        #expect(WriterStatistics.Dropped().total == 0)
        #expect(
            WriterStatistics()
                == WriterStatistics(
                    written: 0, dropped: .init(calls: 0, sockets: 0, jobs: 0, logs: 0, captures: 0, messages: 0),
                    failed: 0, queued: 0, queuedBytes: 0, failedWrites: 0, lastError: nil))
    }

    @Test mutating func thePlacesAreCountedToTheLast() {
        for _ in 0..<4 { _ = queue.received(event) }
        #expect(queue.statistics.queued == 4)
        #expect(queue.statistics.dropped.total == 0)
        _ = queue.received(event)
        #expect(queue.statistics.queued == 4)
        #expect(queue.statistics.dropped.calls == 1)
        #expect(isWrite(next(), 4) == true)
        queue.entriesWereHandled(written: 1, failed: 1)
        #expect(queue.statistics.queued == 2)
        #expect(queue.statistics.queuedBytes == 4 * event.bytes)
        for _ in 0..<3 { _ = queue.received(event) }
        #expect(queue.statistics.queued == 4)
        #expect(queue.statistics.dropped.calls == 2)
        queue.entriesWereHandled(written: 2, failed: 0)
        #expect(queue.statistics.queued == 2)
        #expect(queue.statistics.queuedBytes == 2 * event.bytes)
        #expect(queue.statistics.written == 3)
        #expect(queue.statistics.failed == 1)
    }

    @Test mutating func theBytesAreCountedToTheLast() {
        // Three quarters of the bytes are for large items.
        _ = queue.received(Self.capture((1 << 20) / 4 * 3 + 1))
        #expect(queue.statistics.dropped.captures == 1)
        _ = queue.received(Self.capture((1 << 20) / 4 * 3))
        #expect(queue.statistics.dropped.captures == 1)
        #expect(queue.statistics.queuedBytes == (1 << 20) / 4 * 3)
        _ = queue.received(Self.capture(256))
        #expect(queue.statistics.dropped.captures == 2)
        let url = String(repeating: "u", count: (1 << 20) / 4 - event.bytes + Self.length)
        let large = PendingEntry.call(PendingEvent(Events.event(1, 1, .started(requestBytes: nil), url: url)))
        #expect(large.bytes == (1 << 20) / 4)
        let larger = PendingEntry.call(PendingEvent(Events.event(1, 1, .started(requestBytes: nil), url: url + "u")))
        _ = queue.received(larger)
        #expect(queue.statistics.dropped.calls == 1)
        _ = queue.received(large)
        #expect(queue.statistics.dropped.calls == 1)
        #expect(queue.statistics.queuedBytes == 1 << 20)
        _ = queue.writerIsReady()
        #expect(isWrite(next(), 2) == true)
        #expect(queue.statistics.queuedBytes == 1 << 20, "what is in hand counts until it is written")
        _ = queue.received(event)
        #expect(queue.statistics.dropped.calls == 2)
        queue.entriesWereHandled(written: 2, failed: 0)
        #expect(queue.statistics.queuedBytes == 0)
    }

    private static let length = "https://api.example.com/items/1?page=2".utf8.count

    @Test mutating func asManyLossesAreKeptAsThereArePlaces() {
        for _ in 0..<4 { _ = queue.received(event) }
        let end = PendingEntry.call(PendingEvent(Events.call(1)[2]))
        for _ in 0..<6 { _ = queue.received(end) }
        #expect(queue.statistics.dropped.calls == 6)
        #expect(queue.statistics.queued == 8)
        #expect(isWrite(next(), 8) == true)
        queue.entriesWereHandled(written: 8, failed: 0)
        #expect(queue.statistics.queued == 0)
        for _ in 0..<4 { _ = queue.received(event) }
        for _ in 0..<5 { _ = queue.received(end) }
        #expect(queue.statistics.queued == 8, "a written batch makes room for losses again")
    }

    @Test mutating func aLossTakesNoPlace() {
        for _ in 0..<4 { _ = queue.received(event) }
        let end = PendingEntry.call(PendingEvent(Events.call(1)[2]))
        _ = queue.received(end)
        #expect(isWrite(next(), 5) == true)
        queue.entriesWereHandled(written: 5, failed: 0)
        for _ in 0..<4 { _ = queue.received(event) }
        #expect(queue.statistics.dropped.calls == 1)
        #expect(queue.statistics.queued == 4)
    }

    @Test mutating func aJobRunsOnceTheEntriesBeforeItAreHandledHoweverTheyWere() throws {
        _ = queue.received(event)
        _ = queue.received(event)
        let first = try #require(request())
        let second = try #require(request())
        #expect(first != second)
        #expect(queue.isAwaited)
        #expect(isWrite(next(), 2) == true)
        queue.entriesWereHandled(written: 1, failed: 0)
        #expect(jobs(next()) == nil)
        queue.entriesWereHandled(written: 0, failed: 1)
        #expect(jobs(next()) == [first, second])
        #expect(!queue.isAwaited)
    }

    @Test mutating func entriesWakeTheWriterForABatchButNotBeforeARetry() {
        #expect(queue.received(event) == false, "it is awake")
        #expect(pause(next()) == .milliseconds(50))
        #expect(queue.received(event) == false)
        #expect(queue.received(event) == true)
        #expect(queue.received(event) == false, "it has been woken")
        #expect(isWrite(next(), 4) == true)
        _ = queue.writeBegins()
        _ = queue.writeFailed(error)
        #expect(queue.received(event) == false)
        queue.entriesWereHandled(written: 4, failed: 0)
        _ = queue.writerIsReady()
        _ = request()
        #expect(queue.received(event) == false, "a job has woken it")
    }

    @Test mutating func aQueueThatIsFullAtOnceIsWrittenWithoutAPause() {
        for _ in 0..<3 { _ = queue.received(event) }
        #expect(isWrite(next(.seconds(1)), 3) == true)
        queue.entriesWereHandled(written: 3, failed: 0)
        // After a batch, collecting begins again.
        _ = queue.received(event)
        #expect(pause(next(.seconds(1))) == .milliseconds(50))
        #expect(isWrite(next(.seconds(1)), 1) == true)
        queue.entriesWereHandled(written: 1, failed: 0)
        #expect(pause(next(.seconds(1))) == .seconds(1))
    }

    @Test mutating func theEndAnswersAllWhoWait() {
        _ = queue.received(event)
        _ = request()
        #expect(queue.closeWasRequested({ _ in }) == true)
        #expect(queue.isAwaited)
        #expect(isWrite(next(), 1) == true)
        #expect(queue.writeBegins().queued == 1)
        let (waiting, isRetried) = queue.writeFailed(error)
        #expect(waiting.count == 1)
        #expect(!isRetried)
        queue.entriesWereLost(1)
        #expect(queue.statistics.queued == 0)
        #expect(queue.statistics.queuedBytes == 0)
        #expect(queue.statistics.failed == 1)
        let left = queue.writerFinished(error: nil)
        #expect(left.jobs.isEmpty)
        #expect(left.closers.count == 1)
        #expect(queue.statistics.lastError == error, "an end without an error keeps the last one")
        #expect(queue.writerFinished(error: nil).closers.count == 0)
        #expect(queue.closeWasRequested({ _ in }) == false)
    }

    @Test mutating func queuedEntriesAreLostWhenTheWriterGivesUp() {
        for _ in 0..<3 { _ = queue.received(event) }
        #expect(isWrite(next(), 3) == true)
        _ = queue.received(event)
        queue.entriesWereHandled(written: 1, failed: 0)
        queue.entriesWereLost(2)
        #expect(queue.statistics == WriterStatistics(written: 1, failed: 3))
        let other = StoreError(.corrupt, message: "m", path: "p")
        queue.rowWasRefused(error)
        #expect(queue.statistics.lastError == error)
        #expect(queue.statistics.failedWrites == 0)
        queue.housekeepingFailed(other)
        #expect(queue.statistics.lastError == other)
        #expect(queue.statistics.failedWrites == 1)
        _ = queue.writerFinished(error: error)
        #expect(queue.statistics.lastError == error)
    }

    @Test mutating func jobsThatAreLeftAtTheEndAreReturned() throws {
        let id = try #require(request())
        #expect(queue.writerFinished(error: nil).jobs.map(\.id) == [id])
        #expect(request() == nil)
        #expect(queue.jobWasCancelled(id)?.id == nil)
    }

    // MARK: Entries

    @Test func anEntryKnowsWhatItHoldsAndWhatItEnds() throws {
        let entries = Self.one
        #expect(entries.map(\.isSecondary) == [false, false, true, true, true, false, false])
        #expect(entries.map { $0.endedItem == nil } == [true, true, true, true, true, true, true])
        let url = "https://api.example.com/items/1?page=2".utf8.count
        let socketURL = "wss://api.example.com/live".utf8.count
        #expect(entries.map(\.bytes) == [320 + url, 256, 193, 256, 160, 64, 320 + socketURL])
        let end = PendingJob.End(outcome: .completed, failure: nil)
        let job = PendingJob(
            Events.id(3), startedAt: 0, occurredAt: 0, name: "name", url: "12", detail: "345", requests: 0, end: end)
        let line = PendingLogLine(
            Events.id(1), occurredAt: 0, level: 1, label: "l", message: "12", detail: "345", owner: nil)
        #expect(PendingEntry.job(job).bytes == 261)
        #expect(PendingEntry.log(line).bytes == 197)
        #expect(PendingEntry.job(job).endedItem == ItemKey(Events.id(3), .job))
        #expect(PendingEntry.call(PendingEvent(Events.call(2)[2])).endedItem == ItemKey(Events.id(2), .call))
        let closed = try #require(PendingSocketEvent(Events.socket(4)[1]))
        #expect(PendingEntry.socket(closed).endedItem == ItemKey(Events.id(4), .socket))
        let message = PendingMessage(
            Events.id(1), number: 1, occurredAt: 0, isSent: true, kind: .text, size: 1, bytes: 40)
        #expect(PendingEntry.message(message).bytes == 200)
        #expect(message.row().content == nil)
        #expect(!message.isCut)
    }
}
