#if Server
import NetCore
import NetSocket
import NetSocketCore

/// Programs with WebSockets of their own: two chats, a notebook and a browser.
enum ProgramPeers {
    // MARK: WeeChat

    /// A relay that cuts the payload of a ping at its first zero byte.
    static func weeChat(_ peers: PeerFolder) async throws -> CaseList {
        try await DaemonPeer.run(peers, "weechat") { peer in
            let daemon = peer.daemon
            await peer.cases.run("ping") {
                let socket = try await daemon.connect()
                try await logIn(to: daemon) { try await socket.send(.text($0)) }
                for _ in 1...12 { try await socket.ping(timeout: .seconds(5)) }
                await socket.close()
            }
            await peer.cases.run("20 changes of the network", limit: .seconds(60)) { try await changes(daemon) }
        }
    }

    private static func logIn(to daemon: Daemon, _ say: (String) async throws -> Void) async throws {
        try await say("init password=\(daemon["password"])\n")
        try await say("(v) info version\n")
    }

    private static func changes(_ daemon: Daemon) async throws {
        let feed = NetworkStatusFeed(NetworkStatus(.reachable, interfaces: [.wifi]))
        let client = daemon.session(.raw) { configuration in
            configuration.network = feed
            configuration.probeTimeout = .seconds(1)
            configuration.negotiate = { connection in
                try await logIn(to: daemon) { try await connection.send(.text($0)) }
            }
        }
        try await client.withConnection { client in
            let reconnects = DaemonPeer.reconnects(of: client)
            try await client.wait(for: "open")
            for number in 1...20 {
                feed.update(NetworkStatus(.reachable, interfaces: [number % 2 == 0 ? .wifi : .cellular]))
                try await Task.sleep(for: .milliseconds(1200))
            }
            try expect(client.state.isOpen, "the session is \(client.state)")
            client.close()
            try expect(try await reconnects.value, is: 0)
        }
    }

    // MARK: prosody

    /// XMPP, whose messages have no envelope (RFC 7395). The server closes with 1000 when it is stopped.
    static func prosody(_ peers: PeerFolder) async throws -> CaseList {
        struct Stream: SocketSubscription {
            typealias Event = String
            func payload(_ coding: JSONCoding) -> SocketPayload {
                SocketPayload(json: "<open xmlns='urn:ietf:params:xml:ns:xmpp-framing' to='localhost' version='1.0'/>")
            }
            func event(in payload: SocketPayload, _ coding: JSONCoding) -> String? { payload.json }
        }
        return try await DaemonPeer.run(peers, "prosody") { peer in
            let daemon = peer.daemon
            var wire = SocketWire.raw
            wire.subprotocols = ["xmpp"]
            await peer.cases.run("ping") {
                let socket = try await daemon.connect(subprotocols: ["xmpp"])
                for _ in 1...12 { try await socket.ping(timeout: .seconds(5)) }
                await socket.close()
            }
            await peer.cases.run("stop and return under a session", limit: .seconds(60)) { [wire] in
                try await daemon.session(wire).withConnection { client in
                    var events = client.subscribe(Stream()).makeAsyncIterator()
                    try expect(try await events.next()?.contains("<open") == true, "the stream doesn't begin")
                    try await daemon.stop()
                    try await client.wait(for: "waiting")
                    try await daemon.startAgain()
                    while let text = try await events.next() { if text.contains("<open") { return } }
                    throw CaseFailure("the stream ended")
                }
            }
        }
    }

    // MARK: Jupyter

    /// A kernel's messages, which have no envelope that a session knows.
    private struct KernelInfo: SocketSubscription {
        typealias Event = String
        func payload(_ coding: JSONCoding) -> SocketPayload { Self.request }
        func event(in payload: SocketPayload, _ coding: JSONCoding) -> String? {
            payload.json.flatMap { $0.contains("kernel_info_reply") ? $0 : nil }
        }

        static let request = SocketPayload(
            json: #"""
                {"header":{"msg_id":"1","msg_type":"kernel_info_request","username":"","session":"s","version":"5.3"},\#
                "parent_header":{},"metadata":{},"content":{},"channel":"shell","buffers":[]}
                """#)
    }

    /// A notebook server, whose tornado compresses with its context although it is asked not to.
    static func jupyter(_ peers: PeerFolder, seconds: Int) async throws -> CaseList {
        try await DaemonPeer.run(peers, "jupyter") { peer in
            let daemon = peer.daemon
            await peer.cases.run("compression without context for \(seconds) s", limit: .seconds(seconds + 40)) {
                let configuration = SocketClient.Configuration(wire: .raw, reconnect: .constant(.milliseconds(100)))
                let client = SocketClient(daemon.url, configuration: configuration) { $0.compression = .withoutContext }
                try await client.withConnection { client in
                    let reconnects = DaemonPeer.reconnects(of: client)
                    let end = ContinuousClock.now + .seconds(seconds)
                    while ContinuousClock.now < end {
                        // Each subscription sends a request, and ends with its reply.
                        for try await _ in client.subscribe(KernelInfo()) { break }
                        try await Task.sleep(for: .milliseconds(500))
                    }
                    try expect(client.state.isOpen, "the session is \(client.state)")
                    client.close()
                    try expect(try await reconnects.value, is: 0)
                }
            }
            await peer.cases.run("a program that needs the memory can insist") {
                var compression = WebSocketCompression.withoutContext
                compression.fallsBack = false
                do { _ = try await daemon.connect(compression: compression) } catch {
                    return try expect("\(error)".contains("server_no_context_takeover"), "\(error)")
                }
                throw CaseFailure("it was accepted")
            }
        }
    }

    // MARK: DevTools

    private struct GetVersion: SocketCommand {
        static let event = "Browser.getVersion"
        struct Response: Codable, Sendable { var product: String }
    }
    private struct CreateTarget: SocketCommand {
        static let event = "Target.createTarget"
        struct Response: Codable, Sendable { var targetId: String }
        var url = "about:blank"
    }
    private struct AttachToTarget: SocketCommand {
        static let event = "Target.attachToTarget"
        struct Response: Codable, Sendable { var sessionId: String }
        var targetId: String
        var flatten = true
    }
    private struct EnableRuntime: SocketCommand {
        static let event = "Runtime.enable"
        typealias Response = NoResponse
    }
    private struct Evaluate: SocketCommand {
        static let event = "Runtime.evaluate"
        struct Response: Codable, Sendable { var result: Result }
        struct Result: Codable, Sendable { var value: Int? }
        var expression: String
    }

    /// Two pages at one connection: each message names the session of its page.
    static func chromium(_ peers: PeerFolder) async throws -> CaseList {
        try await DaemonPeer.run(peers, "chromium") { peer in
            let daemon = peer.daemon
            await peer.cases.run("commands and events of two sessions") {
                try await daemon.session(.devTools).withConnection { browser in
                    try expect(try await browser.send(GetVersion()).product.contains("Chrom"), "another browser")
                    for number in 1...2 {
                        let target = try await browser.send(CreateTarget()).targetId
                        let page = browser.channel(try await browser.send(AttachToTarget(targetId: target)).sessionId)
                        var pushes = page.pushes.makeAsyncIterator()
                        try await page.send(EnableRuntime())
                        try expect(try await pushes.next()?.event, is: "Runtime.executionContextCreated")
                        let value = try await page.send(Evaluate(expression: "6 * \(number)")).result.value
                        try expect(value, is: 6 * number)
                    }
                    let failure = try await refusal { _ = try await browser.channel("none").send(EnableRuntime()) }
                    try expect(failure.message.contains("ession"), "\(failure)")
                }
            }
            await peer.cases.run("ping") {
                let socket = try await daemon.connect()
                for _ in 1...3 { try await socket.ping(timeout: .seconds(5)) }
                await socket.close()
            }
            await peer.cases.run("stop and return under a session", limit: .seconds(90)) {
                // A new browser has another path.
                try await daemon.session(.devTools) { $0.reconnect.statuses[404] = .retry }.withConnection { browser in
                    _ = try await browser.send(GetVersion())
                    try await daemon.stop()
                    try await browser.wait(for: "waiting")
                    try await daemon.startAgain()
                    _ = try await browser.send(GetVersion())
                }
            }
        }
    }
}
#endif
