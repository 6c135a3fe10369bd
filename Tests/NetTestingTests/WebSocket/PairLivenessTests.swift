import NetCore
import NetTesting
import Synchronization
import Testing

/// A peer that is gone is detected in virtual time, and a connection stays open if the peer is only quiet or isn't read
/// from.
@Suite(.timeLimit(.minutes(1)))
struct PairLivenessTests {
    private let clock = TestClock()

    private func pair(_ change: (inout WebSocketPair.Configuration) -> Void) -> WebSocketPair {
        var configuration = WebSocketPair.Configuration(clock: clock.netClock)
        change(&configuration)
        return WebSocketPair(configuration: configuration)
    }

    @Test func aPeerThatVanishedIsDropped() async throws {
        for isClient in [true, false] {
            let pair = pair {
                $0.faults = .both(.silence(after: .frames(0)))
                if isClient {
                    $0.client.liveness = WebSocketLiveness()
                } else {
                    $0.server.liveness = WebSocketLiveness()
                }
            }
            let end = isClient ? pair.client : pair.server
            let start = clock.now
            let error = try await clock.run { try await end.end() }
            #expect(clock.now - start == .seconds(45))
            #expect(error.code == .connectionLost)
            #expect(error.closure == WebSocketClosure(code: .abnormalClosure))
            let name = isClient ? "server" : "client"
            #expect(
                error.message
                    == "the \(name) was silent for 30.000 s and didn't respond to a ping within 15.000 s, "
                    + "without a closing handshake")
        }
    }

    @Test func aPeerWhosePongsComeIsKept() async throws {
        let pair = pair { $0.client.liveness = WebSocketLiveness() }
        try await clock.waitForSleepers(count: 1)
        await clock.advance(by: .seconds(600))
        try await pair.client.send(.text("still there"))
        #expect(try await pair.server.receive() == [.text("still there")])
        // A ping and its pong have arrived every half a minute.
        #expect(try #require(pair.client.silence) < .seconds(30))
    }

    @Test func aPeerThatOnlySendsIsNotAsked() async throws {
        // The client's first frame would end the connection.
        let pair = pair {
            $0.client.liveness = WebSocketLiveness()
            $0.faults.toServer = .drop(after: .frames(0))
        }
        for number in 0..<20 {
            await clock.advance(by: .seconds(29))
            try await pair.server.send(.text("\(number)"))
            #expect(try await pair.client.receive() == [.text("\(number)")])
        }
    }

    @Test func readingThatIsPausedIsNoSilence() async throws {
        let pair = pair {
            $0.client.liveness = WebSocketLiveness()
            $0.bufferBytes = 1000
            $0.faults.toServer = .drop(after: .frames(0))
        }
        let server = pair.server
        let message = WebSocketMessage.binary(Bytes([UInt8](repeating: 1, count: 500)))
        // Two messages fill the inbox, which pauses reading.
        for _ in 0..<2 { try await server.send(message) }
        let sender = Task {
            for _ in 0..<18 { try await server.send(message) }
        }
        for _ in 0..<20 { await clock.advance(by: .seconds(20)) }
        #expect(try await pair.client.receive(20).count == 20)
        try await sender.value
    }

    @Test func aQuestionOfTheApplicationTakesThePlaceOfAPing() async throws {
        let asked = Mutex(0)
        let pair = pair {
            $0.client.liveness = WebSocketLiveness(
                probe: .message {
                    asked.withLock { $0 += 1 }
                    return .text("heartbeat")
                })
        }
        let (client, server) = (pair.client, pair.server)
        let error = try await clock.run { try await client.end() }
        #expect(error.code == .connectionLost)
        #expect(asked.withLock { $0 } == 1)
        #expect(clock.now == .seconds(45))
        #expect(try await server.receive() == [.text("heartbeat")])
    }

    @Test func nothingSleepsAfterTheEnd() async throws {
        let pair = pair {
            $0.client.liveness = WebSocketLiveness()
            $0.server.liveness = WebSocketLiveness()
        }
        try await clock.waitForSleepers(count: 2)
        await pair.client.close(WebSocketClosure(code: .normalClosure))
        _ = try await pair.server.end()
        // A task that is cancelled just as it falls asleep is counted until it runs again.
        while clock.sleepers > 0, !Task.isCancelled { await Task.yield() }
        #expect(clock.sleepers == 0)
    }
}
