import NetCore
import NetTesting
import Synchronization
import Testing

/// The bytes in transit are bounded, and every waiting task ends, exactly once.
@Suite(.timeLimit(.minutes(1)))
struct PairBackPressureTests {
    private static let large = WebSocketMessage.binary(Bytes([UInt8](repeating: 7, count: 1000)))

    private func pair(_ clock: TestClock = TestClock()) -> WebSocketPair {
        var configuration = WebSocketPair.Configuration(clock: clock.netClock)
        configuration.bufferBytes = 10_000
        return WebSocketPair(configuration: configuration)
    }

    /// Sends until no more messages are accepted; returns the task, and the counter of accepted messages.
    private func fill(_ link: any WebSocketLink) async -> (task: Task<NetError?, Never>, sent: SentCounter) {
        let sent = SentCounter()
        let task = Task { () -> NetError? in
            do throws(NetError) {
                for _ in 0..<100 {
                    try await link.send(Self.large)
                    sent.increment()
                }
                return nil
            } catch {
                return error
            }
        }
        var (last, quiet) = (0, 0)
        while quiet < 200 || last < 10, !Task.isCancelled {
            await Task.yield()
            quiet = sent.value == last ? quiet + 1 : 0
            last = sent.value
        }
        return (task, sent)
    }

    @Test func aSenderWaitsForAReceiver() async throws {
        let pair = pair()
        for (here, there) in [(pair.client, pair.server), (pair.server, pair.client)] {
            let (sender, sent) = await fill(here)
            let count = sent.value
            // The pipe, a turn of the reading task, and the inbox.
            #expect(count >= 10, "\(count) messages were taken")
            #expect(count <= 35, "\(count) messages were taken")
            #expect(try await there.receive(100).count == 100)
            #expect(await sender.value == nil)
        }
    }

    @Test func bothDirectionsMayBeFull() async throws {
        let pair = pair()
        let (left, _) = await fill(pair.client)
        let (right, _) = await fill(pair.server)
        async let atServer = pair.server.receive(100)
        async let atClient = pair.client.receive(100)
        let counts = try await (atServer.count, atClient.count)
        #expect(counts == (100, 100))
        #expect(await left.value == nil)
        #expect(await right.value == nil)
    }

    @Test func aPongIsSeenThoughMessagesWaitBeforeIt() async throws {
        let clock = TestClock()
        let pair = pair(clock)
        for _ in 0..<10 { try await pair.server.send(Self.large) }
        for _ in 0..<100 { await Task.yield() }
        #expect(try await pair.client.ping() == .zero)
        #expect(try await pair.client.receive(10).count == 10)
    }

    @Test func aSenderThatWaitsCanBeCancelled() async throws {
        let pair = pair()
        let (sender, sent) = await fill(pair.client)
        sender.cancel()
        #expect(await sender.value?.code == .cancelled)
        let count = sent.value
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pair.client.send(.text("next")) }
            let messages = try await pair.server.receive(count + 1)
            #expect(messages.count == count + 1)
            #expect(messages.last == .text("next"))
            try await group.waitForAll()
        }
    }

    @Test func aReceiverThatWaitsCanBeCancelled() async throws {
        let pair = pair()
        for _ in 0..<100 {
            let receiver = Task { try await pair.client.receive() }
            await Task.yield()
            async let sent: Void = pair.server.send(.text("a"))
            receiver.cancel()
            do {
                #expect(try await receiver.value == [.text("a")])
            } catch {
                let error = try #require(error as? NetError)
                #expect(error.code == .cancelled)
                #expect(try await pair.client.receive() == [.text("a")])
            }
            try await sent
        }
    }

    @Test func aPingThatWaitsCanBeCancelled() async throws {
        let clock = TestClock()
        var configuration = WebSocketPair.Configuration(clock: clock.netClock)
        configuration.faults.toServer = .slow(.seconds(1))
        let pair = WebSocketPair(configuration: configuration)
        let ping = Task { try await pair.client.ping() }
        try await clock.waitForSleepers(count: 1)
        ping.cancel()
        let error = await #expect(throws: NetError.self) { () async throws in _ = try await ping.value }
        #expect(error?.code == .cancelled)
        let client = pair.client
        let time = try await clock.run { try await client.ping() }
        #expect(time == .seconds(2))
    }

    @Test func onlyOneTaskReceives() async throws {
        let pair = pair()
        try await withThrowingTaskGroup(of: [WebSocketMessage].self) { group in
            for _ in 0..<2 { group.addTask { try await pair.client.receive() } }
            do {
                _ = try await group.next()
                Issue.record("nothing was sent yet")
            } catch {
                #expect((error as? NetError)?.code == .invalidRequest)
            }
            try await pair.server.send(.text("a"))
            let received = try await group.next()
            #expect(received == [.text("a")])
        }
    }

    @Test(arguments: [0, 1, 2]) func everyTaskThatWaitsEnds(_ way: Int) async throws {
        let clock = TestClock()
        var configuration = WebSocketPair.Configuration(clock: clock.netClock)
        configuration.bufferBytes = 10_000
        configuration.faults.toServer = .slow(.seconds(3600))
        let pair = WebSocketPair(configuration: configuration)
        let client = pair.client
        let (sender, _) = await fill(client)
        let receiver = Task { try await client.end() }
        let ping = Task { () -> NetError? in
            do throws(NetError) { _ = try await client.ping() } catch { return error }
            return nil
        }
        for _ in 0..<50 { await Task.yield() }
        let closer = Task {
            if way == 1 { pair.server.drop() } else if way == 2 { client.drop() }
            await client.close(WebSocketClosure(code: .goingAway))
        }
        try await clock.run { await closer.value }
        let code = way == 0 ? NetError.Code.webSocketClosed : .connectionLost
        #expect(await sender.value?.code == code)
        #expect(await ping.value?.code == code)
        let end = try await receiver.value
        #expect(end.code == code, "\(end)")
    }
}

private final class SentCounter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func increment() { count.withLock { $0 += 1 } }
}
