import Foundation
import HTTPTypes
import NetCore
import Testing

@testable import NetStore

/// The parts of an entry taken from each event, and the entries that are abandoned.
@Suite struct AssemblyRulesTests {
    private var assembly = ItemAssembly(maximumOpen: 3)

    private mutating func add(_ events: [ActivityEvent]) -> [ItemDraft] {
        events.compactMap { assembly.add(.call(PendingEvent($0))) }
    }

    private mutating func finished(_ entry: PendingEntry) throws -> ItemDraft {
        let draft = assembly.add(entry)
        return try #require(draft)
    }

    private func job(
        _ number: Int, started: Int64 = 0, at moment: Int64 = 0, name: String? = nil, url: String? = nil,
        detail: String? = nil, requests: Int = 0, sent: Int64? = nil, received: Int64? = nil, total: Int64? = nil,
        call: Int? = nil, end: PendingJob.End? = nil
    ) -> PendingEntry {
        .job(
            PendingJob(
                Events.id(number), startedAt: started, occurredAt: moment, name: name, url: url, detail: detail,
                requests: requests, sentBytes: sent, receivedBytes: received, totalBytes: total,
                call: call.map { Events.id($0) }, end: end))
    }

    private let done = PendingJob.End(outcome: .completed, failure: nil)

    @Test func manyEntriesMayBeUnderWay() {
        #expect(ItemAssembly().maximumOpen == 65_536)
        #expect(ItemDraft.maximumAttempts == 100)
    }

    // MARK: Calls

    @Test mutating func theFirstEventDescribesTheCall() {
        let drafts = add([
            Events.event(1, 1, .started(requestBytes: 4), method: .put, url: "https://a/", operation: "first"),
            Events.event(1, 2, .responded(status: 100), url: "https://b/", operation: "second"),
            Events.event(1, 3, .cache(.init(.miss, .notStored))),
            Events.event(1, 4, .responded(status: 201)),
            Events.event(1, 5, .ended(.cancelled), elapsed: .milliseconds(3)),
        ])
        let draft = drafts[0]
        #expect(draft.method == "PUT")
        #expect(draft.url == "https://a/")
        #expect(draft.operation == "first")
        #expect(draft.name == nil)
        #expect(draft.requestBytes == 4)
        #expect(draft.responseBytes == nil)
        #expect(draft.status == 201)
        #expect(draft.cache == ActivityEvent.CacheDecision(.miss, .notStored))
        #expect(draft.duration == 3000)
        #expect(draft.failure == nil)
        #expect(draft.startedAt == StoredTime.microseconds(of: Events.start) + 1_000_000)
    }

    @Test mutating func bytesThatTheCallDoesNotSayAreTheLastAttempts() throws {
        func call(_ number: Int, started: Int64?, ended: Int64?) -> [ActivityEvent] {
            let metrics = TransferMetrics(total: .zero, requestBytes: 5, responseBytes: 6)
            return [
                Events.event(number, 1, .started(requestBytes: started)),
                Events.event(number, 2, .attemptEnded(.init(number: 1, status: 200, metrics: metrics))),
                Events.event(number, 3, .ended(ended.map { .completed(status: 200, responseBytes: $0) } ?? .cancelled)),
            ]
        }
        let drafts = add(call(1, started: nil, ended: nil) + call(2, started: 7, ended: 8))
        try #require(drafts.map(\.requestBytes) == [5, 7])
        #expect(drafts.map(\.responseBytes) == [6, 8])
        #expect(drafts[0].version == nil)
        #expect(drafts[0].isReused == false)
    }

    @Test mutating func anEndWithoutAStatusKeepsTheLastOne() {
        let lost = NetError(.connectionLost, phase: .receiving, message: "gone")
        let head = Events.event(1, 1, .responded(status: 206))
        #expect(add([head, Events.event(1, 2, .ended(.cancelled))]).map(\.status) == [206])
        #expect(add([head, Events.event(1, 2, .ended(.failed(lost)))]).map(\.status) == [206])
        let drafts = add([Events.event(2, 1, .ended(.rejected(status: 404, responseBytes: 9)))])
        #expect(drafts[0].status == 404)
        #expect(drafts[0].outcome == .rejected)
        #expect(drafts[0].responseBytes == 9)
    }

    @Test mutating func retriesAreCountedAlsoWithoutAnAttempt() {
        let retry = ActivityEvent.Kind.retrying(attempt: 2, after: .seconds(1), reason: "r")
        let drafts = add([
            Events.event(1, 1, retry), Events.event(1, 2, retry), Events.event(1, 3, .ended(.cancelled)),
        ])
        #expect(drafts[0].retries == 2)
        #expect(drafts[0].attempts.isEmpty)
        #expect(drafts[0].attemptCount == 0)
    }

    @Test mutating func missingAttemptMetricsKeepPreviousValues() {
        var metrics = TransferMetrics(total: .zero, version: "2")
        (metrics.isReused, metrics.remoteAddress) = (true, "1.2.3.4:5")
        let drafts = add([
            Events.event(1, 1, .attemptEnded(.init(number: 1, status: 503, metrics: metrics))),
            Events.event(1, 2, .attemptEnded(.init(number: 2))), Events.event(1, 3, .ended(.cancelled)),
        ])
        let draft = drafts[0]
        #expect(draft.isReused == true)
        #expect(draft.version == "2")
        #expect(draft.remote == "1.2.3.4:5")
        #expect(draft.status == 503)
        #expect(draft.attemptCount == 2)
    }

    @Test func anAttemptSaysOnlyWhatDiffersFromItsCall() throws {
        let trace = try #require(TraceParent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"))
        func row(_ change: (inout ActivityEvent.Attempt) -> Void) -> AttemptRow {
            var attempt = ActivityEvent.Attempt(number: 3)
            change(&attempt)
            let event = Events.event(1, 2, .attemptEnded(attempt), elapsed: .milliseconds(4), url: "https://a/")
            return AttemptRow(AttemptDraft(attempt, of: event), of: Events.id(1))
        }
        let bare = row { _ in }
        #expect(bare == AttemptRow(number: 3, start: nil, end: 4000))
        #expect(bare.fitsInline)
        let same = row { ($0.method, $0.url, $0.start) = (.get, "https://a/", .microseconds(7)) }
        #expect(same.method == nil)
        #expect(same.url == nil)
        #expect(same.start == 7)
        #expect(same.fitsInline)
        let other = row { ($0.method, $0.url, $0.trace) = (.head, "https://b/", trace) }
        #expect(other.method == "HEAD")
        #expect(other.url == "https://b/")
        #expect(!other.fitsInline)
        #expect(other.trace?.count == 25)
        let response = NetError.FailedResponse(head: ResponseHead(status: .badGateway, headers: [:]), body: Bytes())
        let error = NetError(.unacceptableStatus, phase: .validating, message: "no", response: response)
        let failed = row { $0 = .init(number: 1, error: error) }
        #expect(failed.status == 502)
        #expect(failed.error == "unacceptableStatus")
        #expect(failed.phase == "validating")
        #expect(failed.message == "no")
        #expect(row { $0 = .init(number: 1, status: 200, error: error) }.status == 200)
        var metrics = TransferMetrics(total: .milliseconds(9), requestBytes: 1, responseBytes: 2, version: "")
        (metrics.queued, metrics.resolved, metrics.connected) = (.milliseconds(1), .milliseconds(3), .milliseconds(6))
        (metrics.requestStarted, metrics.requestSent) = (.milliseconds(7), .milliseconds(8))
        let measured = row { $0 = .init(number: 1, metrics: metrics) }
        let phases = metrics.phases
        #expect(measured.total == 9000)
        #expect(measured.version == nil)
        #expect(measured.isReused == false)
        #expect(measured.queued == phases.queued.map { StoredTime.microseconds(of: $0) })
        #expect(measured.queued == 1000)
        #expect(measured.lookup == 2000)
        #expect(measured.connect == 3000)
        #expect(measured.secure == nil)
        #expect(measured.sending == 1000)
        #expect(measured.requestBytes == 1)
        #expect(measured.responseBytes == 2)
        #expect(measured.remote == nil)
    }

    // MARK: WebSockets and jobs

    @Test mutating func aWebSocketSaysHowItEnded() throws {
        func events(_ number: Int, _ code: WebSocketCloseCode) throws -> [PendingEntry] {
            try Events.socket(number, code: code).map { .socket(try #require(PendingSocketEvent($0))) }
        }
        for (code, outcome) in [
            (WebSocketCloseCode.normalClosure, StoredItem.Outcome.completed), (.goingAway, .completed),
            (.abnormalClosure, .failed), (.internalError, .failed),
        ] {
            let events = try events(1, code)
            #expect(assembly.add(events[0]) == nil)
            #expect(assembly.opened(all: true).map(\.detail) == ["subprotocol v1"])
            let draft = try finished(events[1])
            #expect(draft.outcome == outcome)
            #expect(draft.status == Int(code.rawValue))
            #expect(draft.hasEnded)
            #expect((draft.failure == nil) == (outcome == .completed))
            #expect(draft.requestBytes == 5)
            #expect(draft.responseBytes == 0)
            #expect(draft.remote == "127.0.0.1:443")
            #expect(draft.detail == "subprotocol v1, 1 messages sent, 0 received")
        }
        let unopened = try finished(events(2, .normalClosure)[1])
        #expect(unopened.detail == "1 messages sent, 0 received")
        #expect(unopened.url == "wss://api.example.com/live")
        #expect(unopened.startedAt <= StoredTime.microseconds(of: Date()))
    }

    @Test mutating func aJobKeepsWhatItHasSaidBefore() throws {
        #expect(
            assembly.add(
                job(1, started: 5, at: 5, name: "n", url: "u", detail: "d", requests: 1, sent: 2, received: 3, total: 4)
            )
                == nil)
        let open = try #require(assembly.opened(all: true).first)
        #expect(open.attemptCount == 1)
        #expect(open.totalBytes == 4)
        #expect(open.startedAt == 5)
        let failure = PendingEvent.Failure(NetError(.timeout, phase: .waiting, message: "late"))
        let end = PendingJob.End(outcome: .failed, failure: failure)
        let draft = try finished(job(1, started: 9, at: 12, requests: 2, end: end))
        #expect(draft.name == "n")
        #expect(draft.url == "u")
        #expect(draft.detail == "d")
        #expect(draft.attemptCount == 2)
        #expect(draft.requestBytes == 2)
        #expect(draft.responseBytes == 3)
        #expect(draft.totalBytes == 4)
        #expect(draft.duration == 7)
        #expect(draft.startedAt == 5)
        #expect(draft.outcome == .failed)
        #expect(draft.hasEnded)
        #expect(draft.failure?.message == "late")
        #expect(!assembly.contains(draft.key))
        let backwards = try finished(job(2, started: 9, at: 3, end: done))
        #expect(backwards.duration == 0)
    }

    @Test mutating func aJobSaysWhatItsActivityIs() throws {
        func entry(_ kind: JobActivity.Kind, _ state: JobActivity.State) -> PendingJob {
            var activity = JobActivity(
                job: Events.id(1), sequence: 1, date: Events.start, kind: kind, title: "title", url: "https://a/",
                state: state)
            (activity.bytes, activity.totalBytes, activity.attempts) = (7, 9, 2)
            activity.call = Events.id(2)
            activity.failure = NetError(.timeout, phase: .waiting, message: "late")
            return PendingJob(activity)
        }
        let download = entry(.download, .running)
        #expect(download.receivedBytes == 7)
        #expect(download.sentBytes == nil)
        #expect(download.totalBytes == 9)
        #expect(download.detail == "download, running")
        #expect(download.end == nil)
        #expect(download.requests == 2)
        #expect(download.name == "title")
        #expect(download.url == "https://a/")
        #expect(download.call == Events.id(2))
        #expect(download.startedAt == StoredTime.microseconds(of: Events.start))
        let upload = entry(.upload, .failed)
        #expect(upload.sentBytes == 7)
        #expect(upload.receivedBytes == nil)
        #expect(upload.end?.failure?.code == "timeout")
        let ends = JobActivity.State.allCases.map { entry(.outbox, $0).end?.outcome }
        #expect(ends == [nil, nil, nil, nil, .completed, .failed, .cancelled])
    }

    // MARK: Limits

    @Test mutating func theJobsOfCallsToComeAreLimited() {
        for number in 1...3 { #expect(assembly.add(job(9, call: number)) == nil) }
        let owners = (1...3).map { add(Events.call($0))[0].owner }
        #expect(owners == [Events.id(9), Events.id(9), Events.id(9)])
        for number in 1...4 { #expect(assembly.add(job(9, call: number)) == nil) }
        #expect((1...4).map { add(Events.call($0))[0].owner } == [nil, nil, nil, Events.id(9)])
    }

    @Test mutating func eachKindMakesRoomForItself() throws {
        for number in 2...4 { #expect(add([Events.call(number)[0]]).isEmpty) }
        let opened = try #require(PendingSocketEvent(Events.socket(5)[0]))
        #expect(assembly.add(.socket(opened))?.key.uid == Events.id(2))
        #expect(assembly.add(job(6, started: .max))?.key.uid == Events.id(3))
        // Events of known entries, and those that end an entry, need no room.
        #expect(assembly.add(.socket(opened)) == nil)
        #expect(assembly.add(job(6)) == nil)
        #expect(add([Events.call(4)[1]]).isEmpty)
        #expect(assembly.add(job(7, end: done))?.outcome == .completed)
        let closed = try #require(PendingSocketEvent(Events.socket(8)[1]))
        #expect(assembly.add(.socket(closed))?.key.uid == Events.id(8))
        let kept = [ItemKey(Events.id(4), .call), ItemKey(Events.id(5), .socket), ItemKey(Events.id(6), .job)]
        #expect(kept.allSatisfy { assembly.contains($0) })
        #expect(!assembly.contains(ItemKey(Events.id(5), .call)))
    }

    @Test mutating func entriesCutOffForRoomAreNotWrittenAsUnfinished() {
        for number in 1...4 { _ = add([Events.call(number)[0]]) }
        #expect(assembly.opened(all: true).map(\.key.uid) == [2, 3, 4].map { Events.id($0) })
        assembly.wereStored([])
        #expect(assembly.changed.count == 3, "what has ended isn't kept")
    }

    @Test mutating func changesAreNotedOnceUntilTheyAreStored() throws {
        assembly.beginBatch()
        _ = add(Array(Events.call(1).prefix(2)))
        try #require(assembly.changed.count == 1)
        #expect(assembly.changed[0].changedIn == 1)
        #expect(assembly.batch == 1)
        assembly.beginBatch()
        _ = add([Events.call(1)[1], Events.call(2)[0]])
        #expect(assembly.changed.map(\.changedIn) == [1, 2])
        #expect(assembly.opened(all: false).map(\.key.uid) == [Events.id(1)])
        assembly.wereStored(assembly.opened(all: false))
        #expect(assembly.changed.map(\.key.uid) == [Events.id(2)])
        assembly.removeAll()
        #expect(assembly.changed.isEmpty)
        #expect(!assembly.contains(ItemKey(Events.id(1), .call)))
        #expect(assembly.cutOffAll(now: 0).isEmpty)
    }

    @Test mutating func entriesWithCapturesOrMessagesAreWrittenImmediately() {
        assembly.beginBatch()
        _ = add([Events.call(1)[0], Events.call(2)[0]])
        #expect(assembly.add(.capture(PendingCapture(Events.id(2), number: 1, bytes: 0) { CaptureContent() })) == nil)
        let message = PendingMessage(Events.id(1), number: 1, occurredAt: 0, isSent: true, kind: .text, size: 1)
        #expect(assembly.add(.message(message)) == nil, "the call isn't the WebSocket")
        #expect(assembly.opened(all: false).map(\.key.uid) == [Events.id(2)])
        let opened = PendingSocketEvent(Events.socket(1)[0])
        if let opened { _ = assembly.add(.socket(opened)) }
        _ = assembly.add(.message(message))
        #expect(assembly.opened(all: false).map(\.key.kind) == [.call, .socket])
    }

    @Test mutating func theDurationOfACutOffEntryEndsNow() throws {
        _ = add([Events.call(1)[0]])
        _ = assembly.add(job(1, started: StoredTime.microseconds(of: Events.start) + 2_000_000))
        let drafts = assembly.cutOffAll(now: StoredTime.microseconds(of: Events.start) + 1_500_000)
        try #require(drafts.map(\.duration) == [500_000, 0])
        #expect(drafts.allSatisfy { $0.hasEnded })
        #expect(assembly.changed.isEmpty)
        #expect(!assembly.contains(drafts[0].key))
    }

    @Test mutating func aLineIsFinishedFromItsBeginning() throws {
        let line = PendingLogLine(
            Events.id(1), occurredAt: 6, level: 5, label: "l", message: "m", detail: "d", owner: Events.id(2))
        let draft = try finished(.log(line))
        #expect(draft.level == 5)
        #expect(draft.name == "l")
        #expect(draft.message == "m")
        #expect(draft.detail == "d")
        #expect(draft.owner == Events.id(2))
        #expect(draft.hasEnded)
        #expect(draft.startedAt == 6)
        #expect(draft.outcome == nil)
    }

    @Test mutating func ofAHundredAttemptsAllAreKept() {
        let attempts = (1...101).map { Events.event(1, $0, .attemptEnded(.init(number: $0))) }
        let end = Events.event(1, 200, .ended(.cancelled))
        #expect(add(attempts.prefix(100) + [end])[0].attempts.map(\.number) == Array(1...100))
        #expect(add(attempts + [end])[0].attempts.map(\.number) == Array(1...99) + [101])
    }
}
