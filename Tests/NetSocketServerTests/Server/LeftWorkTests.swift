#if Server
import NetCore
import NetSocket
@testable import NetSocketServer
import NetTesting
import Synchronization
import TestSupport
import Testing

/// The end of a server whose handlers, or the closures that authenticate its clients, ignore their cancellation.
@Suite(.timeLimit(.minutes(1))) struct LeftWorkTests {
    /// A server whose work waits for `gate`, whatever happens.
    private struct Stuck: Sendable {
        let gate = Gate()
        let started = Gate()
        let asked = Gate()
        let finished = Gate()

        var router: SocketRouter<User> {
            var router = PortWorld.router()
            router.on(Refresh.self) { _, _ in
                started.open()
                await gate.wait()
                finished.open()
                return NoResponse()
            }
            return router
        }

        @Sendable func identify(_ handshake: SocketHandshake) async throws -> SocketIdentity<User>? {
            if handshake.query["user"] == "slow" {
                asked.open()
                await gate.wait()
            }
            return try await PortWorld.byName(handshake)
        }

        /// Starts a command and a handshake that don't end.
        func begin(_ world: PortWorld) async throws -> [RawPeer] {
            var behavior = RawPeer.Behavior()
            behavior.answersClose = true
            let peer = try await RawPeer.open(to: world.port, behavior)
            try await peer.send(text: #"{"event":"refresh","requestId":"1","payload":{}}"#)
            await started.wait()
            let slow = try await RawPeer.connect(to: world.port)
            try await slow.send(RawPeer.handshake("/login?user=slow"))
            await asked.wait()
            return [peer, slow]
        }
    }

    private static let line = "warning the server ended before work that ignores its cancellation"

    @Test func `The server ends at the drain timeout without handlers that ignore their cancellation`() async throws {
        let stuck = Stuck()
        let clock = TestClock()
        let seen = Locked<(core: SocketServerCore?, log: Locked<[String]>)>((nil, Locked([])))
        try await PortWorld.run(stuck.router) {
            $0.clock = clock.netClock
            $0.commandTimeout = nil
        } identify: { handshake in
            try await stuck.identify(handshake)
        } body: { world in
            seen.change { $0 = (world.core, world.log) }
            let peers = try await stuck.begin(world)
            world.server.stop()
            // The handshake gets its response immediately; the command has the whole time.
            await peers[1].wait { peers[1].isClosed }
            #expect(peers[1].text.hasPrefix("HTTP/1.1 503 "))
            #expect(world.core.connections.count == 1)
            while !world.log.value.contains(where: { $0.hasPrefix(Self.line) }), !Task.isCancelled {
                await clock.advance(by: .milliseconds(100))
                await Task.yield()
            }
            #expect(peers[0].closeCode == 1001)
        }
        // `run()` has returned.
        let core = try #require(seen.value.core)
        let line = try #require(seen.value.log.value.first { $0.hasPrefix(Self.line) })
        #expect(line.contains("1 of /socket"), "\(line)")
        #expect(line.contains("1 of /login"), "\(line)")
        #expect(core.tasks.count == 2)
        // They can still end, on their event loop.
        stuck.gate.open()
        await stuck.finished.wait()
        while core.tasks.count > 0 { await Task.yield() }
        #expect(core.authentications.count == 0)
        #expect(core.admissions.withLock { $0.count } == 0)
    }

    @Test func `In real time, too, and work that ends in time isn't logged`() async throws {
        let stuck = Stuck()
        let log = Locked<Locked<[String]>>(Locked([]))
        try await PortWorld.run(stuck.router) {
            $0.drainTimeout = .milliseconds(100)
        } identify: { handshake in
            try await stuck.identify(handshake)
        } body: { world in
            log.change { $0 = world.log }
            _ = try await stuck.begin(world)
        }
        // `run()` has returned, and nothing has opened the gate.
        #expect(log.value.value.contains { $0.hasPrefix(Self.line) })
        stuck.gate.open()
        await stuck.finished.wait()

        try await PortWorld.run(stuck.router) { world in
            log.change { $0 = world.log }
            try await world.expectAnswer()
        }
        #expect(!log.value.value.contains { $0.hasPrefix(Self.line) })
    }

    @Test func `A closure that reacts to its cancellation doesn't delay the end`() async throws {
        let clock = TestClock()
        let cancelled = Gate()
        try await PortWorld.run {
            $0.clock = clock.netClock
        } identify: { _ in
            await withTaskCancellationHandler {
                await cancelled.wait()
            } onCancel: {
                cancelled.open()
            }
            return nil
        } body: { world in
            let slow = try await RawPeer.connect(to: world.port)
            try await slow.send(RawPeer.handshake())
            await world.wait { world.core.authentications.count == 1 }
            world.server.stop()
            // Only the server's check of its limits waits for the clock.
            await world.wait { world.core.phase == .over }
            await clock.advance(by: .seconds(1))
        }
        #expect(clock.now < .seconds(2))
    }
}
#endif
