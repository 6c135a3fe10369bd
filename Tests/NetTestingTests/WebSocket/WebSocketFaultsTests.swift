import NetCore
import NetTesting
import Testing

/// Faults in transit, by frame and by byte.
@Suite(.timeLimit(.minutes(1)))
struct WebSocketFaultsTests {
    private let clock = TestClock()

    private func pair(_ faults: WebSocketFaults) -> WebSocketPair {
        var configuration = WebSocketPair.Configuration(clock: clock.netClock)
        configuration.faults = faults
        return WebSocketPair(configuration: configuration)
    }

    /// Sends ten messages, and returns those that arrived, and the reason why no more did.
    private func sendTen(
        from here: any WebSocketLink, to there: any WebSocketLink
    ) async throws -> (messages: [String], end: NetError) {
        for number in 0..<10 { try? await here.send(.text("message \(number)")) }
        var texts: [String] = []
        while true {
            do { texts += try await there.receive().compactMap(\.text) } catch { return (texts, error) }
        }
    }

    @Test(arguments: [0, 1, 3]) func aConnectionEndsAfterSomeFrames(_ count: Int) async throws {
        for isByClient in [true, false] {
            let pair = pair(.both(.drop(after: .frames(count))))
            let (here, there) = isByClient ? (pair.client, pair.server) : (pair.server, pair.client)
            let (messages, end) = try await sendTen(from: here, to: there)
            #expect(messages == (0..<count).map { "message \($0)" })
            #expect(end.code == .connectionLost)
            #expect(end.closure == WebSocketClosure(code: .abnormalClosure))
            let name = isByClient ? "client" : "server"
            #expect(end.message == "the \(name) closed the connection, without a closing handshake")
            let sender = try await here.end()
            #expect(sender.code == .connectionLost)
        }
    }

    @Test func aConnectionEndsInTheMiddleOfAFrame() async throws {
        // A server's frame has 2 bytes of header and 9 of text.
        let pair = pair(WebSocketFaults(toClient: .drop(after: .bytes(2 * 11 + 5))))
        let (messages, end) = try await sendTen(from: pair.server, to: pair.client)
        #expect(messages == ["message 0", "message 1"])
        #expect(end.code == .connectionLost)
        #expect(end.message == "the server closed the connection inside a message, without a closing handshake")
    }

    @Test func aResetLosesWhatIsOnItsWay() async throws {
        let pair = pair(WebSocketFaults(toServer: .reset(after: .frames(2)), toClient: .slow(.seconds(1))))
        try await pair.server.send(.text("too slow"))
        try await clock.waitForSleepers(count: 1)
        let (messages, end) = try await sendTen(from: pair.client, to: pair.server)
        #expect(messages.count <= 2)
        #expect(end.code == .connectionLost)
        #expect(end.message == "the connection broke: Connection reset by peer, without a closing handshake")
        let sender = Task { try await pair.client.end() }
        await clock.run(maximumWakeups: 1)
        let error = try await sender.value
        #expect(error.code == .connectionLost)
        #expect(error.closure?.code == .abnormalClosure)
    }

    @Test func aHalfOpenConnectionStaysOpenInSilence() async throws {
        let pair = pair(WebSocketFaults(toClient: .silence(after: .frames(2))))
        for number in 0..<10 { try await pair.server.send(.text("\(number)")) }
        #expect(try await pair.client.receive(2) == [.text("0"), .text("1")])
        // The other direction works, and the loss isn't noticed.
        try await pair.client.send(.text("there?"))
        #expect(try await pair.server.receive() == [.text("there?")])
        pair.server.drop()
        for _ in 0..<100 { try await pair.client.send(.binary(Bytes([UInt8](repeating: 0, count: 100_000)))) }
        try await clock.run { await pair.client.close(WebSocketClosure(code: .normalClosure)) }
        #expect(clock.now == .seconds(5))
    }

    @Test func aSlowDirectionPausesBeforeEachChunk() async throws {
        let pair = pair(WebSocketFaults(toServer: .slow(.seconds(1), chunkBytes: 100)))
        let bytes = Bytes((0..<1000).map { UInt8(truncatingIfNeeded: $0) })
        try await pair.client.send(.binary(bytes))
        let server = pair.server
        let messages = try await clock.run { try await server.receive() }
        // 8 bytes of header, and 1,000 more, in eleven chunks.
        #expect(messages == [.binary(bytes)])
        #expect(clock.now == .seconds(11))
    }

    @Test func pausesAndAFailureGoTogether() async throws {
        var direction = WebSocketFaults.Direction.drop(after: .frames(2))
        direction.pause = .seconds(1)
        let pair = pair(WebSocketFaults(toClient: direction))
        let (server, client) = (pair.server, pair.client)
        let (messages, end) = try await clock.run { try await sendTen(from: server, to: client) }
        #expect(messages.count == 2)
        #expect(end.code == .connectionLost)
        #expect(clock.now == .seconds(2))
    }
}
