import NetCore
import NetTesting
import Synchronization
import Testing

/// Two ends of a WebSocket in memory, each in either role.
@Suite(.timeLimit(.minutes(1)))
struct WebSocketPairTests {
    private let clock = TestClock()

    private func pair(_ change: (inout WebSocketPair.Configuration) -> Void = { _ in }) -> WebSocketPair {
        var configuration = WebSocketPair.Configuration(clock: clock.netClock)
        change(&configuration)
        return WebSocketPair(configuration: configuration)
    }

    @Test func bothEndsSendAndReceive() async throws {
        let pair = pair()
        for (here, there) in [(pair.client, pair.server), (pair.server, pair.client)] {
            try await here.send(.text("grün"))
            try await here.send(contentsOf: (0..<100).map { .binary(Bytes([UInt8($0)])) })
            let messages = try await there.receive(101)
            #expect(messages.first == .text("grün"))
            #expect(messages.last == .binary(Bytes([99])))
        }
    }

    @Test func messagesAreCompressedIfBothEndsWantIt() async throws {
        let text = String(repeating: "again and ", count: 10_000)
        for compression in [nil, WebSocketCompression(), .withoutContext] {
            let pair = pair {
                $0.compression = compression
                // Only the compressed text is shorter than that.
                $0.faults = .both(.drop(after: .bytes(20_000)))
            }
            #expect(pair.client.compression == compression)
            #expect((pair.server.compression == nil) == (compression == nil))
            for (here, there) in [(pair.client, pair.server), (pair.server, pair.client)] {
                try await here.send(.text(text))
                guard compression != nil else {
                    let error = await #expect(throws: NetError.self) { () async throws in
                        _ = try await there.receive()
                    }
                    #expect(error?.code == .connectionLost)
                    break
                }
                #expect(try await there.receive() == [.text(text)])
            }
        }
    }

    @Test func aMessageGoesOutInParts() async throws {
        let pair = pair()
        for (here, there) in [(pair.client, pair.server), (pair.server, pair.client)] {
            var parts = [Bytes("gr\u{FC}".utf8.prefix(3)), Bytes("gr\u{FC}n".utf8.dropFirst(3))]
            try await here.send(partsOf: .text, compression: .automatic) { () async throws(NetError) in
                parts.isEmpty ? nil : parts.removeFirst()
            }
            #expect(try await there.receive() == [.text("grün")])
        }
    }

    @Test func aMessageThatBreaksOffClosesTheWebSocket() async throws {
        let pair = pair()
        var isFirst = true
        let broken = NetError(.encoding, phase: .sending, message: "no more")
        let error = await #expect(throws: NetError.self) {
            try await pair.client.send(partsOf: .binary, compression: .automatic) { () async throws(NetError) in
                guard isFirst else { throw broken }
                isFirst = false
                return Bytes([1])
            }
        }
        #expect(error?.message == "no more")
        let end = try await pair.server.end()
        #expect(end.code == .webSocketClosed)
        #expect(end.closure?.code == .internalError)
    }

    @Test func othersWaitForAMessageInParts() async throws {
        let pair = pair()
        let (parts, feed) = AsyncStream.makeStream(of: Bytes.self)
        let hasBegun = Mutex(false)
        let sender = Task {
            var iterator = parts.makeAsyncIterator()
            try await pair.client.send(partsOf: .text, compression: .automatic) { () async throws(NetError) in
                hasBegun.withLock { $0 = true }
                return await iterator.next(isolation: nil)
            }
        }
        feed.yield(Bytes("one ".utf8))
        feed.yield(Bytes("two".utf8))
        while !hasBegun.withLock({ $0 }), !Task.isCancelled { await Task.yield() }
        let other = Task { try await pair.client.send(.text("three")) }
        // A ping doesn't wait.
        #expect(try await pair.client.ping() == .zero)
        feed.finish()
        try await sender.value
        try await other.value
        #expect(try await pair.server.receive(2) == [.text("one two"), .text("three")])
    }

    @Test func aPingTakesAsLongAsItsPong() async throws {
        let pair = pair { $0.faults = WebSocketFaults(toServer: .slow(.seconds(2)), toClient: .slow(.seconds(1))) }
        for end in [pair.client, pair.server] {
            let time = try await clock.run { try await end.ping() }
            #expect(time == .seconds(3))
        }
    }

    // MARK: The end

    @Test func eitherEndCloses() async throws {
        for closesHere in [true, false] {
            let pair = pair()
            let (here, there) = closesHere ? (pair.client, pair.server) : (pair.server, pair.client)
            let name = closesHere ? "client" : "server"
            await here.close(WebSocketClosure(code: .goingAway, reason: "bye"))
            let (left, right) = (try await here.end(), try await there.end())
            #expect(left.code == .webSocketClosed)
            #expect(right.code == .webSocketClosed)
            #expect(left.closure == WebSocketClosure(code: .goingAway, reason: "bye", isByPeer: false))
            #expect(right.closure == WebSocketClosure(code: .goingAway, reason: "bye", isByPeer: true))
            #expect(left.message == "the WebSocket was closed here: 1001")
            #expect(right.message == "the WebSocket was closed by the \(name): 1001")
            for end in [here, there] {
                let sending = await #expect(throws: NetError.self) { () async throws in
                    try await end.send(.text("late"))
                }
                let pinging = await #expect(throws: NetError.self) { () async throws in _ = try await end.ping()
                }
                #expect(sending?.closure?.code == .goingAway)
                #expect(pinging?.closure?.code == .goingAway)
                await end.close(WebSocketClosure(code: .normalClosure))
            }
        }
        #expect(clock.now == .zero)
    }

    @Test func answersGoOutBeforeTheClose() async throws {
        let pair = pair()
        try await pair.server.send(contentsOf: [.text("a"), .text("b")])
        let closing = Task { await pair.server.close(WebSocketClosure(code: .goingAway)) }
        try await clock.waitForSleepers(count: 2)
        while let messages = try? await pair.client.receive() { try await pair.client.send(contentsOf: messages) }
        await closing.value
        #expect(clock.now == .zero)
        let end = try await pair.client.end()
        #expect(end.closure == WebSocketClosure(code: .goingAway, isByPeer: true))
    }

    @Test func aReceiverThatDoesNotAskAgainHasASecond() async throws {
        let pair = pair()
        try await pair.server.send(.text("a"))
        #expect(try await pair.client.receive() == [.text("a")])
        let closing = Task { await pair.server.close(WebSocketClosure(code: .goingAway)) }
        // The limits of both ends.
        try await clock.waitForSleepers(count: 2)
        await clock.advance(by: .seconds(1))
        await closing.value
        #expect(clock.now == .seconds(1))
    }

    @Test func aCancelledCloseEndsWithoutTheTimeOfThePeer() async throws {
        let pair = pair { $0.faults.toServer = .silence(after: .frames(0)) }
        let closing = Task { await pair.client.close(WebSocketClosure(code: .normalClosure)) }
        try await clock.waitForSleepers(count: 1)
        closing.cancel()
        await closing.value
        let error = await #expect(throws: NetError.self) { () async throws in _ = try await pair.client.receive() }
        #expect(error?.closure?.code == .abnormalClosure)
        #expect(error?.closure?.sentCode == .normalClosure)
        #expect(clock.now == .zero)
    }

    @Test func thePeerGetsTheFrameOfACloseInACancelledTask() async throws {
        let pair = pair()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await pair.client.close(WebSocketClosure(code: .goingAway, reason: "bye"))
        }
        await task.value
        let error = await #expect(throws: NetError.self) { () async throws in _ = try await pair.server.receive() }
        #expect(error?.closure == WebSocketClosure(code: .goingAway, reason: "bye", isByPeer: true))
        #expect(clock.now == .zero)
    }

    @Test func aPeerThatDoesNotAnswerHoldsTheCloseForFiveSeconds() async throws {
        let pair = pair { $0.faults.toServer = .silence(after: .frames(0)) }
        try await clock.run { await pair.client.close(WebSocketClosure(code: .normalClosure)) }
        #expect(clock.now == .seconds(5))
        let end = try await pair.client.end()
        #expect(end.code == .webSocketClosed)
        #expect(
            end.closure == WebSocketClosure(code: .abnormalClosure, isByPeer: false, sentCode: .normalClosure))
    }

    @Test func aMessageOverTheLimitIsRefused() async throws {
        for isByClient in [true, false] {
            let pair = pair {
                $0.server.maximumMessageBytes = 10
                $0.client.maximumMessageBytes = 10
            }
            let (here, there) = isByClient ? (pair.client, pair.server) : (pair.server, pair.client)
            try await here.send(.text("0123456789"))
            try await here.send(.text("0123456789a"))
            #expect(try await there.receive() == [.text("0123456789")])
            let (right, left) = (try await there.end(), try await here.end())
            #expect(right.code == .bodyTooLarge)
            #expect(right.closure?.sentCode == .messageTooBig)
            #expect(left.code == .webSocketClosed)
            #expect(left.closure?.code == .messageTooBig)
            #expect(right.closure?.isByPeer == false)
            #expect(left.closure?.isByPeer == true)
        }
    }

    @Test func aDroppedEndIsAConnectionLost() async throws {
        let pair = pair()
        try await pair.client.send(.text("last"))
        pair.client.drop()
        #expect(try await pair.server.receive() == [.text("last")])
        let (left, right) = (try await pair.client.end(), try await pair.server.end())
        #expect(left.code == .connectionLost)
        #expect(right.code == .connectionLost)
        #expect(left.message == "the connection was dropped here, without a closing handshake")
        #expect(right.message == "the client closed the connection, without a closing handshake")
        #expect(right.closure == WebSocketClosure(code: .abnormalClosure))
        await pair.server.close(WebSocketClosure(code: .normalClosure))
    }

    @Test func anEndThatNobodyHoldsIsDropped() async throws {
        let server = pair().server
        let end = try await server.end()
        #expect(end.code == .connectionLost)
    }

    @Test func theSilenceIsTheTimeSinceTheLastByte() async throws {
        let pair = pair()
        await clock.advance(by: .seconds(7))
        #expect(pair.client.silence == .seconds(7))
        try await pair.server.send(.text("a"))
        _ = try await pair.client.receive()
        #expect(pair.client.silence == .zero)
        #expect(pair.server.silence == .seconds(7))
    }
}
