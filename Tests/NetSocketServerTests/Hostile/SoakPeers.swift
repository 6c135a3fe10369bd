#if os(Linux) && Server
import Foundation
import NIOCore
import NetCore
import NetTesting
@testable import NetSocketServer
import NetSocketCore
import Synchronization
import TestSupport

/// The clients of the soak.
enum SoakPeers {
    static func router() -> SocketRouter<User> {
        var router = PortWorld.router()
        let filler = String(repeating: "x", count: 4000)
        router.on("large", order: .concurrent) { _, _ in SocketPayload(json: "\"\(filler)\"") }
        router.onImmediately(Echo.self) { echo, _ in echo.text }
        return router
    }

    struct Echo: SocketCommand {
        static let event = "echo"
        typealias Response = String
        var text: String
    }

    /// Opens connections, a hundred at a time, from several addresses.
    static func many(_ count: Int, _ behavior: RawPeer.Behavior, _ world: PortWorld) async throws -> [RawPeer] {
        try await withThrowingTaskGroup(of: RawPeer.self) { group in
            var peers: [RawPeer] = []
            for number in 0..<count {
                if number >= 100, let peer = try await group.next() { peers.append(peer) }
                group.addTask {
                    try await .open(
                        to: world.port, target: "/socket?user=\(number)",
                        from: "127.\(number % 5 + 1).0.\(number % 200 + 1)", behavior)
                }
            }
            for try await peer in group { peers.append(peer) }
            return peers
        }
    }

    // MARK: Floods

    typealias Flood = @Sendable (Int, Opened) async throws -> Void

    /// The peers of the floods, which all end together with this object.
    final class Opened: Sendable {
        private let peers = Locked<(isOver: Bool, peers: [RawPeer])>((false, []))
        var isOver: Bool { peers.value.isOver }

        func keep(_ peer: RawPeer) {
            peers.change { state in
                state.peers.removeAll { $0.isClosed }
                state.peers.append(peer)
            }
            if isOver { peer.end() }
        }

        func end() {
            peers.change { $0.isOver = true }
            for peer in peers.value.peers { peer.end() }
        }

        func open(_ port: Int, _ headers: [String] = [], buffer: Int? = nil) async throws -> RawPeer {
            var behavior = RawPeer.Behavior()
            behavior.keepsEvents = false
            let peer = try await RawPeer.open(
                to: port, target: "/socket?user=flood", headers: headers, buffer: buffer, behavior)
            keep(peer)
            return peer
        }

        func connect(_ port: Int) async throws -> RawPeer {
            let peer = try await RawPeer.connect(to: port)
            keep(peer)
            return peer
        }
    }

    /// Sends the same bytes repeatedly, as fast as they are accepted.
    private static func repeating(
        _ bytes: [UInt8], first: [UInt8] = [], headers: [String] = [], sleeps: Bool = false
    ) -> Flood {
        { port, opened in
            let peer = try await opened.open(port, headers, buffer: sleeps ? 4096 : nil)
            if sleeps { try await peer.sleep() }
            if !first.isEmpty { try await peer.send(first) }
            while !opened.isOver, !peer.isClosed {
                try await peer.send(bytes)
                await Task.yield()
            }
            peer.end()
        }
    }

    private static func many(_ frame: [UInt8], _ count: Int) -> [UInt8] {
        Array(repeatElement(frame, count: count).joined())
    }

    private static let deflate = "Sec-WebSocket-Extensions: permessage-deflate"

    static let floods: [Flood] = [
        repeating(many(RawFrame.ping([UInt8](repeating: 1, count: 100)), 100)),
        repeating(many(RawFrame.ping([UInt8](repeating: 1, count: 100)), 100), sleeps: true),
        repeating(many(RawFrame.frame(0x00, []), 500), first: RawFrame.frame(0x01, [])),
        repeating(many(RawFrame.text("a"), 100)),
        repeating(RawFrame.fragments(RawFrame.say(String(repeating: "b", count: 1000)))),
        repeating((0..<50).flatMap { RawFrame.text(RawFrame.join("room:\($0 % 150)", id: $0)) }),
        repeating(
            (0..<100).flatMap { RawFrame.text(#"{"event":"large","requestId":"\#($0)","payload":{}}"#) }, sleeps: true),
        repeating(
            (0..<100).flatMap { RawFrame.text(#"{"event":"echo","requestId":"\#($0)","payload":{"text":"e"}}"#) },
            sleeps: true),
        repeating(RawFrame.compressed(RawFrame.say(String(repeating: "0", count: 900_000))), headers: [deflate]),
        repeating(RawFrame.compressed(String(repeating: "0", count: 30_000_000)), headers: [deflate]),
        repeating([0xC1, 0x85, 1, 2, 3, 4, 0xFF, 0xFF]),
        // Sends nothing, or hardly anything.
        { port, opened in
            for _ in 0..<100 { _ = try await opened.connect(port) }
            try? await Task.sleep(for: .milliseconds(200))
        },
        { port, opened in
            let peer = try await opened.connect(port)
            for byte in RawPeer.handshake() where !peer.isClosed {
                try await peer.send([byte])
                try? await Task.sleep(for: .milliseconds(20))
            }
            peer.end()
        },
        { port, opened in
            let peer = try await opened.connect(port)
            peer.push(Array(("GET /" + String(repeating: "x", count: 300_000)).utf8))
            await peer.wait { peer.isClosed || opened.isOver }
            peer.end()
        },
        { port, opened in
            let peer = try await opened.connect(port)
            peer.push((0..<2000).map { _ in UInt8.random(in: 0...255) })
            await peer.wait { peer.isClosed || opened.isOver }
            peer.end()
        },
        { port, opened in
            let names = (0..<1500).map { "p\($0)" }.joined(separator: ", ")
            let peer = try await opened.open(port, ["Sec-WebSocket-Protocol: \(names)"])
            peer.end()
        },
        { port, opened in
            // A client without credentials.
            let peer = try await opened.connect(port)
            try await peer.send(RawPeer.handshake("/socket"))
            await peer.wait { peer.isClosed || opened.isOver }
            peer.end()
        },
        { port, opened in
            // Violates the protocol, and doesn't respond to the close frame.
            let peer = try await opened.open(port)
            try await peer.sleep()
            try await peer.send([0x81, 0x01, 0x61])
            try? await Task.sleep(for: .milliseconds(500))
            peer.end()
        },
        { port, opened in
            let peer = try await opened.open(port)
            try await peer.send(Array(RawFrame.text(String(repeating: "x", count: 5000)).prefix(3000)))
            peer.end()
        },
    ]

    // MARK: One connect

    /// Runs the lifecycle of one of many connections, chosen by its number.
    static func connect(_ number: Int, _ world: PortWorld) async throws {
        let random = SeededRandom(seed: UInt64(number))
        func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
        let source = "127.\(below(250) + 1).\(below(250)).\(below(250) + 1)"
        var behavior = RawPeer.Behavior()
        behavior.keepsEvents = false
        let end = below(8)
        if end < 2 {
            // Within the handshake, or before its first byte.
            let peer = try await RawPeer.connect(to: world.port, from: source, resets: below(2) == 0, behavior)
            let head = RawPeer.handshake()
            try await peer.send(Array(head.prefix(end == 0 ? 0 : below(head.count))))
            return peer.end()
        }
        let headers = below(2) == 0 ? [PortWorld.numbered] : []
        let peer = try await RawPeer.open(
            to: world.port, target: "/socket?user=\(below(50))", headers: headers, from: source,
            resets: end == 3 || end == 4, behavior)
        if below(2) == 0 { peer.push(RawFrame.text(RawFrame.join("room:\(below(20))"))) }
        if below(2) == 0 { peer.push(RawFrame.text(RawFrame.say("soak \(number)"))) }
        if !headers.isEmpty, below(4) == 0 {
            peer.push(RawFrame.text(#"{"event":"session.resume","sessionId":"s\#(below(100))","received":0}"#))
        }
        switch end {
        case 2:
            try await peer.send(RawFrame.close())
            await peer.wait { peer.isClosed }
        case 3, 5: try await peer.send(Array(RawFrame.text("never whole").prefix(1 + below(8))))
        default: break
        }
        peer.end()
    }
}

extension SoakPeers {
    /// Runs all floods against a port on this machine.
    static func flood(_ port: Int, for time: Duration) async throws {
        let opened = Opened()
        // Low priority, because a real attacker uses other machines.
        nice(15)
        await withTaskGroup(of: Void.self) { group in
            for flood in floods {
                group.addTask {
                    while !opened.isOver {
                        try? await flood(port, opened)
                        await Task.yield()
                    }
                }
            }
            try? await Task.sleep(for: time)
            opened.end()
        }
    }
}

extension PortWorld {
    /// Sends a command ten times a second until the test is over. Returns the durations of its commands.
    func askUntil(_ isOver: @Sendable () -> Bool) async throws -> [Duration] {
        let quiet = try await open("quiet")
        var waits: [Duration] = []
        while !isOver() {
            let begin = ContinuousClock.now
            try await quiet.send(text: RawFrame.say("answer", id: waits.count))
            while quiet.messageCount == waits.count, !quiet.isClosed { try await Task.sleep(for: .milliseconds(1)) }
            waits.append(ContinuousClock.now - begin)
            if quiet.isClosed { throw NoAnswer() }
            try await Task.sleep(for: .milliseconds(100))
        }
        quiet.end()
        return waits
    }

    /// Runs a channel with a thousand consumers, one of which stops reading.
    func sleepAmongAThousand() async throws {
        var behavior = RawPeer.Behavior()
        behavior.keepsEvents = false
        let readers = try await SoakPeers.many(999, behavior, self)
        let sleeper = try await open("sleeper", headers: [PortWorld.numbered], buffer: 4096)
        for peer in readers + [sleeper] { try await peer.send(text: RawFrame.join("room:all")) }
        for peer in readers + [sleeper] { await peer.wait { peer.messageCount == 1 } }
        try await sleeper.sleep()
        // More than the buffers of two kernels and the outbox.
        let filler = WebSocketMessage.text(String(repeating: "x", count: 64 << 10))
        while metrics.droppedPushes(.slow) < 100 {
            server.user("sleeper").send(filler)
            try await Task.sleep(for: .milliseconds(1))
        }
        let before = metrics.droppedPushes(.slow)
        let text = String(repeating: "y", count: 1000)
        let count = 300
        for number in 1...count {
            try await server.channel("room:all").push(Said(text: "\(number) \(text)"))
            if number % 20 == 0 { for reader in readers { await reader.wait { reader.messageCount > number } } }
        }
        for reader in readers { await reader.wait { reader.messageCount == count + 1 } }
        let dropped = metrics.droppedPushes(.slow) - before
        if dropped == 0 { throw TooMuch(what: "nothing was dropped") }
        if metrics.outboxBytes > 256 << 10 { throw TooMuch(what: "outbox \(metrics.outboxBytes)") }
        try await sleeper.wake()
        await sleeper.wait { sleeper.lastText?.contains("\"text\":\"\(count) ") == true }
        print(
            "soak: the sleeper of a thousand readers woke to \(sleeper.messageCount) messages; \(dropped) dropped, "
                + "fillers among them")
        for peer in readers + [sleeper] { peer.end() }
    }

    /// Connects the given number of times, 64 concurrently.
    func connect(_ count: Int) async {
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                if number >= 64 { await group.next() }
                group.addTask { try? await SoakPeers.connect(number, self) }
            }
        }
    }

    struct TooMuch: Error { var what: String }

    private func describe(_ connection: ServerConnection) async -> String {
        await look(at: connection) { connection in
            let handler = connection.outlet as? SocketChannelHandler
            return
                "\(connection.identity.user ?? "") \(connection.machine.phase) running \(connection.machine.running.count)"
                + " waiting \(connection.machine.waiting.count) abandoned \(connection.machine.abandoned.count)"
                + " outbox \(connection.outbox.bytes) full \(connection.isOutboxFull) paused \(connection.isReadingPaused)"
                + " closing \(connection.isClosing) reading \(handler?.isReading ?? false)"
                + " phase \(handler.map { "\($0.phase)" } ?? "none") active \(handler?.context?.channel.isActive ?? false)"
        }
    }

    /// Waits until the server retains no state of its clients.
    func expectNothingLeft() async throws {
        // Messages that a client sent before its end are processed at the allowed rate.
        let end = ContinuousClock.now + .seconds(75)
        func left() -> String? {
            let counts = [
                "connections": core.connections.count, "admissions": core.admissions.withLock { $0.count },
                "channels": core.channels.topics.count, "pending": core.pending.count,
                "outbox": metrics.outboxBytes, "open": metrics.openConnections, "openChannels": metrics.openChannels,
                "users": core.connections.users.count,
            ].filter { $0.value != 0 }
            return counts.isEmpty ? nil : "\(counts)"
        }
        while left() != nil, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(50)) }
        if let left = left() {
            for connection in core.connections.all.prefix(10) { print("soak: left", await describe(connection)) }
            throw TooMuch(what: left)
        }
        // The clients' ends of the connections.
        try await Task.sleep(for: .seconds(1))
    }
}
#endif
