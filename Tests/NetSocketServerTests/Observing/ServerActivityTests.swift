#if Server
import NetCore
import NetSocket
@testable import NetSocketServer
import NetTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ServerActivityTests {
    private struct Odd: Error {}

    private func watch(
        _ router: SocketRouter<User>, _ watcher: Watcher, byCredentials: Bool = false,
        _ change: (inout SocketServerConfiguration) -> Void = { _ in },
        body: @Sendable (ServerWorld) async throws -> Void
    ) async throws {
        try await ServerWorld.run(router, byCredentials: byCredentials) { configuration in
            configuration.listeners = [watcher]
            change(&configuration)
        } body: {
            try await body($0)
        }
    }

    @Test func `The life of a connection is told in order`() async throws {
        var router = SocketRouter<User>()
        router.channel("room:*")
        router.on(Say.self) { say, _ in .init(text: say.text) }
        router.onImmediately(Refresh.self) { _, _ in .init() }
        let watcher = Watcher()
        try await watch(router, watcher) { world in
            try await world.client().withConnection { client in
                let room = try await client.join("room:a")
                _ = try await client.send(Say(text: "hello"))
                _ = try await room.send(Say(text: "hello"))
                _ = try await client.send(Refresh())
                try await room.leave()
            }
            await world.wait { watcher.lines.contains { $0.hasPrefix("closed") } }
        }
        #expect(
            watcher.lines == [
                "opened json.numbered swift-net.json.v1 known", "joined room:a", "command say - pool serial success -",
                "command say room:a pool serial success -", "command refresh - immediate success -", "left room:a",
                "closed 1001", "drain began 0", "drain ended 0",
            ])
        #expect(watcher.activities.map(\.sequence) == Array(1...9))
        #expect(Set(watcher.activities.map(\.server)).count == 1)
        #expect(Set(watcher.activities.prefix(7).map(\.connection)).count == 1)
        #expect(watcher.activities.map(\.path) == Array(repeating: "/socket", count: 7) + [nil, nil])
    }

    @Test func `A command ends with its outcome, and a name that has no route isn't told`() async throws {
        var router = SocketRouter<User>()
        let begun = Locked(0)
        router.on(Say.self, executor: .loop) { say, _ in
            switch say.text {
            case "closed": throw SocketFailure("closed", "the shop is closed")
            case "odd": throw Odd()
            case "late":
                begun.change { $0 += 1 }
                let gate = Gate()
                await withTaskCancellationHandler {
                    await gate.wait()
                } onCancel: {
                    gate.open()
                }
                try Task.checkCancellation()
            default: break
            }
            return .init(text: "")
        }
        let watcher = Watcher()
        let metrics = SocketServerMetrics()
        try await watch(router, watcher) {
            $0.metrics = metrics
        } body: { world in
            let client = world.client { $0.requestTimeout = .seconds(600) }
            try await client.withConnection { client in
                for text in ["fine", "closed", "odd"] { _ = try? await client.send(Say(text: text)) }
                _ = try? await client.send("say", payload: SocketPayload(json: "7"))
                _ = try? await client.send("PLANTED", payload: nil)
                async let late = rejection { _ = try await client.send(Say(text: "late")) }
                await world.advance(by: .seconds(1)) { watcher.commands.count == 6 }
                #expect(await late?.code == "timeout")
                try await client.post(Say(text: "late"))
                // A command whose handler hasn't begun when the client goes isn't reported.
                await world.wait { begun.value == 2 }
            }
            await world.wait { watcher.commands.count == 7 }
        }
        #expect(
            watcher.commands == [
                "command say - loop serial success -", "command say - loop serial rejected closed",
                "command say - loop serial failed internal_error",
                "command say - loop serial unreadable invalid_payload",
                "command _OTHER - pool serial unknown unknown_command", "command say - loop serial timeout timeout",
                "command say - loop serial cancelled cancelled",
            ])
        for outcome in SocketServerMetrics.Outcome.allCases { #expect(metrics.commands(outcome) == 1, "\(outcome)") }
    }

    @Test func `A command takes as long as its handler`() async throws {
        var router = SocketRouter<User>()
        let (started, gate) = (Gate(), Gate())
        router.on(Say.self) { _, _ in
            started.open()
            await gate.wait()
            return .init(text: "")
        }
        let watcher = Watcher()
        try await watch(router, watcher) { world in
            try await world.client().withConnection { client in
                async let reply = client.send(Say(text: ""))
                await started.wait()
                await world.clock.advance(by: .seconds(3))
                gate.open()
                _ = try await reply
            }
        }
        let commands = watcher.activities.compactMap { activity in
            if case .command(let command) = activity.kind { command } else { nil }
        }
        #expect(commands.map(\.duration) == [.seconds(3)])
        #expect(commands.map(\.wantsReply) == [true])
    }

    @Test func `A refused handshake is told with its reason and status`() async throws {
        let watcher = Watcher()
        try await watch(SocketRouter<User>(), watcher) { world in
            let socket = try await world.socket("eve")
            await expectClosure(4401) { _ = try await socket.receive() }
        }
        #expect(watcher.lines.first == "refused unauthorized 403")
        #expect(watcher.activities.first?.connection == nil)
        #expect(watcher.activities.first?.path == nil)
    }

    @Test func `Refused joins are reported by the channel's pattern`() async throws {
        var router = SocketRouter<User>()
        router.channel("room:*") { _ in throw SocketFailure("forbidden", "PLANTED") }
        let watcher = Watcher()
        try await watch(router, watcher) { world in
            try await world.client().withConnection { client in
                _ = try? await client.join("room:PLANTED")
                _ = try? await client.join("PLANTED")
            }
        }
        #expect(
            watcher.lines.filter { $0.hasPrefix("not") } == [
                "not joined room:* forbidden", "not joined - unknown_channel",
            ])
    }

    @Test func `Credentials in a message are told without them`() async throws {
        var router = SocketRouter<User>()
        router.onCredentials { _ in SocketIdentity(User(name: "ada"), user: "ada") }
        let watcher = Watcher()
        try await watch(router, watcher, byCredentials: true) { world in
            let socket = try await world.socket()
            try await socket.send(#"{"event":"authenticate","requestId":"1","payload":{"token":"PLANTED"}}"#)
            _ = try await socket.receive()
            await socket.close()
            await world.wait { watcher.lines.count >= 3 }
        }
        #expect(
            watcher.lines.prefix(3) == ["opened json.numbered - unknown", "authenticated", "closed 1001"])
    }

    @Test func `A subscription begins and ends`() async throws {
        var router = SocketRouter<User>()
        router.onSubscription { operation, events in
            try await events.send(SocketPayload(json: "{\"data\":1}"))
            if operation.json?.contains("fail") == true { throw SocketFailure("over", "PLANTED") }
        }
        let watcher = Watcher()
        try await watch(router, watcher) {
            $0.wires = ["*": .graphQLTransport]
        } body: { world in
            let socket = try await world.socket()
            try await socket.send(#"{"type":"connection_init"}"#)
            try await socket.send(#"{"id":"1","type":"subscribe","payload":{"query":"subscription { a }"}}"#)
            await world.wait { watcher.lines.contains("unsubscribed -") }
            try await socket.send(#"{"id":"2","type":"subscribe","payload":{"query":"subscription { fail }"}}"#)
            await world.wait { watcher.lines.contains("unsubscribed over") }
        }
        #expect(
            watcher.lines.filter { $0.contains("subscribed") } == [
                "subscribed", "unsubscribed -", "subscribed", "unsubscribed over",
            ])
        let numbers = watcher.activities.compactMap { activity -> UInt64? in
            switch activity.kind {
            case .subscribed(let number), .unsubscribed(let number, _): number
            default: nil
            }
        }
        try #require(numbers.count == 4)
        #expect(numbers[0] == numbers[1])
        #expect(numbers[2] == numbers[3])
        #expect(numbers[0] != numbers[2])
    }

    @Test func `Messages of a wire without names are commands`() async throws {
        var router = SocketRouter<User>()
        router.onMessageImmediately { message, connection in
            if message.text == "odd" { throw Odd() }
            connection.post(message)
        }
        let watcher = Watcher()
        try await watch(router, watcher) {
            $0.wires = ["*": .raw]
        } body: { world in
            let socket = try await world.socket()
            try await socket.send("hello")
            let answer = try await socket.receive()
            #expect(answer.text == "hello")
            try await socket.send("odd")
            await expectClosure(1011) { _ = try await socket.receive() }
        }
        #expect(
            watcher.commands == [
                "command message - immediate success -", "command message - immediate failed internal_error",
            ])
    }

    @Test func `Pushes that a slow client doesn't get are told`() async throws {
        let watcher = Watcher()
        try await watch(SocketRouter<User>(), watcher) { world in
            let socket = try await world.socket()
            await world.wait { world.server.core.connections.count == 1 }
            for connection in world.server.core.connections.all { world.server.core.dropped(3, connection) }
            await socket.close()
        }
        #expect(watcher.lines.contains("dropped 3 slow"))
    }

    @Test func `A draining that cuts nobody off is told with its connections`() async throws {
        // The draining ends when no connection is left, so the end of the last one is reported while it is still counted.
        let counted = Locked<[Int]>([])
        let server = Locked<SocketServer<User>?>(nil)
        let watcher = Watcher { counted.change { $0.append(server.value?.core.connections.count ?? -1) } }
        try await watch(SocketRouter<User>(), watcher) { world in
            server.change { $0 = world.server }
            let socket = try await world.socket()
            // The reply comes after its opening was reported.
            try await socket.send(.text(RawFrame.say("hello")))
            _ = try await socket.receive()
            world.server.stop()
            await expectClosure(1001) { _ = try await socket.receive() }
        }
        #expect(watcher.lines.suffix(3) == ["drain began 1", "closed 1001", "drain ended 0"])
        #expect(counted.value == [1])
    }

    @Test func `Nobody who doesn't ask is told, and no clock is read for it`() async throws {
        let dates = Locked(0)
        func counting(_ configuration: inout SocketServerConfiguration) {
            let clock = configuration.clock
            configuration.clock = NetClock(
                now: { clock.now() },
                date: {
                    dates.change { $0 += 1 }
                    return clock.date()
                }, sleep: { try await clock.sleep(for: $0) })
        }
        var router = SocketRouter<User>()
        router.on(Say.self) { say, _ in .init(text: say.text) }
        let watcher = Watcher(.calls)
        try await watch(router, watcher, counting) { world in
            #expect(world.server.core.observer == nil)
            try await world.client().withConnection { client in
                _ = try await client.send(Say(text: ""))
                #expect(world.server.core.connections.all.first?.recorder == nil)
                let before = dates.value
                for _ in 1...10 { _ = try await client.send(Say(text: "")) }
                #expect(dates.value == before)
            }
        }
        #expect(watcher.activities.isEmpty)
        #expect(watcher.sockets.isEmpty)
    }
}
#endif
