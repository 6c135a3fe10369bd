#if Server
import NetCore
import NetSocket
import NetSocketCore

/// Brokers, through the wires of docs/wires.md.
enum BrokerPeers {
    struct Reading: SocketPush, Equatable {
        static let event = "message"
        var value: Int
    }

    private struct Add: SocketCommand {
        static let event = "math.add"
        struct Response: Codable, Sendable, Equatable { var sum: Int }
        var a: Int
        var b: Int
    }

    // MARK: MQTT

    static func mosquitto(_ peers: PeerFolder) async throws -> CaseList {
        try await DaemonPeer.run(peers, "mosquitto") { peer in
            let daemon = peer.daemon
            await peer.cases.run("a channel is a pattern, and a push keeps its topic") {
                try await patterns(daemon, .mqtt, ["room/#", "room/+/state"], topic: "room/7/state")
            }
            await peer.cases.run("ping") { try await ping(daemon, subprotocols: ["mqtt"]) }
            await peer.cases.run("stop and return under a session", limit: .seconds(60)) {
                try await outlives(daemon, .mqtt, channel: "room/#", topic: "room/7")
            }
        }
    }

    // MARK: NATS

    static func nats(_ peers: PeerFolder) async throws -> CaseList {
        try await DaemonPeer.run(peers, "nats") { peer in
            let daemon = peer.daemon
            await peer.cases.run("a channel is a pattern, and a push keeps its topic") {
                try await patterns(daemon, .nats, ["room.>", "room.*.state"], topic: "room.7.state")
            }
            await peer.cases.run("a request gets its reply") { try await answers(daemon) }
            for compression in [WebSocketCompression(minimumBytes: 0), .withoutContext] {
                await peer.cases.run(
                    "compression, \(compression.receiving.takesOverContext ? "with" : "without") context"
                ) {
                    let socket = try await daemon.connect(compression: compression)
                    try await socket.send(.binary(Bytes("CONNECT {\"verbose\":false}\r\nPING\r\n".utf8)))
                    var text = ""
                    while !text.contains("PONG") {
                        let message = try await socket.receive()
                        text += String(decoding: message.binary ?? Bytes(), as: UTF8.self)
                    }
                    await socket.close()
                }
            }
            await peer.cases.run("ping") { try await ping(daemon) }
            await peer.cases.run("stop and return under a session", limit: .seconds(60)) {
                try await outlives(daemon, .nats, channel: "room.>", topic: "room.7")
            }
        }
    }

    static func natsToken(_ peers: PeerFolder) async throws -> CaseList {
        try await DaemonPeer.run(peers, "nats-token") { peer in
            let daemon = peer.daemon
            await peer.cases.run("the right token") {
                let client = daemon.session(.nats) {
                    $0.openPayload = { try SocketPayload(["auth_token": daemon["token"]]) }
                }
                try await client.withConnection { try await $0.wait(for: "open") }
            }
            await peer.cases.run("a wrong token fails with the server's words") {
                let client = daemon.session(.nats) { $0.openPayload = { try SocketPayload(["auth_token": "wrong"]) } }
                try await fails(client, with: "Authorization Violation")
            }
        }
    }

    /// Another client responds to a request.
    private static func answers(_ daemon: Daemon) async throws {
        let responder = try await daemon.connect()
        try await responder.send(.binary(Bytes("CONNECT {\"verbose\":false}\r\nSUB math.add 1\r\nPING\r\n".utf8)))
        let work = Task {
            var text = ""
            while true {
                text += String(decoding: try await responder.receive().binary ?? Bytes(), as: UTF8.self)
                guard let line = text.split(separator: "\r\n").first(where: { $0.hasPrefix("MSG math.add 1 ") }) else {
                    continue
                }
                let reply = #"{"sum":5}"#
                try await responder.send(
                    .binary(Bytes("PUB \(line.split(separator: " ")[3]) \(reply.utf8.count)\r\n\(reply)\r\n".utf8)))
                return
            }
        }
        defer { work.cancel() }
        try await daemon.session(.nats).withConnection { client in
            try await client.wait(for: "open")
            try expect(try await client.send(Add(a: 2, b: 3), timeout: .seconds(5)), is: Add.Response(sum: 5))
        }
        await responder.close()
    }

    // MARK: STOMP

    static func rabbitMQ(_ peers: PeerFolder, seconds: Int) async throws -> CaseList {
        try await DaemonPeer.run(peers, "rabbitmq") { peer in
            let daemon = peer.daemon
            await peer.cases.run("a push comes to its channel") {
                try await patterns(daemon, .stomp, ["/topic/room.*"], topic: "/topic/room.7", logIn)
            }
            await peer.cases.run("a command is confirmed by its receipt") {
                try await session(daemon, .stomp, logIn).withConnection { client in
                    try await client.wait(for: "open")
                    try await client.send("/topic/room.7", payload: SocketPayload(json: "{}"))
                }
            }
            await peer.cases.run("a wrong password fails with the broker's words") {
                let client = daemon.session(.stomp) { configuration in
                    configuration.openPayload = { try SocketPayload(["login": "guest", "passcode": "wrong"]) }
                }
                try await fails(client, with: "Bad CONNECT")
            }
            for beats in ["2000,1000", "1000,2000", "0,1000", "1000,0", "0,0"] {
                let time = beats == "1000,2000" ? max(seconds, 8) : 8
                await peer.cases.run("heart-beats \(beats) for \(time) s", limit: .seconds(time + 20)) {
                    try await beat(daemon, beats, for: time)
                }
            }
            await peer.cases.run("ping") { try await ping(daemon, subprotocols: ["v12.stomp"]) }
            await peer.cases.run("stop and return under a session", limit: .seconds(120)) {
                try await outlives(daemon, .stomp, channel: "/topic/room.7", topic: "/topic/room.7", logIn)
            }
        }
    }

    private static func logIn(_ configuration: inout SocketClient.Configuration, _ daemon: Daemon) {
        configuration.openPayload = {
            try SocketPayload(["login": daemon["login"], "passcode": daemon["passcode"]])
        }
    }

    /// Keeps a session with the heart-beats that a client asks for, in milliseconds.
    private static func beat(_ daemon: Daemon, _ beats: String, for seconds: Int) async throws {
        let client = daemon.session(.stomp) { configuration in
            configuration.openPayload = {
                try SocketPayload(["login": daemon["login"], "passcode": daemon["passcode"], "heart-beat": beats])
            }
        }
        try await client.withConnection { client in
            let reconnects = DaemonPeer.reconnects(of: client)
            try await client.join("/topic/beats")
            try await Task.sleep(for: .seconds(seconds))
            try expect(client.state.isOpen, "the session is \(client.state)")
            client.close()
            try expect(try await reconnects.value, is: 0)
        }
    }

    // MARK: All brokers

    typealias Change = (inout SocketClient.Configuration, Daemon) -> Void

    private static func session(
        _ daemon: Daemon, _ wire: SocketWire, _ change: Change = { _, _ in }
    ) -> SocketClient {
        daemon.session(wire) { change(&$0, daemon) }
    }

    private static func patterns(
        _ daemon: Daemon, _ wire: SocketWire, _ channels: [String], topic: String, _ change: Change = { _, _ in }
    ) async throws {
        try await session(daemon, wire, change).withConnection { client in
            try await session(daemon, wire, change).withConnection { other in
                for channel in channels {
                    var pushes = client.channel(channel).pushes.makeAsyncIterator()
                    try await client.join(channel)
                    try await other.notify(Reading(value: 7), channel: topic)
                    guard let push = try await pushes.next() else { throw CaseFailure("the channel ended") }
                    try expect(
                        push.topic?.split(whereSeparator: { "/.".contains($0) }).map(String.init),
                        is: topic.split(whereSeparator: { "/.".contains($0) }).map(String.init))
                    try expect(try push.decoded(as: Reading.self), is: Reading(value: 7))
                    try await client.channel(channel).leave()
                }
            }
        }
    }

    private static func outlives(
        _ daemon: Daemon, _ wire: SocketWire, channel: String, topic: String, _ change: Change = { _, _ in }
    ) async throws {
        try await session(daemon, wire, change).withConnection { client in
            let room = try await client.join(channel)
            var (events, pushes) = (room.events().makeAsyncIterator(), room.pushes.makeAsyncIterator())
            try await daemon.stop()
            try await client.wait(for: "waiting")
            try await daemon.startAgain()
            while let event = try await events.next() { if case .joined = event { break } }
            try await client.notify(Reading(value: 8), channel: topic)
            guard let push = try await pushes.next() else { throw CaseFailure("the channel ended") }
            try expect(try push.decoded(as: Reading.self), is: Reading(value: 8))
        }
    }

    private static func ping(_ daemon: Daemon, subprotocols: [String] = []) async throws {
        let socket = try await daemon.connect(subprotocols: subprotocols)
        for _ in 1...12 { try await socket.ping(timeout: .seconds(5)) }
        await socket.close()
    }

    private static func fails(_ client: SocketClient, with words: String) async throws {
        do { try await client.run() } catch {
            return try expect("\(error)".contains(words), "\(error)")
        }
        throw CaseFailure("it was not refused")
    }
}
#endif
