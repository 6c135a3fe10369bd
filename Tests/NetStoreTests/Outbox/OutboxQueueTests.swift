import NetCore
import NetCrypto
import Testing

@testable import NetStore

/// The table of ``OutboxQueue``.
struct OutboxQueueTests {
    private typealias Entry = OutboxQueue.Entry

    /// The inputs of a queue.
    enum Event: Sendable {
        /// An item has this state in the file.
        case item(Int64, String? = nil, OutboxItem.State = .queued, due: Int64 = 0, expiresAt: Int64? = nil)
        /// A send has ended.
        case ended(Int64)
        /// The queue is polled, and returns these items to send and to park, and this time.
        case asked(at: Int64 = 10, send: [Int64] = [], expired: [Int64] = [], wake: Int64? = nil)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var maximumSends = 4
        var parkedItemsBlock = true
        let events: [Event]

        init(_ name: String, maximumSends: Int = 4, parkedItemsBlock: Bool = true, _ events: Event...) {
            testDescription = name
            (self.maximumSends, self.parkedItemsBlock, self.events) = (maximumSends, parkedItemsBlock, events)
        }
    }

    static let rows: [Row] = [
        Row("an empty queue has nothing to do", .asked()),
        Row("a queued item is sent", .item(1), .asked(send: [1]), .asked()),
        Row("items without a key are sent at the same time", .item(1), .item(2), .item(3), .asked(send: [1, 2, 3])),
        Row(
            "at most so many are sent at the same time", maximumSends: 2, .item(1), .item(2), .item(3),
            .asked(send: [1, 2]), .asked(), .item(1, nil, .completed), .ended(1), .asked(send: [3])),
        Row(
            "items of a key are sent one after another", .item(1, "a"), .item(2, "a"), .asked(send: [1]), .asked(),
            .item(1, "a", .sending), .asked(), .item(1, "a", .completed), .asked(), .ended(1), .asked(send: [2])),
        Row(
            "keys don't wait for each other", .item(1, "a"), .item(2, "b"), .item(3, "a"), .item(4, "b"),
            .asked(send: [1, 2])),
        Row(
            "a waiting item is sent when its time has come", .item(1, nil, .waiting, due: 20), .asked(wake: 20),
            .asked(at: 19, wake: 20), .asked(at: 20, send: [1])),
        Row(
            "a waiting item keeps later ones of its key back", .item(1, "a", .waiting, due: 20), .item(2, "a"),
            .asked(wake: 20), .asked(at: 20, send: [1])),
        Row(
            "a waiting item doesn't keep others back", .item(1, nil, .waiting, due: 20), .item(2),
            .asked(send: [2], wake: 20)),
        Row(
            "an item that failed waits and is sent again", .item(1, "a"), .asked(send: [1]),
            .item(1, "a", .waiting, due: 30), .ended(1), .asked(wake: 30), .asked(at: 30, send: [1])),
        Row(
            "a result in the file doesn't count before its send has ended", .item(1), .asked(send: [1]),
            .item(1, nil, .waiting, due: 5), .asked(), .ended(1), .asked(send: [1])),
        Row("a parked item blocks its key", .item(1, "a", .parked), .item(2, "a"), .item(3, "b"), .asked(send: [3])),
        Row(
            "a parked item that is retried goes first", .item(1, "a", .parked), .item(2, "a"), .item(1, "a"),
            .asked(send: [1])),
        Row(
            "a dropped item lets the next one pass", .item(1, "a", .parked), .item(2, "a"), .item(1, "a", .dropped),
            .asked(send: [2])),
        Row(
            "a parked item may let others pass", parkedItemsBlock: false, .item(1, "a", .parked), .item(2, "a"),
            .asked(send: [2]), .item(1, "a"), .asked(), .item(2, "a", .completed), .ended(2), .asked(send: [1])),
        Row(
            "an item in the middle of a key may be dropped", .item(1, "a"), .item(2, "a"), .item(3, "a"),
            .asked(send: [1]), .item(2, "a", .dropped), .item(1, "a", .completed), .ended(1), .asked(send: [3])),
        Row(
            "an item that is dropped while it's sent lets the next one wait for the end", .item(1, "a"), .item(2, "a"),
            .asked(send: [1]), .item(1, "a", .dropped), .asked(), .ended(1), .asked(send: [2])),
        Row(
            "an item expires", .item(1, nil, .waiting, due: 50, expiresAt: 40), .asked(wake: 40),
            .asked(at: 40, expired: [1]), .asked(at: 60)),
        Row(
            "an item behind a parked one expires, too", .item(1, "a", .parked), .item(2, "a", expiresAt: 40),
            .asked(wake: 40), .asked(at: 40, expired: [2])),
        Row(
            "an item doesn't expire while it's sent", .item(1, expiresAt: 40), .asked(send: [1], wake: 40),
            .asked(at: 41), .item(1, nil, .waiting, due: 90, expiresAt: 40), .ended(1), .asked(at: 42, expired: [1])),
        Row(
            "a parked item doesn't expire, and a retried one does later", .item(1, nil, .parked, expiresAt: 40),
            .asked(at: 50), .item(1, expiresAt: 70), .asked(at: 60, send: [1], wake: 70)),
        Row("an expired item isn't sent", .item(1, expiresAt: 5), .asked(expired: [1])),
        Row("what was due first is sent first", maximumSends: 1, .item(2, due: 1), .item(1, due: 2), .asked(send: [2])),
        Row("an end that nobody expects has no effect", .ended(7), .item(1), .asked(send: [1])),
    ]

    @Test(arguments: rows) func `each row of the table holds`(_ row: Row) {
        var queue = OutboxQueue(maximumSends: row.maximumSends, parkedItemsBlock: row.parkedItemsBlock)
        for (index, event) in row.events.enumerated() {
            switch event {
            case .item(let id, let key, let state, let due, let end):
                queue.update(Entry(id: id, orderKey: key, state: state, due: due, expiresAt: end))
            case .ended(let id): queue.sendEnded(id)
            case .asked(let now, let send, let expired, let wake):
                let step = queue.next(now: now)
                #expect(step == .init(send: send, expired: expired, wake: wake), "event \(index)")
            }
        }
    }

    @Test func `an item of another user is held and blocks only its key`() throws {
        let ann = try #require(SealedNames(["ann"], random: .system))
        var queue = OutboxQueue(maximumSends: 4, parkedItemsBlock: true)
        queue.update(Entry(id: 1, orderKey: "a", state: .queued, due: 0, expiresAt: 90, owner: ann))
        queue.update(Entry(id: 2, orderKey: "a", state: .queued, due: 0))
        queue.update(Entry(id: 3, orderKey: "b", state: .queued, due: 0))
        #expect(queue.next(now: 10) == .init(send: [3], wake: 90))
        #expect(queue.hasHeldItems)
        for names in [["bob"], ["ann", "bob"], []] {
            queue.setSender(names)
            #expect(queue.next(now: 10) == .init(wake: 90), "\(names)")
            #expect(queue.hasHeldItems)
        }
        queue.setSender(["ann"])
        #expect(!queue.hasHeldItems)
        #expect(queue.next(now: 10) == .init(send: [1], wake: 90))
        queue.update(Entry(id: 1, orderKey: "a", state: .completed, due: 0, owner: ann))
        queue.sendEnded(1)
        #expect(queue.next(now: 11).send == [2])
    }

    @Test func `a held item expires and can be dropped`() throws {
        let ann = try #require(SealedNames(["ann"], random: .system))
        var queue = OutboxQueue(maximumSends: 4, parkedItemsBlock: true)
        queue.update(Entry(id: 1, orderKey: nil, state: .queued, due: 0, expiresAt: 40, owner: ann))
        queue.update(Entry(id: 2, orderKey: nil, state: .queued, due: 0, owner: ann))
        #expect(queue.next(now: 10) == .init(wake: 40))
        #expect(queue.next(now: 40) == .init(expired: [1]))
        #expect(queue.hasHeldItems)
        queue.update(Entry(id: 1, orderKey: nil, state: .parked, due: 0, owner: ann))
        queue.update(Entry(id: 2, orderKey: nil, state: .dropped, due: 0, owner: ann))
        #expect(!queue.hasHeldItems)
    }

    @Test(arguments: 0..<20) func `random courses keep the order of each key and lose nothing`(_ seed: UInt64) {
        var random = SeededNumbers(seed)
        var queue = OutboxQueue(maximumSends: 3, parkedItemsBlock: true)
        let keys: [Int64: String?] = Dictionary(
            uniqueKeysWithValues: (1...60).map { ($0, random.one(of: [nil, "a", "b", "c"])) })
        var (added, now): (Int64, Int64) = (0, 0)
        var (underWay, parked): ([Int64], [Int64]) = ([], [])
        var done: [Int64] = []
        func entry(_ id: Int64, _ state: OutboxItem.State, due: Int64 = 0) -> Entry {
            Entry(id: id, orderKey: keys[id] ?? nil, state: state, due: due, expiresAt: nil)
        }
        while done.count < 60 {
            now += 1
            if added < 60, random.once(in: 2) {
                added += 1
                queue.update(entry(added, .queued, due: now))
            }
            let step = queue.next(now: now)
            underWay += step.send
            #expect(underWay.count <= 3)
            let busy = underWay.compactMap { keys[$0] ?? nil }
            #expect(Set(busy).count == busy.count, "two of a key at the same time")
            if !underWay.isEmpty, random.once(in: 2) {
                let id = underWay.remove(at: Int.random(in: 0..<underWay.count, using: &random))
                switch Int.random(in: 0..<4, using: &random) {
                case 0: queue.update(entry(id, .waiting, due: now + Int64.random(in: 0..<9, using: &random)))
                case 1:
                    queue.update(entry(id, .parked))
                    parked.append(id)
                default:
                    queue.update(entry(id, .completed))
                    done.append(id)
                }
                queue.sendEnded(id)
            }
            if !parked.isEmpty, random.once(in: 5) { queue.update(entry(parked.removeFirst(), .queued, due: now)) }
        }
        for key in ["a", "b", "c"] {
            let inLine = done.filter { keys[$0] == key }
            #expect(inLine == inLine.sorted())
        }
    }

    @Test func `ten thousand items of a key are sent one after another`() {
        var queue = OutboxQueue(maximumSends: 4, parkedItemsBlock: true)
        for id in 1...10_000 as ClosedRange<Int64> {
            queue.update(Entry(id: id, orderKey: "a", state: .queued, due: id, expiresAt: 1 << 40))
        }
        for id in 1...10_000 as ClosedRange<Int64> {
            #expect(queue.next(now: 1 << 30).send == [id])
            queue.update(Entry(id: id, orderKey: "a", state: .completed, due: id))
            queue.sendEnded(id)
        }
        #expect(queue.next(now: 1 << 30) == .init())
    }
}
