import Foundation
import HTTPTypes
import NetTesting
import Synchronization
import TestSupport
import Testing

@testable import NetCore

private final class Recording: ActivityListener {
    private let list = Mutex<[ActivityEvent]>([])
    var events: [ActivityEvent] { list.withLock { $0 } }
    func record(_ event: ActivityEvent) { list.withLock { $0.append(event) } }
}

private func request(_ url: String = "/x?token=SECRET", redaction: RedactionPolicy? = nil) -> PreparedRequest {
    var options = RequestOptions(metadata: RequestMetadata(name: "n", operationID: "op"))
    options.redaction = redaction
    return PreparedRequest(
        head: HTTPRequest(method: .get, scheme: "https", authority: "u:SECRET@h", path: url), options: options)
}

@Suite struct CallEventsTests {
    @Test func eventsAreNumberedTimedAndRedacted() async throws {
        let clock = TestClock()
        let listener = Recording()
        let environment = CallContext.Environment(clock: clock.netClock, listeners: [listener])
        let context = CallContext(for: request(), environment: environment)
        context.record(.started(requestBytes: 0))
        await clock.advance(by: .seconds(2))
        context.record(.responded(status: 200))
        try #require(listener.events.map(\.sequence) == [1, 2])
        #expect(listener.events.map(\.elapsed) == [.zero, .seconds(2)])
        #expect(listener.events[1].date == clock.date)
        #expect(listener.events[0].call == context.id)
        #expect(listener.events.allSatisfy { $0.url == "https://<redacted>@h/x?token=<redacted>" })
        #expect(listener.events[0].metadata.operationName == "op")
        #expect(context.summary.operation == "op")
    }

    @Test func nothingFollowsTheEnd() throws {
        let listener = Recording()
        let context = CallContext(for: request(), environment: .init(listeners: [listener]))
        context.record(.ended(.cancelled))
        context.record(.responded(status: 200))
        context.record(.ended(.completed(status: 200, responseBytes: 0)))
        try #require(listener.events.count == 1)
        guard case .ended(.cancelled) = listener.events[0].kind else {
            Issue.record("the first end counts")
            return
        }
    }

    @Test func everyListenerHearsTheSameOrderFromManyTasks() async {
        let listeners = [Recording(), Recording()]
        let context = CallContext(for: request(), environment: .init(listeners: listeners))
        await withTaskGroup { group in
            for status in 0..<200 { group.addTask { context.record(.responded(status: status)) } }
        }
        for listener in listeners { #expect(listener.events.map(\.sequence) == Array(1...200)) }
    }

    @Test func withoutListenersTheClockIsNotRead() {
        let reads = Mutex(0)
        @Sendable func counted<Value>(_ value: Value) -> Value {
            reads.withLock { $0 += 1 }
            return value
        }
        let clock = NetClock(now: { counted(.zero) }, date: { counted(Date()) }, sleep: { _ in })
        var environment = CallContext.Environment(clock: clock)
        environment.hub = ActivityHub()
        let context = CallContext(for: request(), environment: environment)
        let before = reads.withLock { $0 }
        context.record(.started(requestBytes: nil))
        #expect(reads.withLock { $0 } == before)
    }

    @Test func theRequestsOwnRulesWin() {
        let context = CallContext(for: request(redaction: .disabled))
        #expect(context.summary.url == "https://u:SECRET@h/x?token=SECRET")
        let strict = RedactionPolicy(headerNames: [], queryNames: ["q"])
        let other = CallContext(for: request("/?q=1"), environment: .init(redaction: strict))
        #expect(other.summary.url.hasSuffix("?q=<redacted>"))
    }
}

@Suite(.timeLimit(.minutes(1))) struct ActivityHubTests {
    private func event(_ sequence: Int) -> ActivityEvent {
        ActivityEvent(
            call: CallID(high: 0, low: 0), sequence: sequence, date: .distantPast, elapsed: .zero, method: .get,
            url: "",
            kind: .responded(status: 200))
    }

    private func read(_ stream: AsyncStream<ActivityEvent>) async -> [Int] {
        var sequences: [Int] = []
        for await event in stream { sequences.append(event.sequence) }
        return sequences
    }

    @Test func everySubscriberHearsEverythingFromThenOn() async {
        let hub = ActivityHub()
        hub.record(event(1))
        let first = hub.subscribe(.newest(100))
        hub.record(event(2))
        let second = hub.subscribe(.newest(100))
        hub.record(event(3))
        hub.finish()
        #expect(await read(first) == [2, 3])
        #expect(await read(second) == [3])
        #expect(hub.dropped == 0)
    }

    @Test("A slow subscriber keeps the newest, and the loss is counted", arguments: [(3, 3), (1, 1), (0, 0), (-5, 0)])
    func bounded(limit: Int, kept: Int) async {
        let hub = ActivityHub()
        let stream = hub.subscribe(.newest(limit))
        for sequence in 1...10 { hub.record(event(sequence)) }
        #expect(hub.dropped == 10 - kept)
        hub.finish()
        #expect(await read(stream) == Array(Array(1...10).suffix(kept)))
    }

    @Test("A slow subscriber may keep the oldest instead", arguments: [(3, 3), (0, 0), (-5, 0)])
    func boundedAtTheOtherEnd(limit: Int, kept: Int) async {
        let hub = ActivityHub()
        let stream = hub.subscribe(.oldest(limit))
        for sequence in 1...10 { hub.record(event(sequence)) }
        #expect(hub.dropped == 10 - kept)
        hub.finish()
        #expect(await read(stream) == Array(Array(1...10).prefix(kept)))
    }

    @Test func waitingSubscribersReceiveEventsWithoutABuffer() async {
        let hub = ActivityHub()
        let stream = hub.subscribe(.newest(0))
        let first = Task { await stream.first { _ in true }?.sequence }
        // Until the task waits, everything is dropped.
        var sequence = 0
        while hub.dropped == sequence {
            sequence += 1
            hub.record(event(sequence))
            await Task.yield()
        }
        #expect(await first.value == sequence)
    }

    @Test func aSubscriberThatLeavesCostsNothing() async {
        let hub = ActivityHub()
        #expect(!hub.hasSubscribers)
        do {
            let stream = hub.subscribe(.newest(1))
            #expect(hub.hasSubscribers)
            _ = stream
        }
        #expect(!hub.hasSubscribers)
        let stream = hub.subscribe(.newest(1))
        let task = Task { await read(stream) }
        task.cancel()
        #expect(await task.value.isEmpty)
        #expect(await eventually { !hub.hasSubscribers })
    }

    @Test func afterTheEndThereIsNothingToHear() async {
        let hub = ActivityHub()
        let early = hub.subscribe(.newest(1))
        hub.finish()
        hub.finish()
        hub.record(event(1))
        #expect(await read(early).isEmpty)
        #expect(await read(hub.subscribe(.newest(1))).isEmpty)
        #expect(!hub.hasSubscribers)
    }
}
