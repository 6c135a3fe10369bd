import HTTPTypes
import NetCore
import NetSocket
import NetTesting
import Synchronization
import Testing

/// The link over a scripted task, as used through a client.
@Suite(.timeLimit(.minutes(1))) struct URLSessionWebSocketLinkTests {
    /// A client with a connection over a scripted task.
    private struct Scripted {
        let clock = TestClock()
        let transport: ScriptedSocketTransport
        let client: WebSocketClient

        var task: ScriptedSocketTask { transport.task }

        init(
            _ task: ScriptedSocketTask = ScriptedSocketTask(), listeners: [any ActivityListener] = [],
            configure: @escaping @Sendable (inout SocketTaskStateMachine.Settings) -> Void = { _ in }
        ) {
            transport = ScriptedSocketTransport(task, configure: configure)
            client = WebSocketClient(
                configuration: .init(listeners: listeners, clock: clock.netClock), transport: transport)
        }

        /// Opens the WebSocket; the server accepts as soon as the task has started.
        func open(
            _ request: WebSocketRequest = WebSocketRequest(url: "ws://a.test/chat"), subprotocol: String? = nil
        ) async throws -> WebSocketConnection {
            async let socket = client.connect(request)
            try await untilStarted()
            transport.driver?.didOpen(subprotocol: subprotocol)
            return try await socket
        }

        func untilStarted() async throws { try await until { task.log.first == "start" } }

        func until(_ condition: () -> Bool) async throws {
            while !condition() {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    private func failure(_ call: () async throws -> some Any) async -> NetError? {
        do {
            _ = try await call()
            return nil
        } catch {
            return error as? NetError
        }
    }

    // MARK: Opening

    @Test func theResponseAndTheSubprotocolAreTheServers() async throws {
        let scripted = Scripted()
        scripted.task.response = ResponseHead(status: .switchingProtocols, headers: [.server: "x"])
        let request = WebSocketRequest(url: "ws://a.test/", subprotocols: ["v2", "v1"])
        let socket = try await scripted.open(request, subprotocol: "v1")
        #expect(socket.subprotocol == "v1")
        #expect(socket.response[.server] == "x")
        #expect(socket.compression == nil)
    }

    @Test func aRefusalHasStatusAndHeaders() async throws {
        let scripted = Scripted()
        scripted.task.response = ResponseHead(status: .forbidden, headers: [.server: "x"])
        async let error = failure { try await scripted.client.connect("ws://a.test/") }
        try await scripted.untilStarted()
        scripted.transport.driver?.didComplete(.ofTask(.protocolViolation))
        let refusal = await error
        #expect(refusal?.code == .unacceptableStatus)
        #expect(refusal?.response?.head.status == .forbidden)
        #expect(refusal?.response?.head[.server] == "x")
    }

    @Test func anAttemptThatFailsNamesItsCall() async throws {
        let scripted = Scripted()
        async let error = failure { try await scripted.client.connect("ws://a.test/x") }
        try await scripted.untilStarted()
        scripted.transport.driver?.didComplete(.ofTask(.tls))
        let failed = await error
        #expect(failed?.code == .tls)
        #expect(failed?.call?.url == "http://a.test/x")
    }

    @Test func theConnectTimeoutRunsOnTheClientsClock() async throws {
        let scripted = Scripted()
        let request = WebSocketRequest(url: "ws://a.test/", connectTimeout: .seconds(3600))
        let error = await failure {
            try await scripted.clock.run { try await scripted.client.connect(request) }
        }
        #expect(error?.code == .timeout)
        #expect(error?.elapsed == .seconds(3600))
        #expect(scripted.task.log == ["start", "cancel"])
    }

    @Test func cancellingTheTaskEndsTheAttempt() async throws {
        let scripted = Scripted()
        let attempt = Task { await failure { try await scripted.client.connect("ws://a.test/") } }
        try await scripted.untilStarted()
        attempt.cancel()
        #expect(await attempt.value?.code == .cancelled)
        #expect(scripted.task.log == ["start", "cancel"])
    }

    @Test func shuttingDownEndsAttemptsAndWebSockets() async throws {
        let scripted = Scripted()
        let socket = try await scripted.open()
        let receiver = Task { await failure { try await socket.receive() } }
        await scripted.client.shutdown()
        #expect(await receiver.value?.code == .shutdown)
        #expect(scripted.task.log.last == "cancel")
    }

    // MARK: Open

    @Test func messagesTravelInOrderInBothDirections() async throws {
        let scripted = Scripted()
        let socket = try await scripted.open()
        for text in ["a", "b", "c"] { try await socket.send(text) }
        #expect(scripted.task.log == ["start", "send a", "send b", "send c"])
        for text in ["x", "y", "z"] { #expect(scripted.task.deliver(text)) }
        #expect(try await socket.receiveAll().map(\.text) == ["x", "y", "z"])
    }

    @Test func aSenderWaitsWhileThePeerIsSlowAndCancellingItSendsNothing() async throws {
        let scripted = Scripted(ScriptedSocketTask(completesSends: false)) { $0.sendBufferBytes = 1 }
        let socket = try await scripted.open()
        try await socket.send("a")
        let waiting = Task { await failure { try await socket.send("b") } }
        let other = Task { await failure { try await socket.send("c") } }
        waiting.cancel()
        #expect(await waiting.value?.code == .cancelled)
        // The buffer is full until URLSession has sent the first message.
        while scripted.task.log.last != "send c" {
            scripted.task.completeSend()
            await Task.yield()
        }
        #expect(await other.value == nil)
        #expect(scripted.task.log == ["start", "send a", "send c"])
    }

    @Test func cancellingReceiveLosesNoMessage() async throws {
        let scripted = Scripted()
        let socket = try await scripted.open()
        for round in 0..<50 {
            let receiver = Task { try? await socket.receive().text }
            for _ in 0..<round % 5 { await Task.yield() }
            async let delivery = scripted.task.deliver("\(round)")
            receiver.cancel()
            let received = await receiver.value
            #expect(await delivery)
            if received == nil { #expect(try await socket.receive().text == "\(round)") }
        }
    }

    @Test func noMoreThanTheInboxTakesIsAskedFor() async throws {
        let scripted = Scripted { $0.inboxBytes = 3 * 65 }
        let socket = try await scripted.open()
        var count = 0
        while scripted.task.deliver("x") { count += 1 }
        #expect(count == 3)
        #expect(try await socket.receiveAll().count == 3)
        #expect(scripted.task.outstanding == 1)
    }

    @Test func aPingTakesTheTimeUntilItsPong() async throws {
        let scripted = Scripted()
        let socket = try await scripted.open()
        let ping = Task { try await socket.ping() }
        try await scripted.until { scripted.task.log.last == "ping" }
        await scripted.clock.advance(by: .seconds(2))
        scripted.task.pong()
        #expect(try await ping.value == .seconds(2))
    }

    @Test func silenceIsTheTimeSinceTheLastMessageOrPong() async throws {
        let scripted = Scripted()
        let socket = try await scripted.open()
        await scripted.clock.advance(by: .seconds(7))
        #expect(socket.silence == .seconds(7))
        scripted.task.deliver("x")
        #expect(socket.silence == .zero)
    }

    @Test func aSilentServerIsAskedAndThenGone() async throws {
        let scripted = Scripted()
        let socket = try await scripted.open()
        let error = await failure { try await scripted.clock.run { try await socket.receive() } }
        #expect(error?.code == .connectionLost)
        #expect(error?.closure?.code == .abnormalClosure)
        #expect(scripted.clock.now == .seconds(45))
        #expect(scripted.task.log == ["start", "ping", "cancel"])
    }

    @Test func aMessageInPartsIsSentOnceItIsWhole() async throws {
        let scripted = Scripted()
        let socket = try await scripted.open()
        let parts = AsyncStream<Bytes> { continuation in
            for part in ["he", "llo"] { continuation.yield(Bytes(part.utf8)) }
            continuation.finish()
        }
        try await socket.send(parts: parts, as: .text)
        #expect(scripted.task.log == ["start", "send hello"])
    }

    // MARK: Ending

    @Test func theServersCloseEndsTheMessages() async throws {
        let scripted = Scripted()
        let socket = try await scripted.open()
        scripted.task.deliver("last")
        scripted.transport.driver?.didClose(.normalClosure, reason: "")
        scripted.task.deliver(.failure(.ofTask()))
        scripted.transport.driver?.didComplete(nil)
        var texts: [String?] = []
        for try await message in socket.messages { texts.append(message.text) }
        #expect(texts == ["last"])
        #expect(await failure { try await socket.send("x") }?.code == .webSocketClosed)
    }

    @Test func closeReturnsWithTheServersAnswer() async throws {
        let scripted = Scripted()
        let socket = try await scripted.open()
        let closing = Task { await socket.close(.goingAway, reason: "moved") }
        try await scripted.until { scripted.task.log.last == "close 1001 \"moved\"" }
        scripted.transport.driver?.didClose(.goingAway, reason: "moved")
        await closing.value
        let error = await failure { try await socket.receive() }
        #expect(error?.closure == WebSocketClosure(code: .goingAway, reason: "moved", isByPeer: false))
        #expect(scripted.clock.now == .zero)
    }

    @Test func closeWaitsFiveSecondsAtMost() async throws {
        let scripted = Scripted()
        let socket = try await scripted.open()
        let closing = Task { await socket.close() }
        // By then, its limit has replaced that of a silent server.
        try await scripted.until { scripted.task.log.last == "close 1000" }
        try await scripted.clock.run { await closing.value }
        #expect(scripted.clock.now == .seconds(5))
        #expect(scripted.task.log == ["start", "close 1000", "cancel"])
    }

    @Test func droppingTheConnectionFailsPendingReceivesAndPings() async throws {
        let scripted = Scripted()
        let socket = try await scripted.open()
        let receiver = Task { await failure { try await socket.receive() } }
        let pinger = Task { await failure { try await socket.ping() } }
        try await scripted.until { scripted.task.log.contains("ping") }
        socket.drop()
        #expect(await receiver.value?.closure?.code == .abnormalClosure)
        #expect(await pinger.value?.code == .connectionLost)
        #expect(scripted.task.log.filter { $0 == "cancel" }.count == 1)
    }

    @Test func releasingTheConnectionCancelsTheTask() async throws {
        let scripted = Scripted()
        _ = try await scripted.open()
        try await scripted.until { scripted.task.log.last == "cancel" }
    }

    @Test func listenersHearOfMessagesAndOfTheEnd() async throws {
        let seen = Mutex<[String]>([])
        let listener = Listener { event in seen.withLock { $0.append(event) } }
        let scripted = Scripted(listeners: [listener])
        var request = WebSocketRequest(url: "ws://a.test/")
        request.secretSubprotocol = "bearer.s3cret"
        let socket = try await scripted.open(request, subprotocol: "bearer.s3cret")
        try await socket.send("a")
        scripted.task.deliver("bc")
        socket.drop()
        #expect(socket.subprotocol == nil)
        #expect(socket.response[.secWebSocketProtocol]?.contains("s3cret") == false)
        #expect(seen.withLock { $0 } == ["opened -", "sent 1", "received 2", "closed 1006"])
    }
}

/// A listener of WebSockets that receives each event as a word.
private struct Listener: ActivityListener {
    let heard: @Sendable (String) -> Void

    var interest: ActivityInterest { [.sockets, .socketFrames] }

    func record(_ event: ActivityEvent) {}

    func record(_ event: SocketEvent) {
        switch event.kind {
        case .opened(let opening): heard("opened \(opening.subprotocol ?? "-")")
        case .frame(let frame): heard("\(frame.direction) \(frame.bytes)")
        case .closed(let ending): heard("closed \(ending.code)")
        default: break
        }
    }
}
