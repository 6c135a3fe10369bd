import NetCore
import NetSocketCore
import NetTesting
import Synchronization
import Testing

@testable import NetSocket

/// The buffers of observers, and the queues of a session.
@Suite(.timeLimit(.minutes(1)))
struct SocketBufferTests {
    private func texts(_ observer: SocketObserver<Int>, _ count: Int) async throws -> [Int] {
        var found: [Int] = []
        for _ in 0..<count { if let next = try await observer.next() { found.append(next) } }
        return found
    }

    @Test(arguments: [
        (SocketBuffer.suspend(3), 3), (.suspend(0), 1), (.dropOldest(-1), 1), (.dropOldest(7), 7), (.fail(0), 1),
        (.fail(2), 2),
        (.latest, 1), (.standard, 1000),
    ])
    func aBufferHasRoomForAtLeastOne(buffer: SocketBuffer, limit: Int) {
        #expect(buffer.limit == limit)
    }

    /// In order, regardless of their number.
    @Test func nothingIsLostBelowTheLimit() async throws {
        for buffer in [SocketBuffer.suspend(500), .dropOldest(500), .fail(500)] {
            let observer = SocketObserver<Int>(buffer)
            for number in 0..<500 { observer.put(number) }
            // Read in steps, while more messages arrive.
            var found = try await texts(observer, 300)
            for number in 500..<600 { observer.put(number) }
            found += try await texts(observer, 300)
            #expect(found == Array(0..<600))
            #expect(observer.dropped == 0)
        }
    }

    @Test(arguments: [
        (SocketBuffer.dropOldest(3), [7, 8, 9], 7), (.latest, [9], 9), (.dropOldest(10), Array(0..<10), 0),
    ])
    func theOldestAreDroppedAndCounted(buffer: SocketBuffer, kept: [Int], dropped: Int) async throws {
        let observer = SocketObserver<Int>(buffer)
        for number in 0..<10 { observer.put(number) }
        #expect(observer.dropped == dropped)
        observer.end(.success(()))
        observer.put(10)
        #expect(try await texts(observer, 12) == kept)
        #expect(observer.dropped == dropped)
    }

    /// Earlier messages are read first.
    @Test func aBufferThatFailsSaysHowManyWait() async throws {
        let observer = SocketObserver<Int>(.fail(2))
        for number in 0..<4 { observer.put(number) }
        #expect(try await texts(observer, 2) == [0, 1])
        for _ in 0..<2 {
            let error = await #expect(throws: NetError.self) { try await observer.next() }
            #expect(error?.code == .limited)
            #expect(error?.phase == .receiving)
            #expect(error?.message.contains(" 2 ") == true)
        }
    }

    @Test func theFirstEndCounts() async throws {
        let observer = SocketObserver<Int>(.standard)
        observer.put(1)
        observer.end(.failure(NetError(.connectionLost, phase: .receiving, message: "first")))
        observer.end(.success(()))
        #expect(try await observer.next() == 1)
        let error = await #expect(throws: NetError.self) { try await observer.next() }
        #expect(error?.message == "first")
    }

    @Test func aBufferThatSuspendsMakesOthersWaitUntilThereIsRoom() async throws {
        for buffer in [SocketBuffer.dropOldest(1), .latest, .fail(1), .suspend(2)] {
            let observer = SocketObserver<Int>(buffer)
            observer.put(1)
            await observer.waitForRoom()
        }
        let observer = SocketObserver<Int>(.suspend(2))
        for number in 0..<3 { observer.put(number) }
        let waiting = Task { await observer.waitForRoom() }
        #expect(try await texts(observer, 2) == [0, 1])
        await waiting.value
        observer.put(3)
        let last = Task { await observer.waitForRoom() }
        observer.end(.success(()))
        await last.value
        await observer.waitForRoom()
        #expect(try await texts(observer, 2) == [2, 3])
    }

    @Test func aReaderWaitsForTheNextElement() async throws {
        let observer = SocketObserver<Int>(.standard)
        let reading = Task { try await observer.next() }
        await Task.yield()
        observer.put(7)
        #expect(try await reading.value == 7)
        let cancelled = Task { try await observer.next() }
        cancelled.cancel()
        #expect(try await cancelled.value == nil)
    }

    // MARK: Queues

    @Test func aQueueHandsOverAllThatIsThere() async {
        let mailbox = SocketMailbox<Int>()
        mailbox.put(1)
        mailbox.put(2)
        #expect(await mailbox.take() == [1, 2])
        let taking = Task { await mailbox.take() }
        await Task.yield()
        mailbox.put(3)
        #expect(await taking.value == [3])
        mailbox.put(4)
        mailbox.close()
        mailbox.put(5)
        #expect(await mailbox.take() == [4])
        #expect(await mailbox.take() == nil)
    }

    @Test func theEndOfAQueueAndACancellationEndTheWait() async {
        let mailbox = SocketMailbox<Int>()
        let cancelled = Task { await mailbox.take() }
        cancelled.cancel()
        #expect(await cancelled.value == nil)
        let taking = Task { await mailbox.take() }
        await Task.yield()
        mailbox.close()
        #expect(await taking.value == nil)
    }

    // MARK: Observers

    @Test func observersAreToldInTheOrderOfTheirMaking() async throws {
        let hub = SocketHub()
        let first = hub.observe(.standard, first: { "\($0.session)" }, { "\($0)" })
        hub.tell(.state(.open))
        let second = hub.observe(
            .standard, first: { "\($0.session)" }, { notice in if case .state = notice { "\(notice)" } else { nil } })
        hub.tell(.gap(topic: "t"))
        hub.end(.success(()))
        hub.end(.failure(NetError(.timeout, phase: .waiting, message: "late")))
        let late = hub.observe(.standard) { "\($0)" }
        var all: [[String]] = []
        for sequence in [first, second, late] {
            var found: [String] = []
            for try await text in sequence { found.append(text) }
            all.append(found)
        }
        try #require(all.map(\.count) == [3, 1, 0])
        #expect(all[0].first == "idle")
        #expect(all[1] == ["open"])
    }

    @Test func anObserverThatIsGoneIsNotWaitedFor() async {
        let hub = SocketHub()
        do {
            let full = hub.observe(.suspend(1)) { "\($0)" }
            hub.tell(.gap(topic: "t"))
            withExtendedLifetime(full) {}
        }
        await hub.waitForRoom()
        let failed = hub.observe(.standard) { "\($0)" }
        hub.end(.failure(NetError(.timeout, phase: .waiting, message: "over")))
        var iterator = failed.makeAsyncIterator()
        let error = await #expect(throws: NetError.self) { try await iterator.next() }
        #expect(error?.message == "over")
        #expect(iterator.dropped == 0)
    }

    private final class Token: Sendable {}

    /// A consumer that is gone is removed, with everything that its transformation retains.
    @Test func anObserverThatIsGoneIsForgotten() async {
        let hub = SocketHub()
        let asked = Mutex(0)
        weak var held: Token?
        do {
            let token = Token()
            held = token
            let sequence = hub.observe(.standard) { notice in
                asked.withLock { $0 += 1 }
                return "\(notice) \(token)"
            }
            hub.tell(.gap(topic: "t"))
            withExtendedLifetime(sequence) {}
        }
        #expect(held == nil)
        #expect(asked.withLock { $0 } == 1)
        hub.tell(.gap(topic: "t"))
        #expect(asked.withLock { $0 } == 1)
    }

    @Test func observersAddedAfterTheEndReceiveTheFirstResult() async throws {
        for isFailure in [true, false] {
            let hub = SocketHub()
            let failure = Result<Void, NetError>.failure(NetError(.timeout, phase: .waiting, message: "first"))
            hub.end(isFailure ? failure : .success(()))
            hub.end(isFailure ? .success(()) : failure)
            var late = hub.observe(.standard) { "\($0)" }.makeAsyncIterator()
            do throws(NetError) {
                #expect(try await late.next() == nil)
                #expect(!isFailure)
            } catch {
                #expect(isFailure)
                #expect(error.message == "first")
            }
        }
    }

    @Test func aFullBufferMakesOthersWait() async throws {
        let observer = SocketObserver<Int>(.suspend(2))
        let passed = Mutex(0)
        let wait = { @Sendable in
            await observer.waitForRoom()
            passed.withLock { $0 += 1 }
        }
        observer.put(0)
        await wait()
        observer.put(1)
        let first = Task(operation: wait)
        for _ in 0..<100 { await Task.yield() }
        #expect(passed.withLock { $0 } == 1, "two are as many as it holds")
        #expect(try await observer.next() == 0)
        await first.value
        for number in 2...3 { observer.put(number) }
        let second = Task(operation: wait)
        for _ in 0..<100 { await Task.yield() }
        #expect(try await observer.next() == 1)
        for _ in 0..<100 { await Task.yield() }
        #expect(passed.withLock { $0 } == 2, "two are left")
        #expect(try await observer.next() == 2)
        await second.value
    }

    @Test func theStatesThatASlowObserverKeepsAreTheLastHundred() async throws {
        let client = SocketClient.over(MockWebSocketTransport())
        let states = client.states
        for _ in 0..<150 { client.driver.hub.tell(.state(.open)) }
        client.driver.hub.end(.success(()))
        var iterator = states.makeAsyncIterator()
        var count = 0
        while try await iterator.next() != nil { count += 1 }
        #expect(count == 100)
        #expect(iterator.dropped == 51)
    }
}
