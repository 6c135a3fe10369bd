#if Server
import NIOCore
import NetCore
import NetSocket
@testable import NetSocketServer
import NetSocketCore
import Synchronization
import TestSupport
import Testing

/// Clients that flood, stall or break off, on real sockets: the memory of the server for them is bounded, and others
/// are served.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct HostilePeerTests {
    @Test func `Pings that nobody reads the answers of take no memory, and the last one is answered`() async throws {
        try await PortWorld.run { world in
            let peer = try await world.open(buffer: 4096)
            try await peer.sleep()
            let ping = RawFrame.ping([UInt8](repeating: 7, count: 125))
            let many = Array(repeatElement(ping, count: 500).joined())
            for _ in 0..<120 { try await peer.send(many) }
            try await peer.send(RawFrame.ping([1, 2, 3]))
            try await world.expectAnswer()
            let connection = try #require(world.connection(of: "ada"))
            let channel = await world.look(at: connection) { ($0.outlet as? SocketChannelHandler)?.context?.channel }
            let waiting = try await #require(channel).getOption(.bufferedWritableBytes).get()
            #expect(waiting < 256 << 10)
            try await peer.wake()
            await peer.wait { peer.lastPong == [1, 2, 3] }
            #expect(peer.pongCount < 60_001)
            peer.end()
        }
    }

    @Test func `Messages that inflate are not decoded before their turn`() async throws {
        var router = SocketRouter<User>()
        let gate = Gate()
        router.on(Say.self) { say, _ in
            await gate.wait()
            return .init(text: "\(say.text.utf8.count)")
        }
        router.on("hello") { _, _ in SocketPayload(json: "\"hello\"") }
        try await PortWorld.run(router) {
            $0.compression = .withoutContext
        } body: { world in
            let offer =
                "Sec-WebSocket-Extensions: permessage-deflate; client_no_context_takeover; server_no_context_takeover"
            let peer = try await world.open(headers: [offer])
            let size = 900_000
            let bomb = RawFrame.compressed(RawFrame.say(String(repeating: "0", count: size)))
            #expect(bomb.count < 5000)
            try await peer.send(Array(repeatElement(bomb, count: 60).joined()))
            let quiet = try await world.open("quiet")
            try await quiet.send(text: #"{"event":"hello","requestId":"1","payload":{}}"#)
            await quiet.wait(for: "hello")
            let connection = try #require(world.connection(of: "ada"))
            await world.wait { await world.look(at: connection) { !$0.machine.running.isEmpty } }
            let kept = await world.look(at: connection) { connection in
                let backlog = (connection.outlet as? SocketChannelHandler)?.backlog.count ?? 0
                return connection.machine.running.count + connection.machine.waiting.count + backlog
            }
            #expect(kept <= 4)
            gate.open()
            await peer.wait { peer.messageCount == 60 }
            #expect(peer.texts.allSatisfy { $0.contains("\(size)") })
            peer.end()
            quiet.end()
        }
    }

    @Test func `A message that inflates beyond the limit ends the connection with 1009`() async throws {
        try await PortWorld.run(PortWorld.router()) {
            $0.compression = .withoutContext
            $0.limits.messageBytes = 100_000
        } body: { world in
            let peer = try await world.open(headers: ["Sec-WebSocket-Extensions: permessage-deflate"])
            try await peer.send(RawFrame.compressed(String(repeating: "0", count: 50_000_000)))
            await peer.wait { peer.isClosed }
            #expect(peer.closeCode == 1009)
            await world.wait { world.server.connections.isEmpty }
            #expect(world.log.value.contains { $0.contains("1009") && $0.contains("violated") })
        }
    }

    @Test func `Ten thousand commands whose replies nobody reads wait in the client's own kernel`() async throws {
        var router = SocketRouter<User>()
        let filler = String(repeating: "x", count: 2000)
        router.onImmediately(Say.self) { say, _ in .init(text: say.text + filler) }
        try await PortWorld.run(router) {
            $0.maximumOutboxBytes = 64 << 10
        } body: { world in
            let peer = try await world.open(buffer: 4096)
            try await peer.sleep()
            for number in 1...100 {
                peer.push((1...100).flatMap { RawFrame.text(RawFrame.say("\(number)-\($0).", id: number * 100 + $0)) })
            }
            await world.wait { world.connection(of: "ada") != nil }
            let connection = try #require(world.connection(of: "ada"))
            await world.wait { await world.look(at: connection) { $0.isOutboxFull } }
            try await world.expectAnswer()
            #expect(world.metrics.outboxBytes < 512 << 10)
            try await peer.wake()
            await peer.wait { peer.messageCount == 10_000 }
            #expect(peer.texts.last?.contains("100-100.") == true)
            await world.wait { world.metrics.outboxBytes == 0 }
            peer.end()
        }
    }

    @Test func `Fragments of one byte are a message`() async throws {
        try await PortWorld.run { world in
            let peer = try await world.open()
            try await peer.send(RawFrame.fragments(RawFrame.say("in small pieces")))
            await peer.wait(for: "in small pieces")
            #expect(peer.texts.count == 1)
            peer.end()
        }
    }

    @Test func `Empty fragments without end are more bytes than allowed`() async throws {
        try await PortWorld.run(PortWorld.router()) {
            $0.limits.messageBytes = 10_000
            $0.limits.bytes = SocketRateLimit(perSecond: 1, burst: 100_000)
            $0.limits.excess = .close
        } body: { world in
            let peer = try await world.open()
            peer.push(RawFrame.frame(0x01, []))
            let many = Array(repeatElement(RawFrame.frame(0x00, []), count: 1000).joined())
            for _ in 0..<40 { peer.push(many) }
            try await world.expectAnswer()
            await peer.wait { peer.isClosed || peer.closeCode != nil }
            #expect(peer.closeCode == 1008)
            peer.end()
        }
    }

    @Test func `Pings without end come faster than allowed`() async throws {
        try await PortWorld.run(PortWorld.router()) {
            $0.limits.messages = SocketRateLimit(perSecond: 0.001, burst: 100)
            $0.limits.excess = .close
        } body: { world in
            let peer = try await world.open()
            try await peer.send(Array(repeatElement(RawFrame.ping(), count: 200).joined()))
            await peer.wait { peer.closeCode != nil || peer.isClosed }
            #expect(peer.closeCode == 1008)
            #expect(peer.pongs.count <= 100)
            peer.end()
        }
    }

    @Test func `Connections that say nothing make room for those that do`() async throws {
        try await PortWorld.run(PortWorld.router()) {
            $0.limits.pendingHandshakes = 5
        } body: { world in
            var silent: [RawPeer] = []
            for _ in 0..<40 { silent.append(try await .connect(to: world.port)) }
            await world.wait { silent.count { $0.isClosed } >= 35 }
            #expect(world.core.pending.count <= 5)
            try await world.expectAnswer()
            #expect(world.metrics.refusedConnections(.timeout) >= 35)
            #expect(world.log.value.contains { $0.contains("have not sent a request") })
            for peer in silent { peer.end() }
        }
    }

    @Test func `A head that comes byte by byte and never ends is dropped`() async throws {
        try await PortWorld.run(PortWorld.router()) {
            $0.limits.handshakeTime = .milliseconds(100)
        } body: { world in
            let peer = try await RawPeer.connect(to: world.port)
            for byte in "GET /socket?user=ada HTTP/1.1\r\nHost: a\r\nX-Slow:".utf8 { try? await peer.send([byte]) }
            await peer.wait { peer.isClosed }
            #expect(peer.text == "")
            #expect(world.log.value.contains { $0.contains("took too long") })
            await world.wait { world.core.pending.count == 0 }
        }
    }

    @Test func `A head without end is refused, wherever it grows`() async throws {
        try await PortWorld.run { world in
            let long = String(repeating: "a", count: 200_000)
            for head in [
                "GET /\(long)", "GET / HTTP/1.1\r\nHost: a\r\nX: \(long)", "GET / HTTP/1.1\r\n\(long)", long,
                "GET / HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 30_000),
            ] {
                let peer = try await RawPeer.connect(to: world.port)
                peer.push(Array(head.utf8))
                await peer.wait { peer.isClosed }
                #expect(peer.text.isEmpty || peer.text.hasPrefix("HTTP/1.1 4"), "\(peer.text)")
            }
            try await world.expectAnswer()
            #expect(world.metrics.refusedConnections(.invalid) >= 5)
        }
    }

    @Test func `Any number of offers that fits in a head is read`() async throws {
        try await PortWorld.run(PortWorld.router()) {
            $0.compression = .withoutContext
        } body: { world in
            let names = (0..<1000).map { "p\($0)" }.joined(separator: ", ")
            let offers = Array(repeating: "permessage-deflate; client_max_window_bits=8", count: 200)
            for headers in [
                ["Sec-WebSocket-Protocol: \(names)"], ["Sec-WebSocket-Extensions: \(offers.joined(separator: ", "))"],
                ["Sec-WebSocket-Protocol: \(String(repeating: ",", count: 9000))"],
                ["Cookie: \(String(repeating: "a=b; ", count: 2000))"],
            ] {
                let peer = try? await world.open(headers: headers)
                peer?.end()
            }
            try await world.expectAnswer()
        }
    }

    @Test func `Bytes after an undecided handshake wait in a bounded buffer`() async throws {
        let gate = Gate()
        var configuration = SocketServerConfiguration()
        configuration.loopCount = 1
        let server = SocketServer(router: PortWorld.router(), configuration: configuration) { handshake in
            await gate.wait()
            return User(name: "ada")
        }
        try await withThrowingTaskGroup { group in
            group.addTask { try await server.run() }
            let peer = try await RawPeer.connect(to: server.address.port)
            try await peer.send(RawPeer.handshake())
            let sent = Locked(0)
            let flood = [UInt8](repeating: 0x81, count: 64 << 10)
            for _ in 0..<1000 {
                peer.channel.writeAndFlush(ByteBuffer(bytes: flood)).whenSuccess { sent.change { $0 += flood.count } }
            }
            await peer.wait { peer.isClosed }
            // The rest of the written bytes is in the buffers of two kernels.
            #expect(sent.value < 32 << 20)
            gate.open()
            server.stop()
            try await group.waitForAll()
        }
    }

    @Test func `A close that is never answered ends by the server's patience`() async throws {
        try await PortWorld.run(PortWorld.router()) {
            $0.closeTimeout = .milliseconds(10)
        } body: { world in
            let peer = try await world.open()
            await world.wait { !world.server.connections.isEmpty }
            world.server.everybody.close(.goingAway, reason: "bye")
            await peer.wait { peer.closeCode == 1001 && peer.isClosed }
            await world.wait { world.server.connections.isEmpty }
        }
    }

    @Test(arguments: [false, true])
    func `A client that breaks off within a frame is gone`(resets: Bool) async throws {
        try await PortWorld.run { world in
            for count in 1...10 {
                let peer = try await world.open(resets: resets)
                try await peer.send(Array(RawFrame.text(RawFrame.say("never whole")).prefix(count)))
                peer.end()
            }
            await world.wait { world.server.connections.isEmpty && world.metrics.acceptedConnections == 10 }
            await world.wait {
                world.log.value.count { $0.contains("a connection ended") && $0.contains("1006") } == 10
            }
            #expect(world.core.admissions.withLock { $0.count } == 0)
            try await world.expectAnswer()
        }
    }

    @Test func `A client that floods and goes is gone, however much of it is still to be read`() async throws {
        try await PortWorld.run(PortWorld.router()) {
            $0.limits.messages = SocketRateLimit(perSecond: 1, burst: 1)
            $0.liveness = WebSocketLiveness(silence: .milliseconds(500), grace: .seconds(60))
        } body: { world in
            let peer = try await world.open()
            // More than its own kernel can send: the server's kernel isn't notified of the end.
            let many = Array(repeatElement(RawFrame.text("a"), count: 10_000).joined())
            for _ in 0..<100 { peer.push(many) }
            await world.wait { world.connection(of: "ada") != nil }
            let connection = try #require(world.connection(of: "ada"))
            await world.wait { await world.look(at: connection) { $0.isReadingPaused } }
            peer.end()
            await world.wait { world.server.connections.isEmpty }
        }
    }

    @Test func `A flood of joins is refused beyond its rate and number, and leaves no channel`() async throws {
        try await PortWorld.run(PortWorld.router()) {
            $0.limits.joins = SocketRateLimit(perSecond: 0.001, burst: 50)
            $0.limits.channelsPerConnection = 20
        } body: { world in
            let peer = try await world.open()
            for number in 0..<1000 {
                peer.push(RawFrame.text(RawFrame.join("room:\(number)", id: number)))
            }
            await peer.wait { peer.messageCount == 1000 }
            #expect(peer.texts.count { $0.contains("\"ok\"") } == 20)
            #expect(peer.texts.count { $0.contains("too_many_channels") } == 30)
            #expect(peer.texts.count { $0.contains("too_many_joins") } == 950)
            peer.push(RawFrame.text(RawFrame.join("room:" + String(repeating: "x", count: 2000), id: 1)))
            #expect(world.metrics.openChannels == 20)
            peer.end()
            await world.wait { world.metrics.openChannels == 0 }
            #expect(world.server.topics == [])
        }
    }
}
#endif
