import HTTPTypes
import NetCore
import NetHTTP
import NetSocket
import NetTesting
import Testing

/// WebSockets are recorded from one in-memory server, and replayed without it.
@Suite(.timeLimit(.minutes(1)))
struct SocketReplayTests {
    private let folder: TemporaryFolder
    private var file: String { folder.file("socket.json") }

    init() throws { folder = try TemporaryFolder() }

    private func record(
        _ stubs: [WebSocketStub], redaction: RedactionPolicy = .safeDefault, maximumBodyBytes: Int = 1 << 20,
        _ body: (WebSocketClient) async throws -> Void
    ) async throws {
        let recording = RecordingTransport(
            sockets: MockWebSocketTransport(stubs), redaction: redaction, maximumBodyBytes: maximumBodyBytes)
        try await body(WebSocketClient(on: TestClock(), recording))
        try recording.write(to: file)
    }

    private func replay(rules: ReplayRules = ReplayRules()) throws -> (
        client: WebSocketClient, transport: ReplayTransport
    ) {
        let transport = try ReplayTransport(cassette: file, rules: rules, environment: ReplayEnvironment())
        return (WebSocketClient(on: TestClock(), transport), transport)
    }

    /// Returns the texts that a client reads until the end, and the error at the end.
    private func rest(of socket: WebSocketConnection) async -> (texts: [String], error: NetError) {
        var texts: [String] = []
        while true {
            do throws(NetError) {
                texts.append(try await socket.receive().text ?? "bytes")
            } catch {
                return (texts, error)
            }
        }
    }

    private static let chat = WebSocketStub("/chat", subprotocols: ["chat.v2"]) { peer in
        try await peer.send("welcome")
        guard let hello = try await peer.receive() else { return }
        try await peer.send(contentsOf: [hello, .binary(Bytes([0, 159, 255]))])
        try await peer.close(.serviceRestart, reason: "back soon")
    }

    private func chat(_ client: WebSocketClient) async throws -> [String] {
        var request = WebSocketRequest(url: "wss://api.example.com/chat?room=7")
        request.subprotocols = ["chat.v3", "chat.v2"]
        let socket = try await client.connect(request)
        #expect(socket.subprotocol == "chat.v2")
        var lines = [try await socket.receive().text ?? ""]
        try await socket.send(#"{"say":"hello","to":"ada"}"#)
        let (texts, error) = await rest(of: socket)
        lines += texts
        return lines + ["\(error.code.rawValue) \(error.closure?.description ?? "")"]
    }

    @Test func aConversationIsReplayedWithItsEnd() async throws {
        let lines = Locked([[String]]())
        try await record([Self.chat], redaction: .disabled) { client in
            let found = try await chat(client)
            lines.change { $0.append(found) }
        }
        let (client, transport) = try replay()
        let replayed = try await chat(client)
        #expect(replayed == ["welcome", #"{"say":"hello","to":"ada"}"#, "bytes", #"webSocketClosed 1012 "back soon""#])
        #expect(lines.change { $0 } == [replayed])
        try transport.verify()
        // The recording has been used: it doesn't contain a second WebSocket.
        let error = await #expect(throws: NetError.self) {
            try await client.connect("wss://api.example.com/chat?room=7")
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("it has already been replayed") == true)
    }

    @Test func theSameConversationIsInAHARFile() async throws {
        let recording = RecordingTransport(sockets: MockWebSocketTransport([Self.chat]), redaction: .disabled)
        let lines = try await chat(WebSocketClient(on: TestClock(), recording))
        let path = folder.file("socket.har")
        try recording.write(to: path)
        let transport = try ReplayTransport(cassette: path, redaction: .disabled, environment: ReplayEnvironment())
        #expect(try await chat(WebSocketClient(on: TestClock(), transport)) == lines)
    }

    @Test func requestsAndWebSocketsShareAFile() async throws {
        let recording = RecordingTransport(
            MockTransport([Stub(.get, "/login", .text("ok"))]), sockets: MockWebSocketTransport([.echo()]))
        let http = HTTPClient(baseURL: "https://api.example.com", transport: recording)
        #expect(try await http.get("login", as: String.self) == "ok")
        let socket = try await WebSocketClient(on: TestClock(), recording).connect("wss://api.example.com/echo")
        try await socket.send("1")
        #expect(try await socket.receive().text == "1")
        await socket.close()
        #expect(recording.recordedCount == 2)
        try recording.write(to: file)
        let (sockets, transport) = try replay()
        #expect(transport.unusedExchanges.count == 2)
        #expect(transport.unusedExchanges.last?.contains("GET wss://api.example.com/echo") == true)
        let replayed = HTTPClient(baseURL: "https://api.example.com", transport: transport)
        #expect(try await replayed.get("login", as: String.self) == "ok")
        // A request to the same address isn't a handshake.
        await #expect(throws: APIError<Never>.self) { try await replayed.get("echo", as: String.self) }
        let again = try await sockets.connect("wss://api.example.com/echo")
        try await again.send("1")
        #expect(try await again.receive().text == "1")
        await again.close()
        try transport.verify()
    }

    // MARK: Deviations of the client

    private static let twoQuestions = WebSocketStub("/ask") { peer in
        for _ in 0..<2 {
            guard let question = try await peer.receive() else { return }
            try await peer.send("answer to \(question.text ?? "")")
        }
        while try await peer.receive() != nil {}
    }

    private func recordTwoQuestions() async throws {
        try await record([Self.twoQuestions]) { client in
            let socket = try await client.connect("ws://a.test/ask")
            for question in [#"{"q":1,"of":"ada"}"#, "second"] {
                try await socket.send(question)
                #expect(try await socket.receive().text == "answer to \(question)")
            }
            await socket.close()
        }
    }

    @Test func messagesMayComeEarlierAndInAnotherOrder() async throws {
        try await recordTwoQuestions()
        let socket = try await replay().client.connect("ws://a.test/ask")
        try await socket.send("second")
        try await socket.send(#"{"of":"ada","q":1}"#)
        #expect(try await socket.receive().text == #"answer to {"q":1,"of":"ada"}"#)
        #expect(try await socket.receive().text == "answer to second")
        await socket.close()
    }

    @Test func theOrderCountsIfTheRulesSaySo() async throws {
        try await recordTwoQuestions()
        let socket = try await replay(rules: ReplayRules(isSequential: true)).client.connect("ws://a.test/ask")
        try await socket.send("second")
        let (texts, error) = await rest(of: socket)
        #expect(texts == [])
        #expect(error.code == .invalidRequest)
    }

    @Test func anotherMessageIsAnErrorThatNamesTheNearest() async throws {
        try await recordTwoQuestions()
        let socket = try await replay().client.connect("ws://a.test/ask")
        try await socket.send(#"{"q":2,"of":"ada"}"#)
        let (texts, error) = await rest(of: socket)
        #expect(texts == [])
        #expect(error.code == .invalidRequest)
        for part in ["ws://a.test/ask", "message 1 of 4", "the message at q differs", "recorded \"1\", sent \"2\""] {
            #expect(error.message.contains(part), "\(error.message)")
        }
        // Sending throws it as well.
        let sending = await #expect(throws: NetError.self) { try await socket.send("more") }
        #expect(sending?.message == error.message)
    }

    @Test func bodiesThatDontCountLetAnyMessagePass() async throws {
        try await recordTwoQuestions()
        var rules = ReplayRules()
        rules.parts.remove(.body)
        let socket = try await replay(rules: rules).client.connect("ws://a.test/ask")
        try await socket.send(.binary(Bytes([1])))
        #expect(try await socket.receive().text == #"answer to {"q":1,"of":"ada"}"#)
        await socket.close()
    }

    @Test func aClientThatSendsNothingIsToldWhatIsMissing() async throws {
        try await recordTwoQuestions()
        let clock = TestClock()
        let client = WebSocketClient(on: clock, try replay().transport)
        let socket = try await client.connect("ws://a.test/ask")
        let (_, error) = try await clock.run { await rest(of: socket) }
        #expect(error.code == .invalidRequest)
        #expect(error.message.contains("waits for the client to send message 1 of 4"), "\(error.message)")
    }

    // MARK: The end of a recording

    @Test func aWebSocketThatWasLeftIsSilentAndThenAnError() async throws {
        try await record([WebSocketStub("/news", .text("1"), .text("2"), .stall)]) { client in
            let socket = try await client.connect("ws://a.test/news")
            #expect(try await socket.receive().text == "1")
            #expect(try await socket.receive().text == "2")
        }
        let clock = TestClock()
        let client = WebSocketClient(on: clock, try replay().transport)
        let socket = try await client.connect("ws://a.test/news")
        #expect(try await socket.receive().text == "1")
        #expect(try await socket.receive().text == "2")
        let (texts, error) = try await clock.run { await rest(of: socket) }
        #expect(texts == [])
        #expect(error.code == .unsupported)
        #expect(
            error.message.contains("ends after 2 messages, where its client left the WebSocket"), "\(error.message)")
    }

    @Test func oneThatIsOpenIsWrittenAsFarAsItCame() async throws {
        let recording = RecordingTransport(sockets: MockWebSocketTransport([.echo()]))
        let socket = try await WebSocketClient(on: TestClock(), recording).connect("ws://a.test/echo")
        try await socket.send("1")
        #expect(try await socket.receive().text == "1")
        #expect(recording.recordedCount == 1)
        try recording.write(to: file)
        let text = try folder.text("socket.json")
        #expect(text.contains(#""from": "server""#))
        #expect(text.contains("the client left the WebSocket here"))
        await socket.close()
        #expect(recording.recordedCount == 1)
        try recording.write(to: file)
        #expect(try folder.text("socket.json").contains(#""code": 1000"#))
        recording.reset()
        #expect(recording.recordedCount == 0)
    }

    @Test func messagesOverTheRecordingLimitAreOmittedAndReported() async throws {
        try await record([.echo()], maximumBodyBytes: 10) { client in
            let socket = try await client.connect("ws://a.test/echo")
            for text in ["1234", "5678"] {
                try await socket.send(text)
                #expect(try await socket.receive().text == text)
            }
            await socket.close()
        }
        let clock = TestClock()
        let client = WebSocketClient(on: clock, try replay().transport)
        let socket = try await client.connect("ws://a.test/echo")
        try await socket.send("1234")
        #expect(try await socket.receive().text == "1234")
        let (texts, error) = try await clock.run { await rest(of: socket) }
        #expect(texts == [])
        #expect(error.message.contains("where the recording was full"), "\(error.message)")
    }

    @Test func aLostConnectionIsLostAgain() async throws {
        try await record([WebSocketStub("/news", .text("1"), .drop(.reset))]) { client in
            let (texts, error) = await rest(of: try await client.connect("ws://a.test/news"))
            #expect(texts == ["1"])
            #expect(error.code == .connectionLost)
        }
        let (texts, error) = await rest(of: try await replay().client.connect("ws://a.test/news"))
        #expect(texts == ["1"])
        #expect(error.code == .connectionLost)
        #expect(error.message.hasSuffix("(recorded)"))
    }

    @Test func aRefusedHandshakeAndAFailedOneComeAgain() async throws {
        let refusal = Stub(.get, "/closed", .text("members only", status: .forbidden))
        let failing = MockWebSocketTransport { request, _ in
            throw NetError(.connect, phase: .connecting, message: "nobody listens")
        }
        let first = RecordingTransport(sockets: MockWebSocketTransport([.echo()], refusals: [refusal]))
        let second = RecordingTransport(sockets: failing)
        for (recording, path) in [(first, "closed"), (second, "down")] {
            let client = WebSocketClient(on: TestClock(), recording)
            await #expect(throws: NetError.self) { try await client.connect("ws://a.test/\(path)") }
            try recording.write(to: folder.file("\(path).json"))
        }
        for (path, code) in [("closed", NetError.Code.unacceptableStatus), ("down", .connect)] {
            let transport = try ReplayTransport(
                cassette: folder.file("\(path).json"), environment: ReplayEnvironment())
            let error = await #expect(throws: NetError.self) {
                try await WebSocketClient(on: TestClock(), transport).connect("ws://a.test/\(path)")
            }
            #expect(error?.code == code)
            if path == "closed" { #expect(error?.response?.head.status == .forbidden) }
        }
    }

    // MARK: Time and order

    @Test func pausesAreKeptOnTheClockOfTheCall() async throws {
        let ticks = WebSocketStub("/ticks", .text("1"), .wait(.seconds(3600)), .text("2"), .close())
        let clock = TestClock()
        let recording = RecordingTransport(sockets: MockWebSocketTransport([ticks]))
        let client = WebSocketClient(on: clock, recording)
        let socket = try await client.connect("ws://a.test/ticks")
        let texts = try await clock.run { await rest(of: socket).texts }
        #expect(texts == ["1", "2"])
        try recording.write(to: file)
        for (timing, pause) in [(ReplayTransport.Timing.real, 3600), (.scaled(0.5), 1800), (.immediate, 0)] {
            let clock = TestClock()
            let transport = try ReplayTransport(cassette: file, timing: timing, environment: ReplayEnvironment())
            let client = WebSocketClient(on: clock, transport)
            let socket = try await client.connect("ws://a.test/ticks")
            let start = clock.now
            let texts = try await clock.run { await rest(of: socket).texts }
            #expect(texts == ["1", "2"])
            // On a busy machine, the clock may also advance while the connection closes.
            #expect((.seconds(pause)..<(.seconds(pause + 60))).contains(clock.now - start))
        }
    }

    @Test func manyAtOnceEachFindTheirOwn() async throws {
        try await record([.echo("/{n}")]) { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for n in 0..<20 {
                    group.addTask {
                        let socket = try await client.connect("ws://a.test/\(n)")
                        try await socket.send("\(n)")
                        #expect(try await socket.receive().text == "\(n)")
                        await socket.close()
                    }
                }
                try await group.waitForAll()
            }
        }
        let (client, transport) = try replay()
        for n in (0..<20).reversed() {
            let socket = try await client.connect("ws://a.test/\(n)")
            try await socket.send("\(n)")
            #expect(try await socket.receive().text == "\(n)")
            await socket.close()
        }
        try transport.verify()
    }

    @Test func aMessageInPartsIsOneMessage() async throws {
        func run(_ client: WebSocketClient) async throws {
            let socket = try await client.connect("ws://a.test/echo")
            let parts = AsyncStream { continuation in
                for part in ["one ", "message"] { continuation.yield(Bytes(part.utf8)) }
                continuation.finish()
            }
            try await socket.send(parts: parts, as: .text)
            #expect(try await socket.receive().text == "one message")
            await socket.close()
        }
        try await record([.echo()]) { client in try await run(client) }
        #expect(try folder.text("socket.json").contains("one message"))
        try await run(try replay().client)
    }

    @Test func withoutATransportForThemWebSocketsAreRefused() async throws {
        let none = WebSocketClient(on: TestClock(), RecordingTransport(MockTransport([])))
        let error = await #expect(throws: NetError.self) { try await none.connect("ws://a.test/") }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("`sockets`") == true)
        let noHTTP = HTTPClient(
            baseURL: "http://a.test", transport: RecordingTransport(sockets: MockWebSocketTransport()))
        await #expect(throws: APIError<Never>.self) { try await noHTTP.get("x", as: String.self) }
        let all = try ReplayTransport(
            cassette: folder.file("new.json"), mode: .all, over: MockTransport([]), environment: ReplayEnvironment())
        let recording = await #expect(throws: NetError.self) {
            try await WebSocketClient(on: TestClock(), all).connect("ws://a.test/")
        }
        #expect(recording?.message.contains("WebSocket transport to record over") == true)
        await all.shutdown()
        let late = await #expect(throws: NetError.self) {
            try await WebSocketClient(on: TestClock(), all).connect("ws://a.test/")
        }
        #expect(late?.code == .shutdown)
    }
}
