#if Server
import NetCore
import NetSocket
@testable import NetSocketServer
import NetTesting
import TestSupport
import Testing

@Suite struct LivenessTests {
    @Test func `A silent client is asked, and closed when it doesn't answer`() async throws {
        var faults = WebSocketFaults()
        faults.toClient.pause = .zero
        let code = try CloseFrameCode(4000)
        try await ServerWorld.run(SocketRouter<User>()) {
            $0.silenceCode = code
        } body: { world in
            let socket = try await world.socket()
            await world.wait { world.server.core.connections.count == 1 }
            // A live client responds on its own.
            for _ in 1...120 {
                await world.clock.advance(by: .seconds(1))
                for _ in 1...5 { await Task.yield() }
            }
            #expect(world.server.core.connections.count == 1)
            await socket.close()
        }
    }
}
#endif
