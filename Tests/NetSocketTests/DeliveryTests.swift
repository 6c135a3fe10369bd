#if os(Linux) && Server
import NetCore
import NetSocket
import NetSocketCore
import NetTestServer
import NetTesting
import Synchronization
import TestSupport
import Testing

/// At-least-once delivery over real connections that are cut.
@Suite(.timeLimit(.minutes(2)))
struct DeliveryTests {
    private struct Item: SocketPush {
        static let event = "item"
        var number: Int
    }

    private static let count = 10_000
    private static let cuts = 50
    private static let limits = SocketDelivery(maximumCount: 200, maximumBytes: 50_000)

    /// Cuts the next connection after a number of bytes in one direction, or not at all.
    private static func arm(_ proxy: TCPProxy, _ random: SeededRandom) {
        var configuration = TCPProxy.Configuration()
        if proxy.statistics.cuts < cuts {
            let bytes = Int64(200 + random.next() % 6000)
            let cut = TCPProxy.Cut(afterBytes: bytes, form: random.next() % 2 == 0 ? .close : .reset)
            if random.next() % 2 == 0 { configuration.toServer.cut = cut } else { configuration.toClient.cut = cut }
        }
        proxy.configuration = configuration
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func tenThousandMessagesEachWaySurviveFiftyCuts(seed: UInt64) async throws {
        let peer = SocketPeer(wire: .numberedJSON, delivery: Self.limits) { _, _ in [] }
        let server = try await TestServer.start(webSockets: [peer.stub])
        let proxy = try await TCPProxy.start(to: server.port)
        let random = SeededRandom(seed: seed)
        let received = try await Fixture.run { fixture in
            var configuration = SocketClient.Configuration(
                wire: .numberedJSON, reconnect: .constant(.milliseconds(1)), delivery: Self.limits)
            configuration.requestTimeout = .seconds(100)
            let client = SocketClient(
                "ws://127.0.0.1:\(proxy.port)/socket", client: fixture.client, configuration: configuration
            ) { _ in Self.arm(proxy, random) }
            return try await client.withConnection { client in
                let pushes = client.pushes(of: Item.self, .suspend(100))
                try await client.wait(for: "open")
                async let sent: Void = Self.send(by: client)
                async let pushed: Void = Self.push(by: peer)
                var received: [Int] = []
                for try await push in pushes {
                    received.append(push.number)
                    if received.count == Self.count { break }
                }
                try await sent
                try await pushed
                while peer.received.count < Self.count, !Task.isCancelled { await Task.yield() }
                return received
            }
        }
        #expect(received == Array(0..<Self.count), "seed \(seed)")
        let heard = peer.received.compactMap { signal -> Int? in
            guard case .request(let request) = signal else { return nil }
            return try? request.payload?.decoded(as: Item.self).number
        }
        #expect(heard == Array(0..<Self.count), "seed \(seed)")
        #expect(proxy.statistics.cuts >= Self.cuts, "seed \(seed): \(proxy.statistics)")
        await proxy.stop()
        await server.stop()
    }

    private static func send(by client: SocketClient) async throws {
        for number in 0..<count { try await client.notify(Item(number: number)) }
    }

    private static func push(by peer: SocketPeer) async throws {
        for number in 0..<count { try await peer.push(Item(number: number)) }
    }
}
#endif
