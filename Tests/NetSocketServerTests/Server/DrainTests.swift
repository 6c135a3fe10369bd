#if Server
import NetCore
import NetSocket
@testable import NetSocketServer
import NetTesting
import TestSupport
import Testing

@Suite struct DrainTests {
    @Test func `Running commands end before the server does, and their replies arrive`() async throws {
        var router = SocketRouter<User>()
        let gate = Gate()
        let started = Gate()
        router.on(Say.self) { say, _ in
            started.open()
            await gate.wait()
            return .init(text: say.text)
        }
        try await ServerWorld.run(router) { world in
            let client = world.client()
            try await client.withConnection { client in
                async let reply = client.send(Say(text: "accepted"))
                await started.wait()
                world.server.stop()
                await world.wait { world.server.core.phase == .draining }
                let refused = try await world.socket()
                await expectClosure(1013) { _ = try await refused.receive() }
                gate.open()
                let text = try await reply.text
                #expect(text == "accepted")
            }
        }
    }

    @Test func `Clients are told to come back, spread over a while`() async throws {
        let router = SocketRouter<User>()
        try await ServerWorld.run(router) {
            $0.reconnectSpread = .seconds(20)
        } body: { world in
            var sockets: [WebSocketConnection] = []
            for _ in 1...20 { sockets.append(try await world.socket()) }
            await world.wait { world.server.core.connections.count == 20 }
            world.server.stop()
            var waits: [Duration] = []
            for socket in sockets {
                do { _ = try await socket.receive() } catch {
                    let closure = (error as? NetError)?.closure
                    #expect(closure?.code == .goingAway)
                    waits.append(RetryAfterReason.wait(in: closure?.reason ?? "") ?? .zero)
                }
            }
            // One in each part of the period, rounded to milliseconds.
            #expect(waits.count == 20)
            for (index, wait) in waits.map(\.inSeconds).sorted().enumerated() {
                #expect(wait >= Double(index) - 0.001, "\(waits)")
                #expect(wait <= Double(index) + 1.001, "\(waits)")
            }
        }
    }

    @Test func `A command that doesn't end is cancelled at the deadline`() async throws {
        var router = SocketRouter<User>()
        let started = Gate()
        let cancelled = Gate()
        router.on(Say.self) { _, _ in
            started.open()
            await withTaskCancellationHandler {
                await cancelled.wait()
            } onCancel: {
                cancelled.open()
            }
            return .init(text: "")
        }
        try await ServerWorld.run(router) {
            $0.commandTimeout = nil
        } body: { world in
            let socket = try await world.socket()
            try await socket.send(#"{"event":"say","requestId":"1","payload":{"text":""}}"#)
            await started.wait()
            world.server.stop()
            await world.advance(by: .seconds(1)) { world.server.core.connections.count == 0 }
            await cancelled.wait()
        }
    }
}
#endif
