#if Server
import NetCore
import NetSocketServer
import Testing

extension FanOutCheck {
    private static func member(_ key: String, _ connection: String, on node: String = "a") -> PresenceMember {
        PresenceMember(
            key: key, connection: connection, node: node,
            details: SocketPayload(json: #"{"on":"\#(connection)"}"#))
    }

    static let presence = [
        FanOutCheck("Members of all servers are there, in the order in which they entered") { world in
            _ = try await world.open("a", "b")
            #expect(try await world.first.members(of: "room").isEmpty)
            let members = [member("ada", "1"), member("bob", "1", on: "b"), member("ada", "2")]
            try await world.first.enter(members[0], in: "room")
            try await world.second.enter(members[1], in: "room")
            try await world.first.enter(members[2], in: "room")
            try await world.first.enter(member("cyd", "9"), in: "other")
            #expect(try await world.first.members(of: "room") == members)
            #expect(try await world.second.members(of: "room") == members)
        },
        FanOutCheck("A member that leaves is gone, by its server and its connection") { world in
            _ = try await world.open("a", "b")
            try await world.first.enter(member("ada", "1"), in: "room")
            try await world.second.enter(member("bob", "1", on: "b"), in: "room")
            try await world.first.leave(PresenceMember(key: "", connection: "1", node: "a"), from: "room")
            #expect(try await world.first.members(of: "room") == [member("bob", "1", on: "b")])
            try await world.first.leave(member("ada", "1"), from: "room")
            try await world.first.leave(member("ada", "1"), from: "unknown")
            try await world.second.leave(member("bob", "1", on: "b"), from: "room")
            #expect(try await world.first.members(of: "room").isEmpty)
        },
        FanOutCheck("Entering again replaces the key and the details") { world in
            _ = try await world.open("a")
            try await world.first.enter(member("ada", "1"), in: "room")
            try await world.first.enter(member("bob", "2"), in: "room")
            let renamed = PresenceMember(key: "eve", connection: "1", node: "a")
            try await world.first.enter(renamed, in: "room")
            #expect(try await world.first.members(of: "room") == [renamed, member("bob", "2")])
        },
    ]

    static let ends = [
        FanOutCheck("A server that closes receives nothing more, and its members are gone") { world in
            let inboxes = try await world.open("a", "b")
            for engine in world.engines { try await engine.subscribe(to: "room") }
            try await world.first.enter(member("ada", "1"), in: "room")
            try await world.second.enter(member("bob", "2", on: "b"), in: "room")
            _ = try await world.second.publish(.sample("one"), keeping: FanOutRetention(count: 5))
            for inbox in inboxes { _ = await inbox.messages(1) }
            await world.first.close()
            await world.first.close()
            _ = try await world.second.publish(.sample("two"), keeping: FanOutRetention(count: 5))
            #expect(await inboxes[1].events(2) == ["one", "two"])
            #expect(inboxes[0].events == ["one"])
            #expect(try await world.second.members(of: "room") == [member("bob", "2", on: "b")])
        },
        FanOutCheck("An engine that isn't open throws") { world in
            await expect(.shutdown) { () throws(NetError) in try await world.first.subscribe(to: "room") }
            _ = try await world.open("a")
            try await world.first.subscribe(to: "room")
            await world.first.close()
            let message = FanOutMessage.sample("one")
            await expect(.shutdown) { () throws(NetError) in
                _ = try await world.first.publish(message, keeping: FanOutRetention(count: 5))
            }
            await expect(.shutdown) { () throws(NetError) in try await world.first.unsubscribe(from: "room") }
            await expect(.shutdown) { () throws(NetError) in
                _ = try await world.first.history(of: "room", after: nil)
            }
            await expect(.shutdown) { () throws(NetError) in _ = try await world.first.members(of: "room") }
            await expect(.shutdown) { () throws(NetError) in
                try await world.first.enter(member("ada", "1"), in: "room")
            }
        },
        FanOutCheck("An engine that is open, and a name that is taken, are refused") { world in
            _ = try await world.open("a")
            await expect(.invalidRequest) { () throws(NetError) in try await world.first.open(as: "c") { _ in } }
            await expect(.invalidRequest) { () throws(NetError) in try await world.second.open(as: "a") { _ in } }
            try await world.second.open(as: "b") { _ in }
        },
        FanOutCheck("A server that comes back goes on with what was kept") { world in
            _ = try await world.open("a")
            try await world.first.subscribe(to: "room")
            let position = try await world.first.publish(.sample("one"), keeping: FanOutRetention(count: 5))
            await world.first.close()
            let inbox = try await world.open("a")[0]
            try await world.first.subscribe(to: "room")
            let next = try await world.first.publish(.sample("two"), keeping: FanOutRetention(count: 5))
            #expect(next == ChannelPosition(epoch: position.epoch, offset: 2))
            #expect(await inbox.events(1) == ["two"])
        },
    ]
}
#endif
