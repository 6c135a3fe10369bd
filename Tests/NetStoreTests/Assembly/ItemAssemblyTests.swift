import NetCore
import Testing

@testable import NetStore

@Suite struct ItemAssemblyTests {
    private var assembly = ItemAssembly(maximumOpen: 3)

    private mutating func add(_ events: [ActivityEvent]) -> [ItemDraft] {
        events.compactMap { assembly.add(.call(PendingEvent($0))) }
    }

    @Test mutating func aCallIsFinishedByItsEnd() throws {
        assembly.beginBatch()
        let drafts = add(Events.call(1, operation: "getUser"))
        let draft = try #require(drafts.first)
        #expect(drafts.count == 1)
        #expect(draft.outcome == .completed)
        #expect(draft.duration == 12_000)
        #expect(draft.attemptCount == 1)
        #expect(draft.operation == "getUser")
        #expect(draft.hasEnded)
        #expect(!assembly.contains(draft.key))
    }

    @Test mutating func eventsOfSeveralCallsDoNotMix() {
        let (first, second) = (Events.call(1), Events.call(2, status: 503))
        let drafts = add([first[0], second[0], second[1], first[1], first[2], second[2]])
        #expect(drafts.map(\.key.uid) == [Events.id(1), Events.id(2)])
        #expect(drafts.map(\.status) == [200, 503])
    }

    @Test mutating func aCallWhoseBeginningWasDroppedIsFinishedAllTheSame() throws {
        let drafts = add(Array(Events.call(1).dropFirst()))
        try #require(drafts.count == 1)
        #expect(drafts[0].method == "GET")
        #expect(drafts[0].attemptCount == 1)
    }

    @Test mutating func anAttemptKeepsThePauseAfterIt() {
        let error = NetError(.timeout, phase: .waiting, message: "late")
        let drafts = add([
            Events.event(1, 1, .started(requestBytes: 0)),
            Events.event(1, 2, .attemptEnded(.init(number: 1, error: error))),
            Events.event(1, 3, .retrying(attempt: 2, after: .milliseconds(250), reason: "timeout")),
            Events.event(1, 4, .attemptEnded(.init(number: 2, status: 200))),
            Events.event(1, 5, .ended(.completed(status: 200, responseBytes: 1))),
        ])
        #expect(drafts[0].attempts.map(\.retryDelay) == [250_000, nil])
        #expect(drafts[0].retries == 1)
        #expect(drafts[0].attempts[0].error == "timeout")
        #expect(drafts[0].attempts[0].retryReason == "timeout")
    }

    @Test mutating func aCallIsWrittenAsUnderWayOnceItHasOutlivedABatch() {
        assembly.beginBatch()
        _ = add([Events.call(1)[0]])
        #expect(assembly.opened(all: false).isEmpty, "most calls end before the next batch")
        #expect(assembly.opened(all: true).count == 1)
        assembly.beginBatch()
        let opened = assembly.opened(all: false)
        #expect(opened.map(\.key.uid) == [Events.id(1)])
        assembly.wereStored(opened)
        #expect(assembly.opened(all: true).isEmpty)
        #expect(assembly.changed.isEmpty)
        _ = add([Events.call(1)[1]])
        #expect(assembly.opened(all: false).count == 1, "a stored row follows each change")
        let ended = add([Events.call(1)[2]])
        #expect(assembly.opened(all: true).isEmpty)
        #expect(ended[0].isStored)
    }

    @Test mutating func aCallWithCapturesIsWrittenAtOnce() {
        assembly.beginBatch()
        _ = add([Events.call(1)[0]])
        let body = CaptureContent.Body(bytes: Bytes([1]), size: 1, isCut: false, type: "text/plain")
        let capture = PendingCapture(Events.id(1), number: 1, status: 200, response: body)
        #expect(assembly.add(.capture(capture)) == nil)
        assembly.describe(capture.row())
        #expect(assembly.opened(all: false).map(\.responseType) == ["text/plain"])
    }

    @Test mutating func theLossOfAnEndCutsTheCallOff() {
        _ = add([Events.call(1)[0]])
        let loss = PendingEntry.lost(PendingEntry.LostEnd(ItemKey(Events.id(1), .call)))
        #expect(assembly.add(loss)?.outcome == .cutOff)
        #expect(assembly.add(loss) == nil)
    }

    @Test mutating func tooManyCallsUnderWayCutTheOldestOff() throws {
        for number in 1...3 { #expect(add([Events.call(number)[0]]).isEmpty) }
        let evicted = add([Events.call(4)[0]])
        try #require(evicted.map(\.key.uid) == [Events.id(1)])
        #expect(evicted[0].outcome == .cutOff)
        #expect(add(Events.call(5)).map(\.key.uid).contains(Events.id(2)))
    }

    @Test mutating func unfinishedEntriesAreCutOffAtTheEnd() {
        _ = add([Events.call(2)[0], Events.call(1)[0]])
        let now = StoredTime.microseconds(of: Events.start) + 3_000_000
        let drafts = assembly.cutOffAll(now: now)
        #expect(drafts.map(\.key.uid) == [Events.id(1), Events.id(2)])
        #expect(drafts.map(\.duration) == [2_000_000, 1_000_000])
        #expect(drafts.allSatisfy { $0.outcome == .cutOff })
        #expect(assembly.opened(all: true).isEmpty)
    }

    @Test mutating func ofManyAttemptsTheFirstOnesAndTheLastOneAreKept() {
        let attempts = (1...150).map { number in
            Events.event(1, number + 1, .attemptEnded(.init(number: number, status: 503)))
        }
        let drafts = add([Events.call(1)[0]] + attempts + [Events.call(1)[2]])
        #expect(drafts[0].attempts.count == 100)
        #expect(drafts[0].attemptCount == 150)
        #expect(drafts[0].attempts[98].number == 99)
        #expect(drafts[0].attempts[99].number == 150)
    }

    @Test mutating func theStateOfACallUnderWayIsReadAsItWasWritten() throws {
        var metrics = TransferMetrics(total: .milliseconds(40), requestBytes: 3, responseBytes: 9, version: "2")
        metrics.connected = .milliseconds(3)
        let draft = ItemDraft(ItemKey(Events.id(1), .call), startedAt: 0)
        #expect(OpenState(draft).text == nil)
        let event = Events.event(1, 2, .attemptEnded(.init(number: 1, status: 200, metrics: metrics)))
        _ = add([Events.call(1)[0], event])
        let open = try #require(assembly.opened(all: true).first)
        let state = try #require(OpenState(open).text.flatMap(OpenState.init(text:)))
        #expect(state.attempts == open.attempts)
        #expect(state.attempts?.first?.connect == 3000)
        #expect(OpenState(text: "{") == nil)
    }

    @Test(arguments: [true, false]) mutating func aCallBelongsToTheJobThatBeganIt(isFirst: Bool) {
        let job = PendingJob(
            Events.id(9), startedAt: 0, occurredAt: 0, name: nil, url: nil, requests: 1, call: Events.id(1))
        if isFirst { #expect(assembly.add(.job(job)) == nil) }
        _ = add([Events.call(1)[0]])
        if !isFirst { #expect(assembly.add(.job(job)) == nil) }
        #expect(add(Array(Events.call(1).dropFirst())).map(\.owner) == [Events.id(9)])
    }
}
