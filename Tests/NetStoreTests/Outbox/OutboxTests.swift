import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetTesting
import Synchronization
import Testing

@testable import NetStore

/// The sending of an outbox, its times, and the outcomes of items.
@Suite(.timeLimit(.minutes(5)))
struct OutboxTests {
    @Test func `an item is sent with a key and the client's credentials, and completed`() async throws {
        let peer = try OutboxPeer { _, _ in StubResponse(status: .created) }
        let request = Request<Void>(
            "orders/\(7)", method: .put, query: ["q": "a b"],
            headers: [.ifMatch: "\"1\"", .authorization: "Bearer stale"],
            body: .json(["item": "tea"]),
            options: RequestOptions(metadata: RequestMetadata(name: "order", tags: ["x", "y"])))
        let id = try await peer.outbox.add(request, orderKey: "a")
        let queued = try #require(try await peer.outbox.item(id: id))
        #expect(queued.state == .queued)
        #expect(queued.url == "/orders/7?q=a%20b")
        #expect(queued.method == .put)
        #expect(queued.name == "order")
        #expect(queued.tags == ["x", "y"])
        #expect(queued.orderKey == "a")
        #expect(queued.attempts == 0)
        #expect(queued.acceptedAt == peer.clock.date)
        #expect(queued.expiresAt == peer.clock.date + 7 * 86_400)
        let outcome = try await peer.sending { try await peer.outbox.outcome(of: id) }
        #expect(outcome.item.state == .completed)
        #expect(outcome.item.response?.status == 201)
        #expect(outcome.item.attempts == 1)
        let received = try #require(peer.received.first)
        #expect(peer.received.count == 1)
        #expect(received.target == "https://api.example.com/v1/orders/7?q=a%20b")
        #expect(received.body == "{\"item\":\"tea\"}")
        #expect(received.key == queued.idempotencyKey)
        #expect(received.headers[.authorization] == "Bearer fresh")
        #expect(received.headers[.ifMatch] == "\"1\"")
        #expect(received.headers[.contentType] == "application/json")
        await peer.outbox.close()
        let bytes = try peer.folder.allBytes()
        for secret in ["stale", "fresh"] { #expect(bytes.range(of: Data(secret.utf8)) == nil) }
    }

    @Test func `items of a key are sent in order, and at most four at the same time`() async throws {
        let gauge = Mutex((now: 0, most: 0))
        let peer = try OutboxPeer { _, _ in
            gauge.withLock { ($0.now, $0.most) = ($0.now + 1, max($0.most, $0.now + 1)) }
            for _ in 1...20 { await Task.yield() }
            gauge.withLock { $0.now -= 1 }
            return StubResponse()
        }
        for number in 0..<60 { try await peer.add("\(number)", key: "key \(number % 6)") }
        try await peer.sending { try await peer.outbox.waitUntilIdle() }
        let numbers = peer.received.compactMap { Int($0.body) }
        #expect(numbers.count == 60)
        #expect(Set(numbers).count == 60)
        for key in 0..<6 {
            let inLine = numbers.filter { $0 % 6 == key }
            #expect(inLine == inLine.sorted())
        }
        let most = gauge.withLock { $0.most }
        #expect((2...4).contains(most))
        await peer.outbox.close()
    }

    @Test func `a retry has the same key, waits as long as the server asks, and outlives a restart`() async throws {
        let (folder, clock) = (try TemporaryFolder(inMemory: true), TestClock())
        let first = try OutboxPeer(folder: folder, clock: clock) { _, _ in
            StubResponse(status: .serviceUnavailable, headers: [.retryAfter: "7200"])
        }
        let id = try await first.add(key: "a")
        try await first.sending { try await first.until(id, is: .waiting) }
        let waiting = try #require(try await first.outbox.item(id: id))
        #expect(waiting.nextAttempt == clock.date + 7200)
        #expect(waiting.response?.status == 503)
        await first.outbox.close()

        let second = try OutboxPeer(folder: folder, clock: clock) { _, _ in StubResponse() }
        try await second.sending {
            try await clock.waitForSleepers(count: 1)
            await clock.advance(by: .seconds(7100))
            #expect(second.received.isEmpty)
            #expect(try await second.outbox.item(id: id)?.state == .waiting)
            await clock.advance(by: .seconds(101))
            #expect(try await second.outbox.outcome(of: id).item.attempts == 2)
        }
        #expect(first.received.map(\.key) == second.received.map(\.key))
        #expect(second.received.count == 1)
        await second.outbox.close()
    }

    @Test func `a refused item is parked with its answer and blocks its key until it's retried`() async throws {
        let isFixed = Atomic(false)
        let peer = try OutboxPeer { received, _ in
            guard received.body == "bad", !isFixed.load(ordering: .relaxed) else { return StubResponse() }
            var response = StubResponse.json(["error": "no such item", "password": "s3cret"])
            response.status = .unprocessableContent
            response.headers[.setCookie] = "session=s3cret"
            return response
        }
        let bad = try await peer.add("bad", key: "a")
        let next = try await peer.add("next", key: "a")
        let other = try await peer.add("other", key: "b")
        try await peer.sending {
            let outcome = try await peer.outbox.outcome(of: bad)
            guard case .parked(let item) = outcome else { throw CommandError(text: "\(outcome)") }
            #expect(item.parkReason == .refused)
            #expect(item.response?.status == 422)
            let response = try #require(item.response)
            let body = String(decoding: response.body, as: UTF8.self)
            #expect(body.contains("no such item"))
            #expect(!body.contains("s3cret"))
            #expect(!response.isCut)
            #expect(response.headers[.setCookie]?.contains("s3cret") == false)
            #expect(!"\(item) \(response) \(outcome)".contains("no such item"))
            _ = try await peer.outbox.outcome(of: other)
            try await peer.outbox.waitUntilIdle()
            #expect(try await peer.outbox.item(id: next)?.state == .queued)
            isFixed.store(true, ordering: .relaxed)
            try await peer.outbox.retry(bad)
            _ = try await peer.outbox.outcome(of: next)
        }
        let line = peer.received.filter { $0.body != "other" }
        try #require(line.map(\.body) == ["bad", "bad", "next"])
        #expect(line[0].key == line[1].key)
        #expect(line[1].key != line[2].key)
        await peer.outbox.close()
    }

    @Test func `a dropped item lets the next one of its key be sent`() async throws {
        let peer = try OutboxPeer { received, _ in StubResponse(status: received.body == "bad" ? .badRequest : .ok) }
        let outcomes = peer.outbox.outcomes
        let bad = try await peer.add("bad", key: "a")
        let next = try await peer.add("next", key: "a")
        try await peer.sending {
            try await peer.until(bad, is: .parked)
            try await peer.outbox.drop(bad)
            _ = try await peer.outbox.outcome(of: next)
        }
        for id in [bad, next] {
            let error = await #expect(throws: OutboxError.self) { try await peer.outbox.drop(id) }
            #expect(error?.code == .finished)
        }
        let unknown = await #expect(throws: OutboxError.self) { try await peer.outbox.retry(99) }
        #expect(unknown?.code == .notFound)
        await peer.outbox.close()
        var seen: [String] = []
        for await outcome in outcomes { seen.append("\(outcome.item.id) \(outcome.item.state)") }
        #expect(seen == ["1 parked", "1 dropped", "2 completed"])
    }

    @Test func `an item that can't be sent is tried until it expires`() async throws {
        let peer = try OutboxPeer {
            $0.expiresAfter = .seconds(3600)
        } answer: { _, _ in
            throw NetError(.dns, phase: .resolving, message: "no such host")
        }
        let id = try await peer.add()
        try await peer.sending {
            for _ in 1...60 {
                try await peer.clock.waitForSleepers(count: 1)
                await peer.clock.advance(by: .seconds(60))
            }
            try await peer.until(id, is: .parked)
        }
        let item = try #require(try await peer.outbox.item(id: id))
        #expect(item.parkReason == .expired)
        #expect(item.failure?.code == "dns")
        #expect(item.attempts > 20)
        // Each retry gets another hour.
        for _ in 1...2 {
            try await peer.outbox.retry(id)
            let retried = try #require(try await peer.outbox.item(id: id))
            #expect(retried.state == .queued)
            #expect(retried.expiresAt == peer.clock.date + 3600)
            try await peer.sending {
                try await peer.clock.waitForSleepers(count: 1)
                await peer.clock.advance(by: .seconds(3600))
                try await peer.until(id, is: .parked)
            }
        }
        await peer.outbox.close()
    }

    @Test func `a send that is cancelled is sent again with the same key`() async throws {
        let peer = try OutboxPeer { _, number in
            if number == 1 { try await Task.sleep(for: .seconds(3600)) }
            return StubResponse()
        }
        let id = try await peer.add(key: "a")
        try await peer.sending { try await peer.until { peer.received.count == 1 } }
        #expect(try await peer.outbox.item(id: id)?.state == .queued)
        #expect(try await peer.sending { try await peer.outbox.outcome(of: id) }.item.attempts == 2)
        try #require(peer.received.count == 2)
        #expect(peer.received[0].key == peer.received[1].key)
        await peer.outbox.close()
    }

    @Test func `of two senders one sends, and the other takes over`() async throws {
        let folder = try TemporaryFolder(inMemory: true)
        let first = try OutboxPeer(folder: folder, clock: TestClock()) { _, _ in StubResponse() }
        let second = try OutboxPeer(folder: folder, clock: TestClock()) { _, _ in StubResponse() }
        try await first.sending {
            _ = try await first.outbox.outcome(of: first.add("1"))
            try await second.sending {
                try await second.clock.waitForSleepers(count: 1)
                // Items added by the other process are noticed.
                for number in 2...5 { _ = try await second.outbox.outcome(of: second.add("\(number)")) }
                await second.clock.advance(by: .seconds(5))
            }
            #expect(first.received.map(\.body) == ["1", "2", "3", "4", "5"])
            #expect(second.received.isEmpty)
        }
        // It waits for the lock of the first one, and acquires it after that one has ended.
        let holder = Task { try await first.outbox.run(through: first.client) }
        try await first.clock.waitForSleepers(count: 1)
        try await second.sending {
            try await second.clock.waitForSleepers(count: 1)
            holder.cancel()
            try await holder.value
            let id = try await first.add("6")
            await second.clock.advance(by: .seconds(1))
            _ = try await first.outbox.outcome(of: id)
        }
        #expect(second.received.map(\.body) == ["6"])
        #expect(first.received.count == 5)
        await first.outbox.close()
        await second.outbox.close()
    }

    @Test func `an item that a killed sender was sending is sent again`() async throws {
        let peer = try OutboxPeer { _, _ in StubResponse() }
        let id = try await peer.add()
        _ = try await peer.outbox.write { tables throws(StoreError) in try tables.begin(id, now: 0) }
        #expect(try await peer.outbox.item(id: id)?.state == .sending)
        #expect(try await peer.sending { try await peer.outbox.outcome(of: id) }.item.attempts == 2)
        await peer.outbox.close()
    }

    @Test func `a wall clock that is set back delays nothing`() async throws {
        let folder = try TemporaryFolder(inMemory: true)
        let later = TestClock(date: Date(timeIntervalSince1970: 2_000_000_000))
        let first = try OutboxPeer(folder: folder, clock: later) { _, _ in
            StubResponse(status: .serviceUnavailable, headers: [.retryAfter: "60"])
        }
        let waiting = try await first.add("waiting")
        try await first.sending { try await first.until(waiting, is: .waiting) }
        let queued = try await first.add("queued")
        await first.outbox.close()
        let second = try OutboxPeer(folder: folder) { _, _ in StubResponse() }
        try await second.sending {
            _ = try await second.outbox.outcome(of: queued)
            #expect(second.received.map(\.body) == ["queued"])
            try await second.clock.waitForSleepers(count: 1)
            await second.clock.advance(by: .seconds(61))
            _ = try await second.outbox.outcome(of: waiting)
        }
        await second.outbox.close()
    }

    @Test func `an outbox has bounds`() async throws {
        let peer = try OutboxPeer {
            $0.maximumItems = 3
            $0.maximumTotalBytes = 100
        } answer: { _, _ in
            StubResponse()
        }
        let large = await #expect(throws: OutboxError.self) { try await peer.add(String(repeating: "a", count: 100)) }
        #expect(large?.code == .full)
        for _ in 1...3 { try await peer.outbox.add(Request<Void>("a", method: .post)) }
        let many = await #expect(throws: OutboxError.self) {
            try await peer.outbox.add(Request<Void>("a", method: .post))
        }
        #expect(many?.code == .full)
        try await peer.outbox.drop(2)
        try await peer.outbox.add(Request<Void>("a", method: .post))
        try await peer.sending { try await peer.outbox.waitUntilIdle() }
        #expect(peer.received.count == 3)
        await peer.outbox.close()
    }

    @Test func `finished items are kept up to a number`() async throws {
        let peer = try OutboxPeer {
            $0.keptFinishedItems = 3
        } answer: { _, _ in
            StubResponse()
        }
        for _ in 1...10 { try await peer.add(key: "a") }
        try await peer.sending { try await peer.outbox.waitUntilIdle() }
        #expect(try await peer.outbox.items().map(\.id) == [8, 9, 10])
        let error = await #expect(throws: OutboxError.self) { try await peer.outbox.outcome(of: 1) }
        #expect(error?.code == .notFound)
        #expect(try await peer.add() == 11)
        await peer.outbox.close()
        #expect(try peer.folder.allBytes().range(of: Data("Bearer".utf8)) == nil)
    }
}
