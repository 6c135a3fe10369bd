#if Server
import NetCore
import NetSocket
import NetSocketServer
import NetTesting
import TestSupport
import Testing

@Suite struct ChannelTests {
    static func router(_ rules: ChannelRules = ChannelRules(history: 10)) -> SocketRouter<User> {
        var router = SocketRouter<User>()
        router.channel("room:*") { join in
            if join.topic == "room:closed" { throw SocketFailure("forbidden", "you are no member") }
            return rules
        }
        router.on(Say.self) { say, context in
            let room = context.server.channel(context.topic ?? "room:1")
            try await room.push(Said(text: say.text), except: context.connection)
            return .init(text: say.text)
        }
        return router
    }

    @Test func `A join is refused in the words of the rule, and where there is no rule`() async throws {
        try await ServerWorld.run(Self.router()) { world in
            try await world.client().withConnection { client in
                let closed = await rejection { _ = try await client.join("room:closed") }
                #expect(closed == SocketFailure("forbidden", "you are no member"))
                await expectRejection("unknown_channel") { _ = try await client.join("lobby") }
                #expect(world.server.topics == [])
            }
        }
    }

    @Test func `A push reaches the members of its channel, and not the one that it came from`() async throws {
        try await ServerWorld.run(Self.router()) { world in
            try await world.client("ada").withConnection { ada in
                try await world.client("bob").withConnection { bob in
                    let adas = try await ada.join("room:1")
                    let bobs = try await bob.join("room:1")
                    _ = try await bob.join("room:2")
                    var heard = bobs.pushes(of: Said.self).makeAsyncIterator()
                    var own = adas.pushes(of: Said.self).makeAsyncIterator()
                    _ = try await adas.send(Say(text: "from ada"))
                    let first = try await heard.next()
                    #expect(first == Said(text: "from ada"))
                    try await world.server.channel("room:1").push(Said(text: "for all"))
                    let next = try await own.next()
                    #expect(next == Said(text: "for all"))
                    #expect(world.server.topics == ["room:1", "room:2"])
                    #expect(world.server.members(of: "room:*").count == 3)
                    #expect(world.server.channel("room:1").count == 2)
                }
            }
        }
    }

    @Test func `The one that has said something sees no hole in the channel`() async throws {
        try await ServerWorld.run(Self.router()) { world in
            try await world.client("ada").withConnection { ada in
                let room = try await ada.join("room:1")
                let gaps = Locked(0)
                try await withThrowingTaskGroup { group in
                    let events = room.events()
                    group.addTask {
                        for try await event in events { if case .gap = event { gaps.change { $0 += 1 } } }
                    }
                    var own = room.pushes(of: Said.self).makeAsyncIterator()
                    for number in 1...3 { _ = try await room.send(Say(text: "\(number)")) }
                    try await world.server.channel("room:1").push(Said(text: "end"))
                    let push = try await own.next()
                    #expect(push == Said(text: "end"))
                    group.cancelAll()
                }
                #expect(gaps.value == 0)
            }
        }
    }

    @Test func `A command to a channel that wasn't joined is refused`() async throws {
        try await ServerWorld.run(Self.router()) { world in
            let socket = try await world.socket()
            try await socket.send(#"{"event":"say","requestId":"1","channel":"room:1","payload":{"text":""}}"#)
            let reply = try await socket.receive()
            #expect(reply.text?.contains("not_joined") == true)
            await socket.close()
        }
    }

    @Test func `A client that comes back is sent what it has missed`() async throws {
        try await ServerWorld.run(Self.router()) { world in
            try await world.client().withConnection { client in
                let room = try await client.join("room:1")
                var heard = room.pushes(of: Said.self).makeAsyncIterator()
                try await world.server.channel("room:1").push(Said(text: "1"))
                _ = try await heard.next()
                world.server.everybody.close(.goingAway)
                await world.wait { world.server.connections.isEmpty }
                for number in 2...4 { try await world.server.channel("room:1").push(Said(text: "\(number)")) }
                await world.advance { !world.server.members(of: "room:1").isEmpty }
                var texts: [String?] = []
                for _ in 2...4 { texts.append(try await heard.next()?.text) }
                #expect(texts == ["2", "3", "4"])
            }
        }
    }

    @Test func `Messages missed beyond the history are reported`() async throws {
        try await ServerWorld.run(Self.router(ChannelRules(history: 2))) { world in
            try await world.client().withConnection { client in
                let room = try await client.join("room:1")
                var events = room.events().makeAsyncIterator()
                world.server.everybody.close(.goingAway)
                await world.wait { world.server.connections.isEmpty }
                for number in 1...5 { try await world.server.channel("room:1").push(Said(text: "\(number)")) }
                await world.advance { !world.server.members(of: "room:1").isEmpty }
                let told = try await events.nextMissed()
                #expect(told == .some)
            }
        }
    }

    @Test func `A channel with its latest value sends that to whoever joins`() async throws {
        try await ServerWorld.run(Self.router(ChannelRules(sendsLatest: true))) { world in
            try await world.client("ada").withConnection { ada in
                _ = try await ada.join("room:1")
                for number in 1...3 { try await world.server.channel("room:1").push(Said(text: "\(number)")) }
                try await world.client("bob").withConnection { bob in
                    let pushes = bob.pushes(of: Said.self)
                    var heard = pushes.makeAsyncIterator()
                    _ = try await bob.join("room:1")
                    let latest = try await heard.next()
                    #expect(latest == Said(text: "3"))
                }
            }
        }
    }

    @Test func `A channel with an interval sends the last of what was pushed in it`() async throws {
        try await ServerWorld.run(Self.router(ChannelRules(interval: .milliseconds(100)))) { world in
            try await world.client().withConnection { client in
                let room = try await client.join("room:1")
                var heard = room.pushes(of: Said.self).makeAsyncIterator()
                for number in 1...5 { try await world.server.channel("room:1").push(Said(text: "\(number)")) }
                let first = try await heard.next()
                let count = Locked(0)
                await world.advance(by: .milliseconds(20)) {
                    count.change { $0 += 1 }
                    return count.value > 20
                }
                let last = try await heard.next()
                #expect(first == Said(text: "1"))
                #expect(last == Said(text: "5"))
            }
        }
    }

    @Test func `A member that leaves, or is taken out, hears nothing more`() async throws {
        try await ServerWorld.run(Self.router()) { world in
            try await world.client().withConnection { client in
                let one = try await client.join("room:1")
                try await one.leave()
                #expect(world.server.topics == [])
                let two = try await client.join("room:2")
                var events = two.events().makeAsyncIterator()
                world.server.channel("room:2").close(.policyViolation, reason: "expelled")
                let why = try await events.nextLeft()
                #expect(why?.code == "expelled")
                #expect(world.server.topics == [])
            }
        }
    }

    @Test func `A connection is in no more channels than it may be`() async throws {
        try await ServerWorld.run(Self.router()) {
            $0.limits.channelsPerConnection = 2
        } body: { world in
            try await world.client().withConnection { client in
                _ = try await client.join("room:1")
                _ = try await client.join("room:2")
                await expectRejection("too_many_channels") { _ = try await client.join("room:3") }
            }
        }
    }

    @Test func `A user has many connections, and is told through all of them`() async throws {
        try await ServerWorld.run(Self.router()) { world in
            try await world.client("ada").withConnection { first in
                try await world.client("ada").withConnection { second in
                    try await world.client("bob").withConnection { bob in
                        try await bob.join("room:1")
                        var one = first.pushes(of: Said.self).makeAsyncIterator()
                        var two = second.pushes(of: Said.self).makeAsyncIterator()
                        await world.advance { world.server.connections.count == 3 }
                        #expect(world.server.users == ["ada", "bob"])
                        try await world.server.user("ada").push(Said(text: "to ada"))
                        let heard = try await one.next()
                        let other = try await two.next()
                        #expect(heard == Said(text: "to ada"))
                        #expect(other == heard)
                        world.server.user("ada").close(.policyViolation)
                        await world.advance { world.server.users == ["bob"] }
                    }
                }
            }
        }
    }
}

extension SocketSequence.Iterator where Element == SocketChannel.Event {
    /// Returns the missed pushes of the next join after a reconnect.
    mutating func nextMissed() async throws -> MissedPushes? {
        while let event = try await next() { if case .joined(_, let missed) = event { return missed } }
        return nil
    }

    /// Returns the reason why the client is no longer in the channel.
    mutating func nextLeft() async throws -> SocketFailure? {
        while let event = try await next() { if case .left(let why) = event { return why } }
        return nil
    }
}
#endif
