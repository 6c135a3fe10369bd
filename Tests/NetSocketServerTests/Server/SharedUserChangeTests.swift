#if Server
import NetCore
import NetSocket
@testable import NetSocketServer
import NetTesting
import TestSupport
import Testing

/// A client of one of two servers that authenticates again as another user.
@Suite(.timeLimit(.minutes(2))) struct SharedUserChangeTests {
    /// Runs two servers that share a broker.
    static func run(
        _ engines: [any FanOutEngine],
        _ body: @escaping @Sendable (_ first: ServerWorld, _ second: ServerWorld) async throws -> Void
    ) async throws {
        try await ServerWorld.run(CredentialPeer.router(), subprotocols: []) {
            $0.fanOut = engines[0]
        } body: { first in
            try await ServerWorld.run(CredentialPeer.router(), subprotocols: []) {
                $0.fanOut = engines[1]
            } body: { second in
                try await body(first, second)
            }
        }
    }

    static func check(_ first: ServerWorld, _ second: ServerWorld) async throws {
        let watcher = try await second.peer("eva")
        try await watcher.join("room:1")
        let peer = try await first.peer()
        try await peer.join("room:1")
        try await peer.join("private:ann")
        _ = try await watcher.heard(until: #""joins":{"ann""#)
        await first.wait { (try? await second.server.user("ann").members().count) == 1 }
        _ = try await peer.change(to: "bob")
        // In one message if the engine learns of both together.
        let seen = try await watcher.heard(until: #""joins":{"bob""#)
        #expect(seen.with(#""leaves":{"ann""#).count == 1)
        await first.wait { (try? await second.server.user("bob").members().count) == 1 }
        await first.wait { (try? await second.server.user("ann").members().count) == 0 }
        await first.wait { (try? await second.server.channel("private:ann").members().count) == 0 }
        try await second.server.user("ann").push(Said(text: "to ann"))
        try await second.server.channel("private:ann").push(Said(text: "for ann"))
        try await second.server.user("ann").closeEverywhere()
        try await second.server.user("bob").push(Said(text: "to bob"))
        let heard = try await peer.heard(until: "to bob")
        #expect(heard.with("ann\"}") == [])
        try await second.server.user("bob").closeEverywhere(.policyViolation)
        await expectClosure(1008) { while true { _ = try await peer.socket.receive() } }
        await watcher.socket.close()
    }

    @Test func `Presence and pushes follow the user on every server`() async throws {
        let memory = MemoryFanOut()
        try await Self.run([memory, MemoryFanOut(sharing: memory)], Self.check)
    }
}

#if Redis && os(Linux)
@Suite(.enabled(if: RedisServerProcess.program.path != nil), .timeLimit(.minutes(2)))
struct RedisUserChangeTests {
    @Test func `Presence and pushes follow the user on every server of a broker`() async throws {
        try await RedisServerProcess.with { broker in
            let configuration = RedisFanOut.Configuration(
                outage: .wait(.seconds(60)), connectTimeout: .seconds(60), commandTimeout: .seconds(60))
            let engines = try (0..<2).map { _ in try RedisFanOut(broker.url, configuration) }
            try await SharedUserChangeTests.run(engines, SharedUserChangeTests.check)
        }
    }
}
#endif
#endif
