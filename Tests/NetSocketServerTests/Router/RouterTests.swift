#if Server
import NetCore
import NetSocket
import NetSocketServer
import NetTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct RouterTests {
    @Test func `A command gets the reply of its handler, with its principal`() async throws {
        var router = SocketRouter<User>()
        router.on(Say.self) { say, context in .init(text: "\(context.principal.name): \(say.text)") }
        try await ServerWorld.run(router) { world in
            try await world.client().withConnection { client in
                let reply = try await client.send(Say(text: "hello"))
                #expect(reply.text == "ada: hello")
            }
        }
    }

    @Test func `A handler without a payload takes any`() async throws {
        var router = SocketRouter<User>()
        let count = Locked(0)
        router.on(Refresh.self) { _ in
            count.change { $0 += 1 }
            return .init()
        }
        try await ServerWorld.run(router) { world in
            try await world.client().withConnection { client in _ = try await client.send(Refresh()) }
        }
        #expect(count.value == 1)
    }

    @Test func `The last handler of a name wins, and one that was removed answers no more`() async throws {
        var router = SocketRouter<User>()
        router.on(Say.self) { _, _ in .init(text: "first") }
        router.on(Say.self) { _, _ in .init(text: "last") }
        router.on(Refresh.self) { _ in .init() }
        router.off("refresh")
        #expect(router.events == ["say"])
        try await ServerWorld.run(router) { world in
            try await world.client().withConnection { client in
                let reply = try await client.send(Say(text: ""))
                #expect(reply.text == "last")
                await expectRejection("unknown_command") { _ = try await client.send(Refresh()) }
            }
        }
    }

    @Test func `Events without a handler go to the handler for any name`() async throws {
        var router = SocketRouter<User>()
        router.onAny { request, _ in SocketPayload(json: "{\"text\":\"\(request.event)\"}") }
        try await ServerWorld.run(router) { world in
            try await world.client().withConnection { client in
                let reply = try await client.send(Say(text: ""))
                #expect(reply.text == "say")
            }
        }
    }

    @Test func `A payload that can't be decoded is refused without its text`() async throws {
        var router = SocketRouter<User>()
        router.on(Say.self) { _, _ in .init(text: "") }
        try await ServerWorld.run(router) { world in
            try await world.client().withConnection { client in
                let failure = await rejection {
                    _ = try await client.send("say", payload: SocketPayload(json: "{\"text\":7}"))
                }
                #expect(failure?.code == "invalid_payload")
                #expect(failure?.message.contains("7") == false)
            }
        }
    }

    @Test func `A failure reaches the client in words, and any other error as a reference that the log has`()
        async throws
    {
        struct Secret: Error { var token = "hunter2" }
        var router = SocketRouter<User>()
        router.on(Say.self) { say, _ in
            if say.text == "words" { throw SocketFailure("closed", "the shop is closed") }
            throw Secret()
        }
        try await ServerWorld.run(router) { world in
            try await world.client().withConnection { client in
                let words = await rejection { _ = try await client.send(Say(text: "words")) }
                #expect(words == SocketFailure("closed", "the shop is closed"))
                let other = await rejection { _ = try await client.send(Say(text: "")) }
                #expect(other?.code == "internal_error")
                let reference = other?.message.split(separator: " ").last.map(String.init) ?? "none"
                let lines = world.log.value
                #expect(lines.contains { $0.contains(reference) })
                #expect(!lines.contains { $0.contains("hunter2") })
                #expect(other?.message.contains("hunter2") == false)
            }
        }
    }

    @Test func `A check before every command refuses it`() async throws {
        var router = SocketRouter<User>()
        router.on(Say.self) { _, _ in .init(text: "done") }
        router.on(Refresh.self) { _ in .init() }
        router.authorize { request, _ in
            if request.event == "refresh" { throw SocketFailure("forbidden") }
        }
        try await ServerWorld.run(router) { world in
            try await world.client().withConnection { client in
                let reply = try await client.send(Say(text: ""))
                #expect(reply.text == "done")
                await expectRejection("forbidden") { _ = try await client.send(Refresh()) }
            }
        }
    }

    @Test(arguments: [SocketExecutor.pool, .loop])
    func `Serial commands of a connection run one after another`(executor: SocketExecutor) async throws {
        var router = SocketRouter<User>()
        let log = Locked<[String]>([])
        router.on(Say.self, executor: executor) { say, _ in
            log.change { $0.append("begin \(say.text)") }
            await Task.yield()
            log.change { $0.append("end \(say.text)") }
            return .init(text: "")
        }
        try await ServerWorld.run(router) { world in
            try await world.client().withConnection { client in
                for number in 1...5 { try await client.post(Say(text: "\(number)")) }
                _ = try await client.send(Say(text: "6"))
            }
        }
        #expect(log.value == (1...6).flatMap { ["begin \($0)", "end \($0)"] })
    }

    @Test func `A concurrent command overtakes a serial one`() async throws {
        var router = SocketRouter<User>()
        let gate = Gate()
        router.on(Say.self) { _, _ in
            await gate.wait()
            return .init(text: "slow")
        }
        router.on(Refresh.self, order: .concurrent) { _ in .init() }
        try await ServerWorld.run(router) { world in
            try await world.client().withConnection { client in
                async let slow = client.send(Say(text: ""))
                _ = try await client.send(Refresh())
                gate.open()
                let reply = try await slow
                #expect(reply.text == "slow")
            }
        }
    }

    @Test func `A handler is cancelled when its client goes, and when its time is over`() async throws {
        var router = SocketRouter<User>()
        let (begun, cancelled) = (Locked<[String]>([]), Locked<[String]>([]))
        router.on(Say.self, order: .concurrent) { say, context in
            begun.change { $0.append(say.text) }
            let gate = Gate()
            await withTaskCancellationHandler {
                await gate.wait()
            } onCancel: {
                cancelled.change { $0.append(say.text) }
                gate.open()
            }
            #expect(context.deadline != nil)
            return .init(text: "")
        }
        try await ServerWorld.run(router) { world in
            let client = world.client { $0.requestTimeout = .seconds(600) }
            try await client.withConnection { client in
                async let late = rejection { _ = try await client.send(Say(text: "late")) }
                await world.advance(by: .seconds(1)) { !cancelled.value.isEmpty }
                #expect(await late?.code == "timeout")
                try await client.post(Say(text: "gone"))
                // A handler that hasn't begun when its client goes isn't started.
                await world.wait { begun.value.contains("gone") }
            }
            await world.advance { cancelled.value.contains("gone") }
        }
    }

    @Test func `A command that is answered immediately needs no task`() async throws {
        var router = SocketRouter<User>()
        router.onImmediately(Say.self) { say, _ in .init(text: say.text) }
        try await ServerWorld.run(router) { world in
            try await world.client().withConnection { client in
                let reply = try await client.send(Say(text: "now"))
                #expect(reply.text == "now")
            }
        }
    }
}

/// Returns the failure with which a command was rejected; nil if it wasn't.
func rejection(_ body: () async throws -> Void) async -> SocketFailure? {
    do {
        try await body()
        return nil
    } catch SocketCommandError.rejected(let failure) {
        return failure
    } catch {
        Issue.record("not refused: \(error)")
        return nil
    }
}

func expectRejection(_ code: String, _ body: () async throws -> Void) async {
    #expect(await rejection(body)?.code == code)
}
#endif
