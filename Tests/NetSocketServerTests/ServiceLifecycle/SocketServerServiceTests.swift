#if Server && ServiceLifecycle
import NetCore
import NetSocket
@testable import NetSocketServer
import NetTesting
import ServiceLifecycle
import ServiceLifecycleTestKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SocketServerServiceTests {
    @Test func `A graceful shutdown lets commands end, and then closes the connections`() async throws {
        let (started, gate) = (Gate(), Gate())
        var router = SocketRouter<Void>()
        router.on(Say.self) { say, _ in
            started.open()
            await gate.wait()
            return .init(text: say.text)
        }
        var configuration = SocketServerConfiguration()
        configuration.reconnectSpread = .zero
        let server = SocketServer(router: router, configuration: configuration)
        try await testGracefulShutdown { trigger in
            try await withThrowingTaskGroup { group in
                let service: any Service = server
                group.addTask { try await service.run() }
                let socket = try await WebSocketClient().connect("\(server.address.url)/socket")
                try await socket.send(#"{"event":"say","requestId":"1","payload":{"text":"late"}}"#)
                await started.wait()
                trigger.triggerGracefulShutdown()
                while server.core.phase == .running, !Task.isCancelled { await Task.yield() }
                gate.open()
                let reply = try await socket.receive()
                #expect(reply.text?.contains("late") == true)
                await expectClosure(1001) { _ = try await socket.receive() }
                try await group.waitForAll()
            }
        }
        #expect(server.core.phase == .over)
    }

    @Test func `A server that is mounted elsewhere drains as well`() async throws {
        let server = SocketServer(router: SocketRouter<Void>())
        try await testGracefulShutdown { trigger in
            try await withThrowingTaskGroup { group in
                group.addTask { try await server.serve() }
                try await server.ready()
                trigger.triggerGracefulShutdown()
                try await group.waitForAll()
            }
        }
        #expect(server.core.phase == .over)
    }
}
#endif
