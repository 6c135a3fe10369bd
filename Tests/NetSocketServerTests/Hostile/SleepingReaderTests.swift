#if Server
import NetCore
import NetSocket
@testable import NetSocketServer
import NetSocketCore
import TestSupport
import Testing

/// One of many consumers stops reading, on real sockets.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct SleepingReaderTests {
    private static let outbox = 128 << 10

    /// Runs a channel with consumers, one of which doesn't read.
    private static func run(
        _ policy: SlowClientPolicy, readers: Int = 3,
        _ body: @Sendable (PortWorld, _ sleeper: RawPeer, _ readers: [RawPeer]) async throws -> Void
    ) async throws {
        try await PortWorld.run(PortWorld.router()) {
            $0.slowClients = policy
            $0.maximumOutboxBytes = outbox
            $0.closeTimeout = .seconds(60)
        } body: { world in
            var peers: [RawPeer] = []
            for number in 0...readers {
                let peer = try await world.open(
                    number == 0 ? "sleeper" : "reader", headers: [PortWorld.numbered], buffer: number == 0 ? 4096 : nil)
                try await peer.send(text: RawFrame.join("room:1"))
                await peer.wait(for: "\"ok\"")
                peers.append(peer)
            }
            try await peers[0].sleep()
            try await body(world, peers[0], Array(peers.dropFirst()))
            for peer in peers { peer.end() }
        }
    }

    /// Pushes until a condition holds, and returns the number of pushes.
    private static func push(
        _ world: PortWorld, _ readers: [RawPeer], until condition: () -> Bool
    ) async throws -> Int {
        let filler = String(repeating: "x", count: 8000)
        var count = 0
        while !condition() {
            count += 1
            try await world.server.channel("room:1").push(Said(text: "\(count) \(filler)"))
            // The others keep up, so that only the sleeping consumer's pushes are dropped.
            if count % 8 == 0 { for reader in readers { await reader.wait { reader.messageCount > count } } }
            if count % 50 == 0 { try await world.expectAnswer() }
        }
        return count
    }

    private static func offsets(_ peer: RawPeer) -> [Int] {
        peer.texts.compactMap { text in
            guard text.contains("\"said\""), let range = text.firstRange(of: "\"offset\":") else { return nil }
            return Int(text[range.upperBound...].prefix { $0.isNumber })
        }
    }

    @Test func `The sleeper sees a hole when it wakes, and nobody else does`() async throws {
        try await Self.run(.dropOldest, readers: 19) { world, sleeper, readers in
            let count = try await Self.push(world, readers) { world.metrics.droppedPushes(.slow) >= 50 }
            for reader in readers { await reader.wait { reader.messageCount > count } }
            for reader in readers { #expect(Self.offsets(reader) == Array(1...count)) }
            #expect(world.metrics.outboxBytes <= Self.outbox)
            // Messages other than pushes are kept.
            try await sleeper.send(text: RawFrame.say("and the reply", id: 99))
            try await sleeper.wake()
            await sleeper.wait(for: "and the reply")
            let offsets = Self.offsets(sleeper)
            #expect(offsets == offsets.sorted())
            #expect(Set(offsets).count == offsets.count)
            #expect(offsets.last == count)
            #expect(count - offsets.count == world.metrics.droppedPushes(.slow))
            await world.wait { world.metrics.outboxBytes == 0 }
        }
    }

    @Test func `With the newest only, the sleeper wakes to the last push`() async throws {
        try await Self.run(.latestOnly) { world, sleeper, readers in
            let count = try await Self.push(world, readers) { world.metrics.droppedPushes(.slow) >= 50 }
            #expect(world.metrics.outboxBytes < 10_000)
            try await sleeper.wake()
            await sleeper.wait { sleeper.lastText?.contains("\"text\":\"\(count) ") == true }
            for reader in readers { await reader.wait { reader.messageCount > count } }
            for reader in readers { #expect(Self.offsets(reader) == Array(1...count)) }
        }
    }

    @Test(arguments: [(SlowClientPolicy.close, UInt16(1008)), (.closeForLater, 1013)])
    func `The sleeper is closed, and the others aren't`(policy: SlowClientPolicy, code: UInt16) async throws {
        try await Self.run(policy) { world, sleeper, readers in
            // Pushes while the close frame waits.
            let count = try await Self.push(world, readers) { world.metrics.droppedPushes(.closed) > 0 }
            try await sleeper.wake()
            await sleeper.wait { sleeper.closeCode != nil }
            #expect(sleeper.closeCode == code)
            try await sleeper.send(RawFrame.close(code))
            await world.wait { world.server.channel("room:1").count == readers.count }
            for reader in readers { await reader.wait { reader.messageCount > count } }
            for reader in readers { #expect(Self.offsets(reader) == Array(1...count)) }
        }
    }

    @Test func `Messages without a channel are dropped for a sleeper, too`() async throws {
        try await Self.run(.dropOldest) { world, sleeper, _ in
            let message = WebSocketMessage.text(String(repeating: "y", count: 8000))
            while world.metrics.droppedPushes(.slow) < 50 {
                world.server.user("sleeper").send(message)
                await Task.yield()
            }
            #expect(world.metrics.outboxBytes <= Self.outbox)
            try await sleeper.wake()
            await world.wait { world.metrics.outboxBytes == 0 }
        }
    }

    @Test func `A sleeper that owes its own replies is gone in the end`() async throws {
        var router = SocketRouter<User>()
        let filler = String(repeating: "x", count: 4000)
        router.onImmediately(Say.self) { _, _ in .init(text: filler) }
        try await PortWorld.run(router) {
            $0.maximumOutboxBytes = 64 << 10
            $0.liveness = WebSocketLiveness(silence: .milliseconds(500), grace: .milliseconds(500))
        } body: { world in
            let peer = try await world.open(buffer: 4096)
            try await peer.sleep()
            for number in 1...5000 { peer.push(RawFrame.text(RawFrame.say("a", id: number))) }
            await world.wait { world.log.value.contains { $0.contains("the client was silent") } }
            await world.wait { world.server.connections.isEmpty }
            #expect(world.metrics.outboxBytes == 0)
            peer.end()
        }
    }
}
#endif
