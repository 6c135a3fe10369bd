import HTTPTypes
import NetSocket
import NetTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MockWebSocketTransportTests {
    private let clock = TestClock()

    private func client(_ transport: MockWebSocketTransport) -> WebSocketClient {
        WebSocketClient(configuration: .init(clock: clock.netClock), transport: transport)
    }

    @Test func theTestPlaysTheServer() async throws {
        let transport = MockWebSocketTransport()
        var request = WebSocketRequest(url: "wss://mock.test/rooms/7?token=1")
        request.subprotocols = ["chat"]
        let socket = try await client(transport).connect(request)
        let peer = try await transport.accept()
        #expect(peer.request.target == "/rooms/7?token=1")
        #expect(peer.request.authority == "mock.test")
        try await peer.send("hello")
        try await socket.send("there")
        let (left, right) = try await (socket.receive(), peer.receive())
        #expect(left == .text("hello"))
        #expect(right == .text("there"))
        #expect(transport.requests.map(\.url) == ["https://mock.test/rooms/7?token=1"])
        #expect(transport.requests.first?.options.webSocket?.subprotocols == ["chat"])
        try await peer.close(.goingAway, reason: "restart")
        let error = await #expect(throws: NetError.self) { try await socket.receive() }
        #expect(error?.code == .webSocketClosed)
        #expect(error?.closure == WebSocketClosure(code: .goingAway, reason: "restart", isByPeer: true))
    }

    @Test func peersAreHandedOutInTheOrderOfTheirHandshakes() async throws {
        let transport = MockWebSocketTransport()
        let client = client(transport)
        var sockets: [WebSocketConnection] = []
        for number in 0..<5 { sockets.append(try await client.connect("ws://mock.test/\(number)")) }
        var paths: [String] = []
        for _ in 0..<5 { paths.append(try await transport.accept().request.path) }
        #expect(paths == ["/0", "/1", "/2", "/3", "/4"])
    }

    @Test func aPeerThatStallsHoldsTheSenderBack() async throws {
        let transport = MockWebSocketTransport([WebSocketStub("/slow", .wait(.seconds(60)), .echo)])
        let socket = try await client(transport).connect("ws://mock.test/slow")
        let large = WebSocketMessage.binary(Bytes(repeatElement(7, count: 600_000)))
        let sent = Mutex(0)
        let sender = Task {
            for _ in 0..<4 {
                try await socket.send(large)
                sent.withLock { $0 += 1 }
            }
        }
        try await clock.waitForSleepers(count: 1)
        while sent.withLock(\.self) < 2, !Task.isCancelled { await Task.yield() }
        for _ in 0..<200 { await Task.yield() }
        #expect(sent.withLock(\.self) == 2)
        await clock.advance(by: .seconds(60))
        for _ in 0..<4 { _ = try await socket.receive() }
        try await sender.value
    }

    @Test func aSenderThatWaitsCanBeCancelled() async throws {
        let transport = MockWebSocketTransport([WebSocketStub("/stall", .stall)])
        let socket = try await client(transport).connect("ws://mock.test/stall")
        let large = WebSocketMessage.binary(Bytes(repeatElement(7, count: 1 << 20)))
        try await socket.send(large)
        let waiting = Task { try await socket.send(large) }
        for _ in 0..<100 { await Task.yield() }
        waiting.cancel()
        let error = await #expect(throws: NetError.self) { try await waiting.value }
        #expect(error?.isCancellation == true)
        let receiver = Task { try await socket.receive() }
        for _ in 0..<100 { await Task.yield() }
        receiver.cancel()
        let end = await #expect(throws: NetError.self) { try await receiver.value }
        #expect(end?.isCancellation == true)
    }

    @Test func aPingIsAnsweredWhenThePeerReads() async throws {
        let transport = MockWebSocketTransport([WebSocketStub("/late", .wait(.seconds(3)), .receive)])
        let socket = try await client(transport).connect("ws://mock.test/late")
        let ping = Task { try await socket.ping() }
        try await clock.waitForSleepers(count: 1)
        await clock.advance(by: .seconds(3))
        let time = try await ping.value
        #expect(time == .seconds(3))
        #expect(transport.sockets.map(\.pings) == [1])
    }

    @Test func aPeerThatNeverAnswersTheCloseIsLeftAfterFiveSeconds() async throws {
        let transport = MockWebSocketTransport([WebSocketStub("/deaf", .drop(.stall), .receive)])
        let socket = try await client(transport).connect("ws://mock.test/deaf")
        let closing = Task { await socket.close() }
        try await clock.waitForSleepers(count: 1)
        await clock.advance(by: .seconds(5))
        await closing.value
        #expect(clock.now == .seconds(5))
    }

    @Test func messagesAreHeldToBothLimits() async throws {
        var small = WebSocketStub.echo("/small")
        small.maximumMessageBytes = 10
        let transport = MockWebSocketTransport([small, WebSocketStub("/large", .text("more than ten bytes"))])
        let sender = try await client(transport).connect("ws://mock.test/small")
        try await sender.send("more than ten bytes")
        let refused = await #expect(throws: NetError.self) { try await sender.receive() }
        #expect(refused?.closure?.code == .messageTooBig)
        #expect(refused?.code == .webSocketClosed)
        #expect(transport.sockets[0].violation == "a message has more than 10 bytes")
        var request = WebSocketRequest(url: "ws://mock.test/large")
        request.maximumMessageBytes = 10
        let receiver = try await client(transport).connect(request)
        let tooLarge = await #expect(throws: NetError.self) { try await receiver.receive() }
        #expect(tooLarge?.code == .bodyTooLarge)
    }

    @Test func breachesOfTheProtocolAreNamed() async throws {
        let transport = MockWebSocketTransport([
            WebSocketStub("/raw", .raw(Bytes([0xff]))), WebSocketStub("/code", .close(.init(rawValue: 1006))),
            WebSocketStub("/text", .fragments([Bytes([0x61]), Bytes([0xff])], isText: true)),
        ])
        for (path, text) in [("raw", "reserved bit"), ("code", "1006"), ("text", "UTF-8")] {
            let socket = try await client(transport).connect("ws://mock.test/\(path)")
            let error = await #expect(throws: NetError.self) { try await socket.receive() }
            #expect(error?.code == .protocolViolation)
            #expect(error?.message.contains(text) == true)
        }
    }

    @Test func refusalsAndFailuresAreTyped() async throws {
        let transport = MockWebSocketTransport(
            [.echo()], refusals: [Stub(.get, "/closed", .text("no", status: .forbidden))])
        let client = client(transport)
        let refused = await #expect(throws: NetError.self) { try await client.connect("ws://mock.test/closed") }
        #expect(refused?.code == .unacceptableStatus)
        #expect(refused?.status == 403)
        let unknown = await #expect(throws: NetError.self) {
            try await self.client(MockWebSocketTransport([.echo()])).connect("ws://mock.test/other?token=secret")
        }
        #expect(unknown?.code == .invalidRequest)
        #expect(unknown?.message == "no WebSocket stub has the path /other; there are /echo")
        let failing = WebSocketClient(
            transport: .failing(with: NetError(.dns, phase: .resolving, message: "no such host")))
        let dns = await #expect(throws: NetError.self) { try await failing.connect("ws://mock.test/") }
        #expect(dns?.code == .dns)
        await transport.shutdown()
        let late = await #expect(throws: NetError.self) { try await client.connect("ws://mock.test/echo") }
        #expect(late?.code == .shutdown)
    }

    @Test func shutdownEndsWhatIsOpen() async throws {
        let transport = MockWebSocketTransport([.echo()])
        let socket = try await client(transport).connect("ws://mock.test/echo")
        await transport.shutdown()
        let error = await #expect(throws: NetError.self) { try await socket.receive() }
        #expect(error?.code == .connectionLost)
    }

    @Test func aSessionLivesThroughHoursOfOutagesInVirtualTime() async throws {
        // Every connection lasts an hour; then three attempts fail to connect.
        let transport = MockWebSocketTransport { _, attempt in
            guard attempt % 4 == 1 else { throw NetError(.connect, phase: .connecting, message: "refused") }
            return WebSocketStub(
                "/live", .text(#"{"event":"live","payload":\#(attempt)}"#), .wait(.seconds(3600)), .drop(.close))
        }
        let policy = ReconnectPolicy(backoff: .constant(.seconds(600)))
        let configuration = SocketClient.Configuration(reconnect: policy, heartbeatInterval: nil)
        let session = SocketClient(client: client(transport), configuration: configuration) { _ in
            WebSocketRequest(url: "ws://mock.test/live", connectTimeout: nil)
        }
        let events = session.events()
        session.start()
        let time = Task {
            while !Task.isCancelled {
                if clock.sleepers > 0 { await clock.run(maximumWakeups: 1) } else { await Task.yield() }
            }
        }
        var texts: [String] = []
        for try await event in events {
            if case .push(let push) = event { texts.append(push.payload?.json ?? "") }
            if texts.count == 6 { break }
        }
        session.close()
        time.cancel()
        #expect(texts == ["1", "5", "9", "13", "17", "21"])
        #expect(clock.now >= .seconds(5 * (3600 + 4 * 600)))
    }
}
