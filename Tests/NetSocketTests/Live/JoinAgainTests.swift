import NetCore
import NetSocket
import NetSocketCore
import NetTesting
import Testing

/// Channels that are joined while they are joined already.
@Suite(.timeLimit(.minutes(1)))
struct JoinAgainTests {
    /// The tokens in the joins that a server has received.
    private static func tokens(of server: SocketPeer) throws -> [String?] {
        try server.received.compactMap { signal in
            guard case .join(let join) = signal else { return nil }
            return .some(try join.payload?.decoded(as: [String: String].self)["token"])
        }
    }

    @Test func theFirstPayloadIsSentAfterALostConnection() async throws {
        let (server, clock) = (SocketPeer(), TestClock())
        let number = Counter()
        try await server.client(on: clock).withConnection { client in
            try await client.join("room") { ["token": "t\(number.next())"] }
            try await client.join("room")
            #expect(try Self.tokens(of: server) == ["t1"])
            await server.drop()
            try await client.wait(for: "waiting")
            await client.reopen(on: clock)
            _ = try await client.send(Say(text: "hello"))
            #expect(try Self.tokens(of: server) == ["t1", "t2"])
        }
    }

    @Test func joiningAgainWhileTheConnectionIsAwayKeepsThePayload() async throws {
        let (server, clock) = (SocketPeer(), TestClock())
        try await server.client(on: clock).withConnection { client in
            try await client.join("room") { ["token": "t"] }
            await server.drop()
            try await client.wait(for: "waiting")
            async let again = client.join("room")
            await client.reopen(on: clock)
            _ = try await again
            #expect(try Self.tokens(of: server) == ["t", "t"])
        }
    }

    @Test func anotherPayloadIsRefusedAndChangesNothing() async throws {
        let (server, clock) = (SocketPeer(), TestClock())
        try await server.client(on: clock).withConnection { client in
            let room = try await client.join("room") { ["token": "first"] }
            let error = await #expect(throws: SocketCommandError.self) {
                try await client.join("room") { ["token": "second"] }
            }
            guard case .failed(let failed)? = error else { return }
            #expect(failed.code == .invalidRequest)
            #expect(failed.message.contains("leave it"), "\(failed)")
            await server.drop()
            try await client.wait(for: "waiting")
            await client.reopen(on: clock)
            _ = try await room.send(Say(text: "hello"))
            #expect(try Self.tokens(of: server) == ["first", "first"])
        }
    }

    @Test func afterLeavingAnotherPayloadIsSent() async throws {
        let server = SocketPeer()
        try await server.client().withConnection { client in
            // Often, because the thread that ends the leave goes on beside the next join.
            let tokens = (1...500).map { "t\($0)" }
            for token in tokens { try await client.join("room") { ["token": token] }.leave() }
            #expect(try Self.tokens(of: server) == tokens)
        }
    }

    @Test func aRefusedJoinMayBeMadeWithAnotherPayload() async throws {
        let joins = Counter()
        let server = SocketPeer { signal, _ in
            guard case .join(let join) = signal, joins.next() == 1 else { return SocketPeer.echo(signal) }
            return [.joinRefused(join.id, topic: join.topic, SocketFailure("expired", "no"))]
        }
        try await server.client().withConnection { client in
            await #expect(throws: SocketCommandError.self) { try await client.join("room") { ["token": "old"] } }
            try await client.join("room") { ["token": "new"] }
        }
        #expect(try Self.tokens(of: server).last == "new")
    }
}
