#if Server
import NetCore
import NetSocket
@testable import NetSocketServer
import NetTesting
import Synchronization
import TestSupport
import Testing

/// Closures that authenticate clients and take long, or don't return.
@Suite struct AuthenticationTests {
    @Test func `No more closures run than there are pending handshakes, and others get 503`() async throws {
        let gate = Gate()
        let running = Locked((now: 0, most: 0))
        try await PortWorld.run {
            $0.limits.pendingHandshakes = 10
            $0.limits.handshakeTime = .seconds(600)
        } identify: { handshake in
            running.change { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            await gate.wait()
            running.change { $0.now -= 1 }
            return try await PortWorld.byName(handshake)
        } body: { world in
            var peers: [RawPeer] = []
            for _ in 1...10 {
                let peer = try await RawPeer.connect(to: world.port)
                try await peer.send(RawPeer.handshake())
                peers.append(peer)
            }
            await world.wait { running.value.now == 10 }
            var statuses: [Substring: Int] = [:]
            for _ in 1...99 {
                try await withThrowingTaskGroup { group in
                    for _ in 1...10 { group.addTask { try await exchange(RawPeer.handshake(), with: world.port) } }
                    for try await text in group { statuses[text.prefix(12), default: 0] += 1 }
                }
            }
            #expect(statuses == ["HTTP/1.1 503": 990])
            #expect(running.value.most == 10)
            #expect(world.core.authentications.count == 10)
            // And the task of the handlers.
            #expect(world.core.tasks.count == 11)
            #expect(world.metrics.refusedConnections(.connections) == 990)
            gate.open()
            for peer in peers {
                await peer.wait { peer.text.hasPrefix("HTTP/1.1 101 ") || peer.isClosed }
                #expect(!peer.isClosed)
                peer.end()
            }
            try await world.expectAnswer()
            await world.wait { world.core.tasks.count == 1 }
            #expect(world.core.authentications.count == 0)
        }
    }

    @Test func `At the time limit of the handshake, the closure is cancelled`() async throws {
        let hasStarted = Locked(false)
        let cancelled = Gate()
        try await PortWorld.run {
            $0.limits.handshakeTime = .milliseconds(100)
        } identify: { _ in
            await withTaskCancellationHandler {
                hasStarted.change { $0 = true }
                await cancelled.wait()
            } onCancel: {
                cancelled.open()
            }
            return nil
        } body: { world in
            // On a busy machine, the time may be over before the handshake is read.
            while !hasStarted.value {
                let text = try await exchange(RawPeer.handshake(), with: world.port)
                #expect(text == "")
            }
            await cancelled.wait()
            await world.wait { world.core.authentications.count == 0 }
        }
    }

    @Test func `A client that goes away cancels the closure that authenticates it`() async throws {
        let started = Gate()
        let cancelled = Gate()
        try await PortWorld.run { _ in
        } identify: { _ in
            await withTaskCancellationHandler {
                started.open()
                await cancelled.wait()
            } onCancel: {
                cancelled.open()
            }
            return nil
        } body: { world in
            let peer = try await RawPeer.connect(to: world.port, resets: true)
            try await peer.send(RawPeer.handshake())
            await started.wait()
            peer.end()
            await cancelled.wait()
        }
    }

    @Test func `A closure that ignores its cancellation keeps its place until it returns`() async throws {
        let hasStarted = Locked(false)
        let gate = Gate()
        try await PortWorld.run {
            $0.limits.pendingHandshakes = 1
            $0.limits.handshakeTime = .milliseconds(100)
        } identify: { handshake in
            if handshake.query["user"] == "slow" {
                hasStarted.change { $0 = true }
                await gate.wait()
            }
            return try await PortWorld.byName(handshake)
        } body: { world in
            // On a busy machine, the time may be over before a handshake is read.
            while !hasStarted.value {
                let text = try await exchange(RawPeer.handshake("/socket?user=slow"), with: world.port)
                #expect(text == "")
            }
            var refused = ""
            while refused.isEmpty { refused = try await exchange(RawPeer.handshake(), with: world.port) }
            #expect(refused.hasPrefix("HTTP/1.1 503 "))
            #expect(refused.contains("\r\nRetry-After: 5\r\n"))
            gate.open()
            await world.wait { world.core.authentications.count == 0 }
            // Its connection has ended, and doesn't count any more.
            #expect(world.core.admissions.withLock { $0.count } == 0)
            var accepted = ""
            while accepted.isEmpty {
                accepted = try await exchange(
                    Array(RawPeer.handshake()), with: world.port, until: "\r\n\r\n")
            }
            #expect(accepted.hasPrefix("HTTP/1.1 101 "))
        }
    }

    @Test func `Over a link, a client whose authentication takes too long is refused for now`() async throws {
        let started = Gate()
        let gate = Gate()
        try await ServerWorld.run(SocketRouter<User>()) {
            $0.limits.pendingHandshakes = 1
        } beforeAuthentication: {
            started.open()
            await gate.wait()
        } body: { world in
            let slow = try await world.socket()
            await started.wait()
            // There is no other place.
            let other = try await world.socket()
            await expectClosure(1013) { _ = try await other.receive() }
            #expect(world.clock.now < .seconds(10))
            await world.clock.advance(by: .seconds(11))
            await expectClosure(1013) { _ = try await slow.receive() }
            #expect(world.server.core.authentications.count == 1)
            gate.open()
            await world.wait { world.server.core.authentications.count == 0 }
            let socket = try await world.socket()
            await world.wait { world.server.connections.count == 1 }
            await socket.close()
        }
    }

    @Test func `The closure sees the task-local values of the program`() async throws {
        try await Self.$name.withValue("program") {
            try await PortWorld.run { _ in
            } identify: { handshake in
                Self.name == "program" ? try await PortWorld.byName(handshake) : nil
            } body: { world in
                try await world.expectAnswer()
            }
        }
    }

    @TaskLocal private static var name = ""
}
#endif
