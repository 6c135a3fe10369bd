#if os(Linux)
import NetCore
import NetCurl
import NetSocketCore
import NetTesting
import Synchronization
import Testing

@testable import NetSocket

/// Opening, rejecting and closing a connection, step by step.
@Suite(.timeLimit(.minutes(1)))
struct SocketDriverTests {
    private func opened(_ socket: DrivenSocket) -> OpenedSocket? {
        if case .success(.opened(let opened))? = socket.opening { opened } else { nil }
    }

    private func failure(_ socket: DrivenSocket) -> NetError? {
        if case .failure(let error)? = socket.opening { error } else { nil }
    }

    private func refusal(_ socket: DrivenSocket) -> (status: Int, body: String)? {
        guard case .success(.refused(let head, let body))? = socket.opening else { return nil }
        return (head.status.code, String(decoding: body, as: UTF8.self))
    }

    // MARK: Opening

    @Test func theRequestGoesOutWhenTheConnectionIsOpen() async throws {
        var request = WebSocketRequest(url: "ws://a.test/")
        request.liveness = nil
        let socket = try await DrivenSocket(request)
        socket.stream.setDeadline(after: .seconds(9))
        socket.driver.streamIsOpen(socket.stream)
        let head = socket.sentText()
        #expect(head.hasPrefix("GET / HTTP/1.1\r\nHost: a.test\r\n"))
        #expect(head.hasSuffix("\r\n\r\n"))
        let answer = Handshake.answer(to: head)
        socket.arrives(Array(answer.prefix(20)))
        #expect(socket.opening == nil)
        #expect(socket.deadline == .seconds(9))
        #expect(!socket.driver.outbox.withLock { $0.isAccepting })
        socket.arrives(Array(answer.dropFirst(20)))
        let found = opened(socket)
        #expect(found?.response.status == .switchingProtocols)
        #expect(found?.subprotocol == nil)
        #expect(found?.compression == nil)
        #expect(socket.deadline == nil)
        #expect(!socket.stream.isClosed)
        #expect(socket.stream.context == nil, "the call is over")
        #expect(socket.driver.outbox.withLock { $0.isAccepting })
    }

    @Test func framesThatComeWithTheAnswerAreDelivered() async throws {
        let socket = try await DrivenSocket()
        socket.open(with: TestFrame.text("a").bytes + TestFrame.text("b").bytes + [0x81])
        #expect(opened(socket) != nil)
        #expect(socket.texts == ["a", "b"])
        socket.arrives([1, 0x63])
        #expect(socket.texts == ["c"])
    }

    @Test func anAttemptThatWasCancelledSendsNothing() async throws {
        for isSignalled in [false, true] {
            let socket = try await DrivenSocket()
            #expect(socket.driver.life.withLock { $0.cancelOpening() } == nil)
            if isSignalled { socket.signal() } else { socket.driver.streamIsOpen(socket.stream) }
            let error = failure(socket)
            #expect(error?.code == .cancelled)
            #expect(error?.message.contains("cancelled") == true)
            #expect(socket.stream.isClosed)
            #expect(socket.sent().isEmpty)
        }
    }

    @Test func theBodyOfARefusalHasASecondInAll() async throws {
        let socket = try await DrivenSocket()
        socket.driver.streamIsOpen(socket.stream)
        socket.arrives(Array("HTTP/1.1 403 No\r\nContent-Length: 10\r\n\r\nnot".utf8))
        #expect(socket.opening == nil)
        #expect(socket.deadline == .seconds(1))
        socket.pass(.milliseconds(600))
        socket.arrives(Array(" fo".utf8))
        #expect(socket.deadline == .milliseconds(400))
        #expect(!socket.stream.isClosed)
        socket.pass(.milliseconds(400))
        #expect(socket.stream.isClosed)
        let found = refusal(socket)
        #expect(found?.status == 403)
        #expect(found?.body == "not fo")
    }

    @Test func aRefusalEndsWithItsBodyOrTheConnection() async throws {
        for isWhole in [true, false] {
            let socket = try await DrivenSocket()
            socket.driver.streamIsOpen(socket.stream)
            socket.send(Array("HTTP/1.1 404 No\r\nContent-Length: \(isWhole ? 3 : 4)\r\n\r\nnot".utf8))
            if !isWhole { socket.hangUp() }
            socket.driver.streamIsReadable(socket.stream, isEnding: !isWhole)
            #expect(socket.stream.isClosed)
            let found = refusal(socket)
            #expect(found?.status == 404)
            #expect(found?.body == "not")
        }
    }

    @Test func anInvalidHandshakeResponseFailsTheConnection() async throws {
        let socket = try await DrivenSocket()
        socket.open("Sec-WebSocket-Protocol: unasked\r\n")
        let error = failure(socket)
        #expect(error?.code == .protocolViolation)
        #expect(error?.phase == .waiting)
        #expect(error?.message.hasPrefix("the response to the opening handshake is not valid: ") == true)
        #expect(socket.stream.isClosed)
    }

    @Test func anEndBeforeTheAnswerIsALostConnection() async throws {
        let socket = try await DrivenSocket()
        socket.driver.streamIsOpen(socket.stream)
        socket.hangUp()
        socket.driver.streamIsReadable(socket.stream, isEnding: true)
        let error = failure(socket)
        #expect(error?.code == .connectionLost)
        #expect(error?.message.contains("before it responded") == true)
        #expect(socket.stream.isClosed)
    }

    @Test(
        arguments: [
            (Duration.milliseconds(1234), true, "no response to the opening handshake within 1.234 s"),
            (.seconds(9), false, "no connection within 9.000 s"), (nil, true, "within ? s"),
        ] as [(Duration?, Bool, String)])
    func theTimeToOpenIsLimited(limit: Duration?, isConnected: Bool, message: String) async throws {
        let socket = try await DrivenSocket(WebSocketRequest(url: "ws://a.test/", connectTimeout: limit))
        if isConnected { socket.driver.streamIsOpen(socket.stream) } else { socket.isConnecting() }
        socket.stream.setDeadline(after: .seconds(3))
        socket.pass(.seconds(3))
        let error = failure(socket)
        #expect(error?.code == .timeout, "\(String(describing: error))")
        #expect(error?.message.contains(message) == true, "\(String(describing: error))")
        #expect(socket.stream.isClosed)
    }

    @Test func aConnectionThatCannotBeMadeIsTheErrorOfTheAttempt() async throws {
        let socket = try await DrivenSocket()
        socket.fail(NetError(.dns, phase: .resolving, message: "no such host"))
        let error = failure(socket)
        #expect(error?.code == .dns)
        #expect(error?.call?.url.contains("a.test") == true)
        #expect(socket.driver.life.withLock { $0.hasEnded })
        #expect(socket.end?.code == .dns)
    }

    @Test func theLoopsEndIsTheErrorOfWhatIsOpen() async throws {
        let socket = try await DrivenSocket()
        socket.open()
        socket.fail(NetError(.shutdown, phase: .queued, message: "over"))
        let error = socket.end
        #expect(error?.code == .shutdown)
        #expect(error?.call?.url.contains("a.test") == true)
        #expect(socket.driver.life.withLock { $0.hasEnded })
        #expect(socket.say("late") == nil)
    }

    // MARK: Closing

    @Test func closingHereSendsTheReasonAndWaitsFiveSeconds() async throws {
        for answers in [true, false] {
            let socket = try await DrivenSocket()
            socket.open()
            socket.say("before")
            socket.close(.goingAway, "why")
            let frames = socket.frames()
            #expect(frames.map(\.opcode) == [1, 8])
            #expect(frames.last?.closeCode == 1001)
            #expect(frames.last?.closeReason == "why")
            #expect(socket.deadline == .seconds(5))
            #expect(socket.end == nil)
            #expect(socket.say("after") == nil)
            #expect(!socket.stream.isClosed)
            socket.arrives(.text("is dropped"))
            socket.pass(.seconds(4))
            #expect(socket.take() == nil)
            #expect(socket.deadline == .seconds(1))
            if answers {
                socket.arrives(.close(1001))
                #expect(!socket.stream.isClosed, "the server ends TCP")
            }
            socket.pass(.seconds(1))
            #expect(socket.stream.isClosed)
            let sent = WebSocketClosure(code: .goingAway, reason: "why", isByPeer: false)
            #expect(socket.end?.closure == (answers ? sent : sent.unconfirmed))
        }
    }

    @Test func theServersCloseIsAnsweredOnceEverythingWasReceived() async throws {
        let socket = try await DrivenSocket()
        socket.open()
        socket.arrives(TestFrame.text("a").bytes + TestFrame.close(4000, "bye").bytes)
        #expect(socket.deadline == .seconds(1))
        #expect(socket.frames().isEmpty)
        #expect(socket.texts == ["a"])
        socket.say("answer")
        guard case .wait(signals: true) = socket.driver.inbox.withLock({ $0.take() }) else {
            Issue.record("the loop isn't woken")
            return
        }
        socket.signal()
        let frames = socket.frames()
        #expect(frames.map(\.opcode) == [1, 8])
        #expect(frames.last?.closeCode == 4000)
        #expect(socket.deadline == .seconds(5))
        #expect(socket.end?.closure == WebSocketClosure(code: .init(rawValue: 4000), reason: "bye", isByPeer: true))
        #expect(!socket.stream.isClosed)
        socket.hangUp()
        socket.driver.streamIsReadable(socket.stream, isEnding: true)
        #expect(socket.stream.isClosed)
    }

    @Test func aCloseFrameWithoutUnreadMessagesEndsTheConnection() async throws {
        let socket = try await DrivenSocket()
        socket.open()
        socket.arrives(.close(1000))
        #expect(socket.frames().map(\.closeCode) == [1000])
        #expect(socket.end?.code == .webSocketClosed)
    }

    @Test func anEndThatIsHeldComesAfterASecondOrWithAnEndOfThisSide() async throws {
        for way in ["time", "close", "hang up"] {
            let socket = try await DrivenSocket()
            socket.open()
            socket.arrives(TestFrame.text("a").bytes + TestFrame(opcode: 3, payload: []).bytes)
            #expect(socket.frames().isEmpty, "\(way)")
            switch way {
            case "time": socket.pass(.seconds(1))
            case "close": socket.close()
            default:
                socket.hangUp()
                socket.driver.streamIsReadable(socket.stream, isEnding: true)
                #expect(socket.stream.isClosed)
            }
            if way != "hang up" {
                #expect(socket.frames().map(\.closeCode) == [1002], "\(way)")
                #expect(socket.deadline == .seconds(5), "\(way)")
                #expect(!socket.stream.isClosed, "\(way)")
            }
            #expect(socket.texts == ["a"])
            #expect(socket.end?.code == .protocolViolation, "\(way)")
        }
    }

    @Test func aViolationWhileClosingDropsTheConnection() async throws {
        let socket = try await DrivenSocket()
        socket.open()
        socket.close(.goingAway)
        socket.arrives(TestFrame(opcode: 3, payload: []))
        #expect(socket.stream.isClosed)
        #expect(socket.end?.closure?.sentCode == .goingAway)
    }

    @Test func aLinkThatIsDroppedEndsAtOnce() async throws {
        let socket = try await DrivenSocket()
        socket.open()
        socket.driver.outbox.withLock { $0.abandon() }
        socket.signal()
        #expect(socket.stream.isClosed)
        #expect(socket.frames().isEmpty)
        let error = socket.end
        #expect(error?.code == .connectionLost)
        #expect(error?.message.contains("dropped here") == true)
        #expect(error?.closure?.code == .abnormalClosure)
        socket.signal()
    }

    @Test(arguments: [(false, "the server closed the connection,"), (true, "inside a message")])
    func anEndInsideOfAMessageIsCalledSo(isInside: Bool, message: String) async throws {
        let socket = try await DrivenSocket()
        socket.open()
        socket.send(TestFrame.text("a").bytes + (isInside ? [0x81, 5, 0x61] : []))
        socket.hangUp()
        socket.driver.streamIsReadable(socket.stream, isEnding: true)
        #expect(socket.stream.isClosed)
        #expect(socket.texts == ["a"])
        let error = socket.end
        #expect(error?.code == .connectionLost)
        #expect(error?.message.contains(message) == true)
    }

    // MARK: Writes that fail

    @Test(arguments: [false, true]) func aWriteThatFailsEndsTheConnection(isDeafOnly: Bool) async throws {
        let socket = try await DrivenSocket()
        socket.open()
        socket.send(TestFrame.text("last words").bytes)
        if isDeafOnly { socket.deafen() } else { socket.hangUp() }
        socket.driver.outbox.withLock { $0.grantReplyCredit() }
        #expect(socket.say("lost") == true, "the loop is woken")
        socket.signal()
        #expect(socket.stream.isClosed)
        #expect(socket.texts == ["last words"])
        let error = socket.end
        #expect(error?.code == .connectionLost)
        #expect(error?.message.contains(isDeafOnly ? "the connection broke: " : "the server closed") == true)
    }

    @Test func messagesBeyondTheInboxLimitAreReadBeforeTheError() async throws {
        let socket = try await DrivenSocket(inbox: 65)
        socket.open()
        socket.arrives(.text("1"))
        socket.send(TestFrame.text("2").bytes)
        socket.deafen()
        socket.driver.outbox.withLock { $0.grantReplyCredit() }
        socket.say("lost")
        socket.signal()
        #expect(!socket.stream.isClosed)
        #expect(socket.texts == ["1"])
        socket.signal()
        #expect(socket.texts == ["2"])
        #expect(!socket.stream.isClosed)
        socket.signal()
        #expect(socket.stream.isClosed)
        #expect(socket.end?.message.contains("the connection broke: ") == true)
    }

    /// More than is read in one turn.
    @Test func everythingIsReadBeforeTheEndOfAWriteThatFails() async throws {
        let socket = try await DrivenSocket()
        socket.open()
        let text = String(repeating: "x", count: 30_000)
        for _ in 0..<10 { socket.send(TestFrame.text(text).bytes) }
        socket.hangUp()
        socket.driver.outbox.withLock { $0.grantReplyCredit() }
        socket.say("lost")
        // The loop is woken again for each turn that was too short.
        for _ in 0..<3 where !socket.stream.isClosed { socket.signal() }
        #expect(socket.texts.map(\.utf8.count) == [Int](repeating: 30_000, count: 10))
        #expect(socket.stream.isClosed)
        #expect(socket.end?.message.contains("the server closed") == true)
    }

    @Test func aWriteThatFailsOnceThereIsRoomEndsTheConnection() async throws {
        let socket = try await DrivenSocket(sendBuffer: 8 << 20)
        socket.open()
        let text = String(repeating: "x", count: 600_000)
        #expect(socket.say(text) == false)
        #expect(!socket.driver.outbox.withLock { $0.isEmpty })
        #expect(socket.say("more") == false, "it is blocked")
        socket.deafen()
        socket.driver.streamIsWritable(socket.stream)
        #expect(socket.stream.isClosed)
        #expect(socket.end?.message.contains("the connection broke: ") == true)
    }
}
#endif
