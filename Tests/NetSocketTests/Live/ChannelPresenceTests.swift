import NetCore
import NetSocket
import NetSocketCore
import NetTesting
import Testing

/// The members of a channel, over connections that come and go.
@Suite(.timeLimit(.minutes(1)))
struct ChannelPresenceTests {
    private static func push(_ event: String, _ json: String) -> WireSignal {
        .push(WirePush(event: event, payload: SocketPayload(json: json), topic: "room"))
    }

    private static func list(_ keys: String...) -> String {
        "{\(keys.map { #""\#($0)":{"metas":[{"phx_ref":"\#($0)"}]}"# }.joined(separator: ","))}"
    }

    private func wait(until condition: () -> Bool) async {
        while !condition(), !Task.isCancelled { await Task.yield() }
    }

    @Test func theListIsRightAfterALostConnection() async throws {
        let (server, clock) = (SocketPeer(), TestClock())
        try await server.client(on: clock).withConnection { client in
            let room = try await client.join("room")
            try await server.send(Self.push("presence_state", Self.list("ada", "bob")))
            await wait { room.presence.count == 2 }
            await server.drop()
            try await client.wait(for: "waiting")
            #expect(room.presence.keys == ["ada", "bob"])
            #expect(!room.presence.isComplete)
            await client.reopen(on: clock)
            _ = try await client.send(Say(text: "open"))
            // A change that arrives before the list.
            try await server.send(Self.push("presence_diff", #"{"joins":\#(Self.list("eve")),"leaves":{}}"#))
            try await server.send(Self.push("presence_state", Self.list("ada", "cleo")))
            await wait { room.presence.isComplete }
            #expect(room.presence.keys == ["ada", "cleo", "eve"])
            #expect(room.presence.left.map(\.key) == ["bob"])
        }
    }

    @Test func anObserverSeesEachChange() async throws {
        let server = SocketPeer()
        try await server.client().withConnection { client in
            let room = try await client.join("room")
            try await server.send(Self.push("presence_state", Self.list("ada")))
            await wait { room.presence.isComplete }
            var presences = room.presences.makeAsyncIterator()
            #expect(try await presences.next()?.keys == ["ada"])
            let joins = #"{"joins":\#(Self.list("bob")),"leaves":{}}"#
            try await server.send(Self.push("presence_diff", joins))
            #expect(try await presences.next()?.joined.map(\.key) == ["bob"])
            try await server.send(Self.push("presence_diff", joins))
            #expect(try await presences.next()?.joined.isEmpty == true)
            try await room.leave()
            #expect(try await presences.next()?.isEmpty == true)
            #expect(room.presence.isEmpty)
        }
    }

    @Test func aListThatCannotBeReadIsReported() async throws {
        let server = SocketPeer()
        try await server.client().withConnection { client in
            let events = client.events()
            let room = try await client.join("room")
            try await server.send(Self.push("presence_state", #"{"ada":7}"#))
            for try await case .unreadable(let error) in events {
                #expect(error.code == .decoding)
                break
            }
            #expect(room.presence.isEmpty)
        }
    }
}
