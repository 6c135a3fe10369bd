#if Server
import NetCore
@testable import NetSocketServer
import NetTesting
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct MemoryFanOutTests {
    private let clock = TestClock()

    private func engine(_ configuration: MemoryFanOut.Configuration = .init()) -> MemoryFanOut {
        MemoryFanOut(configuration, clock: clock.netClock, random: SeededRandom(seed: 1).netRandom)
    }

    @Test(arguments: FanOutCheck.all) func `It keeps the rules of engines`(_ check: FanOutCheck) async throws {
        try await checkFanOutEngine(check) { servers in
            let first = engine()
            let others = (1..<servers).map { _ in MemoryFanOut(sharing: first) }
            return FanOutWorld(engines: [first] + others) { [clock] in await clock.advance(by: $0) }
        }
    }

    // MARK: Delivery

    @Test func `A message is delivered before publishing returns`() async throws {
        let engine = engine()
        let inbox = FanOutInbox()
        try await engine.open(as: "a") { inbox.add($0) }
        try await engine.subscribe(to: "room")
        _ = try await engine.publish(.sample("one"), keeping: nil)
        #expect(inbox.events == ["one"])
    }

    @Test func `A receiver may publish to another topic and to its own`() async throws {
        let engine = engine()
        let inbox = FanOutInbox()
        let tasks = Mutex<[Task<Void, any Error>]>([])
        try await engine.open(as: "a") { event in
            inbox.add(event)
            guard event.name == "one" else { return }
            let task = Task {
                _ = try await engine.publish(.sample("two", to: "other"), keeping: nil)
                _ = try await engine.publish(.sample("three"), keeping: nil)
            }
            tasks.withLock { $0.append(task) }
        }
        for topic in ["room", "other"] { try await engine.subscribe(to: topic) }
        _ = try await engine.publish(.sample("one"), keeping: nil)
        #expect(await inbox.events(3) == ["one", "two", "three"])
        for task in tasks.withLock({ $0 }) { try await task.value }
    }

    /// A publisher never delivers while another one does: it queues its message, which the other one delivers after its
    /// own.
    @Test func `Messages that are published during a delivery follow it, and one at a time`() async throws {
        let engine = engine()
        let inbox = FanOutInbox()
        let (running, overlaps) = (Counter(), Counter())
        try await engine.open(as: "a") { event in
            if running.add(1) > 1 { overlaps.add(1) }
            inbox.add(event)
            running.add(-1)
        }
        try await engine.subscribe(to: "room")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<500 { _ = try await engine.publish(.sample("m"), keeping: .init(count: 5)) }
                }
            }
            try await group.waitForAll()
        }
        let received = await inbox.messages(2000)
        #expect(received.map(\.push.offset) == (1...2000).map { UInt64($0) })
        #expect(overlaps.value == 0)
    }

    @Test func `The queue of a slow receiver is bounded, and further publishers wait for deliveries`()
        async throws
    {
        let engine = engine()
        let (inbox, accepted) = (FanOutInbox(), Counter())
        let tasks = Mutex<[Task<ChannelPosition, any Error>]>([])
        try await engine.open(as: "a") { event in
            inbox.add(event)
            guard event.name == "first" else { return }
            while engine.hub.publish(.sample("m"), keeping: .init(count: 5)) != nil { accepted.add(1) }
            let task = Task { try await engine.publish(.sample("last"), keeping: .init(count: 5)) }
            tasks.withLock { $0.append(task) }
        }
        try await engine.subscribe(to: "room")
        _ = try await engine.publish(.sample("first"), keeping: .init(count: 5))
        #expect(accepted.value == 1000)
        let received = await inbox.messages(1002)
        #expect(received.last?.push.event == "last")
        #expect(received.map(\.push.offset) == (1...1002).map { UInt64($0) })
        for task in tasks.withLock({ $0 }) { #expect(try await task.value.offset == 1002) }
    }

    @Test func `A message that waits isn't delivered to who has unsubscribed`() {
        var topic = FanOutTopic(epoch: "e")
        let node = FanOutNode("a") { _ in }
        topic.subscribers = [FanOutSubscriber(token: 1, node: node)]
        guard case .deliver = topic.publish(.sample("one"), keeping: nil, remembering: 0, .zero),
            case .accepted = topic.publish(.sample("two"), keeping: nil, remembering: 0, .zero)
        else {
            Issue.record("the first message isn't delivered by its publisher")
            return
        }
        topic.subscribers = [FanOutSubscriber(token: 2, node: node)]
        let (next, _) = topic.nextDelivery()
        #expect(next?.event.name == "two")
        #expect(next?.subscribers.isEmpty == true)
        #expect(topic.nextDelivery().0 == nil)
    }

    @Test func `Waiting publishers continue when half of the queue is delivered`() async {
        let left = Locked(-1)
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            var topic = FanOutTopic(epoch: "e")
            topic.subscribers = [FanOutSubscriber(token: 1, node: FanOutNode("a") { _ in })]
            for _ in 0...1000 { _ = topic.publish(.sample("m"), keeping: nil, remembering: 0, .zero) }
            topic.waiters.append(continuation)
            for delivered in 1...1000 {
                let (_, waiters) = topic.nextDelivery()
                guard !waiters.isEmpty else { continue }
                left.change { $0 = 1000 - delivered }
                for waiter in waiters { waiter.resume() }
                return
            }
            continuation.resume()
        }
        #expect(left.value == 500)
    }

    @Test func `A server that closes during a delivery isn't told any more`() {
        let hub = FanOutHub(.init(), clock.netClock, .system)
        let inbox = FanOutInbox()
        let second = FanOutNode("b") { inbox.add($0) }
        let first = FanOutNode("a") { _ in hub.remove(second) }
        for node in [first, second] { hub.subscribe(node, to: "room") }
        #expect(hub.publish(.sample("one"), keeping: nil)?.offset == 0)
        #expect(inbox.messages.isEmpty)
    }

    @Test func `A topic whose receiver is behind by a thousand messages takes no more`() {
        var topic = FanOutTopic(epoch: "e")
        topic.subscribers = [FanOutSubscriber(token: 1, node: FanOutNode("a") { _ in })]
        for _ in 0...1000 { _ = topic.publish(.sample("m"), keeping: .init(count: 0), remembering: 0, .zero) }
        #expect(topic.isFull)
        guard case .full = topic.publish(.sample("m"), keeping: .init(count: 0), remembering: 0, .zero) else {
            Issue.record("it takes another message")
            return
        }
        #expect(topic.position.offset == 1001)
        _ = topic.nextDelivery()
        #expect(!topic.isFull)
    }
}

extension FanOutEvent {
    /// The name of a message's push.
    fileprivate var name: String? { if case .message(let message) = self { message.push.event } else { nil } }
}

private final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }
    @discardableResult func add(_ number: Int) -> Int { count.add(number, ordering: .relaxed).newValue }
}
#endif
