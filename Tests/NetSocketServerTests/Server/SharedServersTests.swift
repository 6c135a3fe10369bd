#if Server
import NetCore
import NetSocket
import NetSocketServer
import NetTesting
import Synchronization
import TestSupport
import Testing

/// Servers that share an engine.
@Suite(.timeLimit(.minutes(5))) struct SharedServersTests {
    private static func router() -> SocketRouter<User> {
        var router = ChannelTests.router()
        router.channel("shown:*") { ChannelRules(history: 10, presence: $0.principal.name) }
        router.allowsCommandsOutsideChannels = true
        return router
    }

    /// Runs two servers on one memory.
    private func withTwo(
        _ body: @escaping @Sendable (_ first: ServerWorld, _ second: ServerWorld) async throws -> Void
    ) async throws {
        let memory = MemoryFanOut()
        try await ServerWorld.run(Self.router()) {
            $0.fanOut = memory
        } body: { first in
            try await ServerWorld.run(Self.router()) {
                $0.fanOut = MemoryFanOut(sharing: memory)
            } body: { second in
                try await body(first, second)
            }
        }
    }

    @Test func `Members see those of the other server, come and gone`() async throws {
        try await withTwo { first, second in
            try await first.client("ada").withConnection { ada in
                var heard = ada.events().makeAsyncIterator()
                try await ada.join("shown:1")
                _ = try await heard.nextPush("presence_state")
                try await second.client("bob").withConnection { bob in
                    var bobs = bob.events().makeAsyncIterator()
                    try await bob.join("shown:1")
                    let both = try await bobs.nextPush("presence_state")
                    #expect(both?.contains("ada") == true)
                    #expect(both?.contains("bob") == true)
                    let came = try await heard.nextPush("presence_diff")
                    #expect(came?.hasPrefix(#"{"joins":{"bob""#) == true)
                    let members = try await first.server.channel("shown:1").members()
                    #expect(members.map(\.key) == ["ada", "bob"])
                }
                let gone = try await heard.nextPush("presence_diff")
                #expect(gone?.hasPrefix(#"{"joins":{},"leaves":{"bob""#) == true)
            }
        }
    }

    @Test func `A channel that was empty shows the members of the other server again`() async throws {
        try await withTwo { first, second in
            try await first.client("ada").withConnection { ada in
                try await ada.join("shown:1")
                try await second.client("bob").withConnection { bob in
                    var heard = bob.events().makeAsyncIterator()
                    for _ in 1...3 {
                        let room = try await bob.join("shown:1")
                        var all = try await heard.nextPush("presence_state") ?? ""
                        // While bob's last leave is still being delivered, the other server's members follow.
                        if !all.contains("ada") { all += try await heard.nextPush("presence_diff") ?? "" }
                        #expect(all.contains("ada"))
                        #expect(all.contains("bob"))
                        try await room.leave()
                    }
                }
            }
        }
    }

    @Test func `A member that leaves and joins again at once is a member on every server`() async throws {
        try await withTwo { first, second in
            try await second.client("bob").withConnection { bob in
                for _ in 1...50 { try await bob.join("shown:1").leave() }
                try await bob.join("shown:1")
                // Lets the remaining leaves complete.
                for _ in 0..<1000 { await Task.yield() }
                // The last of them may just have taken it out, and puts it back.
                await first.wait { (try? await first.server.channel("shown:1").members().map(\.key)) == ["bob"] }
            }
        }
    }

    /// Two tasks work on one entry: that of the leave is in the engine when the join has entered, and looks for the
    /// member again before the join has ended.
    @Test func `A member that joins while its leave is still on its way is a member`() async throws {
        let (isLeaving, hasEntered, hasLeft) = (Gate(), Gate(), Gate())
        let entries = Mutex(0)
        let engine = ScriptedFanOut(
            entered: { topic in
                guard topic == "shown:1",
                    entries.withLock({
                        $0 += 1
                        return $0
                    }) == 2
                else { return }
                hasEntered.open()
                await hasLeft.wait()
                for _ in 0..<1000 { await Task.yield() }
            },
            leaving: { topic in
                guard topic == "shown:1" else { return }
                isLeaving.open()
                await hasEntered.wait()
            },
            left: { topic in if topic == "shown:1" { hasLeft.open() } })
        try await ServerWorld.run(Self.router()) {
            $0.fanOut = engine
        } body: { world in
            try await world.client("ada").withConnection { ada in
                try await ada.join("shown:1").leave()
                await isLeaving.wait()
                try await ada.join("shown:1")
                for _ in 0..<1000 where entries.withLock({ $0 }) < 3 { await Task.yield() }
                let members = try await world.server.channel("shown:1").members()
                #expect(members.map(\.key) == ["ada"])
            }
        }
    }

    @Test func `A user is reached on every server, and only that user`() async throws {
        try await withTwo { first, second in
            try await first.client("ada").withConnection { here in
                try await second.client("ada").withConnection { there in
                    try await second.client("bob").withConnection { bob in
                        var (heard, bobs) = (there.events().makeAsyncIterator(), bob.events().makeAsyncIterator())
                        var own = here.events().makeAsyncIterator()
                        await first.wait { (try? await first.server.user("ada").members().count) == 2 }
                        try await first.server.user("ada").push(Said(text: "to ada"))
                        #expect(try await heard.nextPush("said")?.contains("to ada") == true)
                        #expect(try await own.nextPush("said")?.contains("to ada") == true)
                        await second.wait { second.server.users.contains("bob") }
                        try await second.server.user("bob").push(Said(text: "to bob"))
                        #expect(try await bobs.nextPush("said")?.contains("to bob") == true)
                    }
                    await first.wait { (try? await first.server.user("bob").members().count) == 0 }
                }
            }
        }
    }

    @Test func `A user is closed on every server`() async throws {
        try await withTwo { first, second in
            let (here, there) = (try await first.socket("ada"), try await second.socket("ada"))
            let bob = try await second.socket("bob")
            await first.wait { (try? await first.server.user("ada").members().count) == 2 }
            try await first.server.user("ada").closeEverywhere(.policyViolation, reason: "not now")
            for socket in [here, there] {
                await expectClosure(1008) { while true { _ = try await socket.receive() } }
            }
            await first.wait { second.server.users == ["bob"] }
            await bob.close()
        }
    }

    @Test func `A push by a server without members keeps what the others keep`() async throws {
        try await withTwo { first, second in
            try await first.client("ada").withConnection { ada in
                try await ada.join("room:1")
                for number in 1...3 { try await second.server.channel("room:1").push(Said(text: "\(number)")) }
                let history = try await second.server.channel("room:1").history(last: 2)
                #expect(history.pushes.map { $0.payload?.json } == [#"{"text":"2"}"#, #"{"text":"3"}"#])
                #expect(try await second.server.channel("room:1").history(last: 0).pushes.isEmpty)
                #expect(try await second.server.channel("room:1").history(last: 100).pushes.count == 3)
            }
        }
    }

    @Test func `A push with an ID is published once, whichever server it is sent to again`() async throws {
        try await withTwo { first, second in
            try await first.client("ada").withConnection { ada in
                let room = try await ada.join("room:1")
                var heard = room.pushes(of: Said.self).makeAsyncIterator()
                let position = try await first.server.channel("room:1").push(Said(text: "one"), id: "key")
                let again = try await second.server.channel("room:1").push(Said(text: "one"), id: "key")
                #expect(again == position)
                try await second.server.channel("room:1").push(Said(text: "two"), id: "other")
                #expect(try await heard.next() == Said(text: "one"))
                #expect(try await heard.next() == Said(text: "two"))
            }
        }
    }

    @Test func `Nobody joins the topic of a user`() async throws {
        var router = SocketRouter<User>()
        router.channel("*")
        try await ServerWorld.run(router) {
            $0.fanOut = MemoryFanOut()
        } body: { world in
            try await world.client("eva").withConnection { client in
                await expectRejection("unknown_channel") { _ = try await client.join("\u{1}user:ada") }
            }
        }
    }
}

/// A server's handling of its engine's events.
@Suite(.timeLimit(.minutes(5))) struct EngineEventTests {
    private func with(
        _ change: (@Sendable (inout SocketServerConfiguration) -> Void)? = nil,
        _ body: @escaping @Sendable (ScriptedFanOut, ServerWorld) async throws -> Void
    ) async throws {
        let engine = ScriptedFanOut()
        var router = ChannelTests.router()
        router.allowsCommandsOutsideChannels = true
        try await ServerWorld.run(router) {
            $0.fanOut = engine
            change?(&$0)
        } body: { world in
            try await body(engine, world)
        }
    }

    private func message(_ offset: UInt64) -> FanOutEvent {
        let push = WirePush(
            event: "said", payload: SocketPayload(json: "{\"text\":\"\(offset)\"}"), topic: "room:1", offset: offset)
        return .message(FanOutMessage(id: "", node: "other", topic: "room:1", push: push))
    }

    @Test func `A member of a channel with another epoch is told, and receives its first pushes`() async throws {
        try await with { engine, world in
            try await world.client("ada").withConnection { ada in
                let room = try await ada.join("room:1")
                var events = room.events().makeAsyncIterator()
                for _ in 1...3 { try await world.server.channel("room:1").push(Said(text: "old")) }
                engine.tell(.gap(topic: "room:1", ChannelPosition(epoch: "new", offset: 0)))
                engine.tell(message(1))
                var told: [String] = []
                while told.last != "1", let event = try await events.next() {
                    switch event {
                    case .push(let push): told.append(try push.decoded(as: Said.self).text)
                    case .gap: told.append("gap")
                    default: break
                    }
                }
                #expect(told == ["old", "old", "old", "gap", "1"])
            }
        }
    }

    @Test func `A gap is an activity, and no push for the program`() async throws {
        let watcher = Watcher()
        try await with {
            $0.listeners = [watcher]
        } _: { engine, world in
            try await world.client("ada").withConnection { ada in
                var events = ada.events().makeAsyncIterator()
                try await ada.join("room:1")
                engine.tell(.gap(topic: "room:1", ChannelPosition(epoch: "new", offset: 0)))
                engine.tell(message(1))
                let push = try await events.nextPush("said")
                #expect(push == #"{"text":"1"}"#)
                #expect(watcher.lines.contains("gap room:1"))
            }
        }
    }

    @Test func `Other wires are told in their words: the client is out of the channel, and joins again`() async throws {
        try await with {
            $0.wires = ["*": .phoenixV2]
        } _: { engine, world in
            let socket = try await world.socket(subprotocols: [])
            try await socket.send(.text(#"["1","1","room:1","phx_join",{}]"#))
            _ = try await socket.receive()
            engine.tell(.gap(topic: "room:1", ChannelPosition(epoch: "new", offset: 0)))
            let left = try await socket.receive()
            #expect(left.text?.contains("phx_error") == true)
        }
    }

    @Test func `An outage is told to those who watch and to members, where that is asked for`() async throws {
        let (watcher, metrics) = (Watcher(), SocketServerMetrics())
        try await with {
            $0.listeners = [watcher]
            $0.metrics = metrics
            $0.outageEvent = "status"
        } _: { engine, world in
            try await world.client("ada").withConnection { ada in
                var events = ada.events().makeAsyncIterator()
                try await ada.join("room:1")
                engine.set(isAway: true)
                let first = try await events.nextPush("status")
                #expect(first == #"{"available":false}"#)
                #expect(metrics.enginesAway == 1)
                engine.set(isAway: false)
                let second = try await events.nextPush("status")
                #expect(second == #"{"available":true}"#)
                #expect(metrics.enginesAway == 0)
                #expect(watcher.lines.filter { $0.hasPrefix("fan-out") } == ["fan-out away", "fan-out back"])
            }
        }
    }

    @Test func `While the engine is away, joins and commands that need it are refused as unavailable`() async throws {
        try await with { engine, world in
            try await world.client("ada").withConnection { ada in
                let room = try await ada.join("room:1")
                engine.set(isAway: true)
                await expectRejection(SocketFailure.unavailable) { _ = try await ada.join("room:2") }
                await expectRejection(SocketFailure.unavailable) { _ = try await room.send(Say(text: "hello")) }
                engine.set(isAway: false)
                _ = try await ada.join("room:2")
                _ = try await room.send(Say(text: "hello"))
            }
        }
    }
}
#endif
