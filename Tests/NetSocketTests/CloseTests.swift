#if os(Linux) && Server
import NetCore
import NetSocket
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// The closing handshake (RFC 6455 section 7), started by either side.
@Suite(.timeLimit(.minutes(1)))
struct CloseTests {
    @Test(.enabled(if: PythonPeer.isInstalled)) func theServersCodeAndReasonReachTheReader() async throws {
        let server = try await PythonPeer.shared
        try await Fixture.run { fixture in
            let socket = try await fixture.client.connect(server.url("/close?code=4000&reason=gr%C3%BCndlich"))
            let error = try await failure { try await socket.receive() }
            #expect(error.code == .webSocketClosed, "\(error)")
            #expect(error.closure == WebSocketClosure(code: .init(rawValue: 4000), reason: "gründlich", isByPeer: true))
            let again = try await failure { try await socket.receive() }
            #expect(again.closure == error.closure)
            let isIdle = await fixture.hasNoConnections()
            #expect(isIdle)
        }
    }

    @Test(arguments: [1000, 1001, 1011, 3000, 4999] as [UInt16]) func theServersCloseFrameIsAnswered(
        _ code: UInt16
    ) async throws {
        let peer = try ScriptedPeer.accepting(.send(TestFrame.close(code, "because")), .readClose, .close)
        try await withScriptedPeer(peer) { socket, fixture in
            let error = try await failure { try await socket.receive() }
            #expect(error.code == .webSocketClosed, "\(error)")
            #expect(error.closure?.code.rawValue == code, "\(error)")
            #expect(error.closure?.reason == "because")
            #expect(error.closure?.isByPeer == true)
            let isAnswered = await eventually { peer.frames.map(\.closeCode) == [Int(code)] }
            #expect(isAnswered, "\(peer.frames)")
            let isIdle = await fixture.hasNoConnections()
            #expect(isIdle)
        }
    }

    @Test func aCancelledCloseSendsItsFrameAndDoesNotWaitForThePeer() async throws {
        // The peer never responds, and its steps end with the connection.
        let peer = try ScriptedPeer.accepting(.readClose, .readToEnd)
        try await withScriptedPeer(peer) { socket, fixture in
            let start = ContinuousClock.now
            let closing = Task { await socket.close(.goingAway) }
            let hasArrived = await eventually { peer.frames.map(\.closeCode) == [1001] }
            #expect(hasArrived)
            closing.cancel()
            await closing.value
            let error = try await failure { try await socket.receive() }
            #expect(error.code == .webSocketClosed, "\(error)")
            let isIdle = await fixture.hasNoConnections()
            #expect(isIdle)
            // Without the cancellation, it takes five seconds.
            #expect(ContinuousClock.now - start < .seconds(4))
        }
    }

    @Test func aCloseInACancelledTaskStillSendsItsFrame() async throws {
        let peer = try ScriptedPeer.accepting(.readClose, .readToEnd)
        try await withScriptedPeer(peer) { socket, fixture in
            try await socket.send("before")
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                await socket.close()
            }
            await task.value
            let hasArrived = await eventually { peer.frames.map(\.closeCode).last == 1000 }
            #expect(hasArrived, "\(peer.frames)")
            #expect(peer.frames.first?.text == "before")
            let isIdle = await fixture.hasNoConnections()
            #expect(isIdle)
        }
    }

    @Test func aCloseFrameWithoutACodeIsNoStatus() async throws {
        let peer = try ScriptedPeer.accepting(.send(TestFrame(opcode: 8, payload: [])), .readClose, .close)
        try await withScriptedPeer(peer) { socket, _ in
            let error = try await failure { try await socket.receive() }
            #expect(error.closure == WebSocketClosure(code: .noStatusReceived))
            let isAnswered = await eventually { peer.frames.map(\.opcode) == [8] }
            #expect(isAnswered)
        }
    }

    @Test func everythingBeforeTheEndIsReceived() async throws {
        let bytes = (0..<500).flatMap { TestFrame.text("\($0)").bytes } + TestFrame.close(1000).bytes
        let peer = try ScriptedPeer.accepting(.send(bytes), .readClose, .close)
        try await withScriptedPeer(peer) { socket, fixture in
            // The close frame gets its response although nothing receives; then the connection has ended, but its
            // messages are still available.
            let isIdle = await fixture.hasNoConnections()
            #expect(isIdle)
            var count = 0
            for try await message in socket.messages {
                #expect(message == .text("\(count)"))
                count += 1
            }
            #expect(count == 500)
        }
    }

    @Test func theSequenceEndsAtANormalClosureAndThrowsAtAnother() async throws {
        let server = try await TestServer.start(webSockets: [
            WebSocketStub("/normal", .text("a"), .text("b"), .close()),
            WebSocketStub("/away", .text("a"), .text("b"), .close(.goingAway, reason: "restart")),
            WebSocketStub("/lost", .text("a"), .text("b"), .drop(.close)),
        ])
        try await Fixture.run { fixture in
            var endings: [String] = []
            for path in ["/normal", "/away", "/lost"] {
                let socket = try await fixture.client.connect(server.webSocketURL + path)
                var texts: [String] = []
                do {
                    for try await message in socket.messages { texts.append(message.text ?? "") }
                    endings.append("end")
                } catch {
                    let untyped: any Error = error
                    let error = try #require(untyped as? NetError)
                    endings.append("\(error.code) \(error.closure?.description ?? "")")
                }
                #expect(texts == ["a", "b"])
            }
            #expect(endings == ["end", "webSocketClosed 1001 \"restart\"", "connectionLost 1006"])
        }
        await server.stop()
    }

    @Test func theClientsCodeAndReasonReachTheServer() async throws {
        let server = try await TestServer.start(webSockets: [.echo()])
        try await Fixture.run { fixture in
            let socket = try await fixture.client.connect(server.webSocketURL + "/echo")
            await socket.close(try CloseFrameCode(4001), reason: "schön war's")
            let isIdle = await fixture.hasNoConnections()
            #expect(isIdle)
            try await server.wait { requests, _ in requests.first?.end != nil }
            let logged = server.requests.first
            #expect(
                logged?.webSocket?.closure
                    == WebSocketClosure(code: .init(rawValue: 4001), reason: "schön war's", isByPeer: true))
            #expect(logged?.outcome == .completed)
        }
        await server.stop()
    }

    @Test func afterTheEndEverythingThrowsWithTheClosure() async throws {
        let server = try await TestServer.start(webSockets: [.echo()])
        try await Fixture.run { fixture in
            let socket = try await fixture.client.connect(server.webSocketURL + "/echo")
            await socket.close(.goingAway, reason: "bye")
            let errors = [
                try await failure { try await socket.receive() }, try await failure { try await socket.receiveAll() },
                try await failure { try await socket.send("late") }, try await failure { try await socket.ping() },
            ]
            for error in errors {
                #expect(error.code == .webSocketClosed, "\(error)")
                #expect(error.closure == WebSocketClosure(code: .goingAway, reason: "bye", isByPeer: false), "\(error)")
                #expect(error.url?.contains("/echo") == true)
            }
        }
        await server.stop()
    }

    @Test func closingTwiceSendsOneCloseFrame() async throws {
        let peer = try ScriptedPeer.accepting(.readClose, .send(TestFrame.close(1000)), .close)
        try await withScriptedPeer(peer) { socket, _ in
            async let first: Void = socket.close()
            async let second: Void = socket.close(.goingAway)
            _ = await (first, second)
            await socket.close()
            let isOver = await eventually { peer.openConnections == 0 }
            #expect(isOver)
            #expect(peer.frames.count { $0.opcode == 8 } == 1, "\(peer.frames)")
        }
    }

    @Test func aReasonThatIsTooLongIsCutBetweenCharacters() async throws {
        let peer = try ScriptedPeer.accepting(.readClose, .send(TestFrame.close(1000)), .close)
        try await withScriptedPeer(peer) { socket, _ in
            await socket.close(reason: String(repeating: "ü世", count: 60))
            let frame = try #require(peer.frames.first { $0.opcode == 8 })
            #expect(frame.payload.count <= 125)
            #expect(frame.payload.count >= 120)
            #expect(String(validating: frame.payload.dropFirst(2), as: UTF8.self) != nil)
        }
    }

    @Test func closingFailsAPendingReceive() async throws {
        let server = try await TestServer.start(webSockets: [.echo()])
        try await Fixture.run { fixture in
            let socket = try await fixture.client.connect(server.webSocketURL + "/echo")
            let reader = Task { try await socket.receive() }
            try await Task.sleep(for: .milliseconds(50))
            await socket.close()
            let error = try await failure { try await reader.value }
            #expect(error.code == .webSocketClosed, "\(error)")
            #expect(error.closure?.isByPeer == false, "\(error)")
        }
        await server.stop()
    }

    @Test func aServerThatDoesNotAnswerHoldsTheCloseForFiveSeconds() async throws {
        let peer = try ScriptedPeer.accepting(.readToEnd)
        try await withScriptedPeer(peer) { socket, fixture in
            let start = ContinuousClock().now
            await socket.close()
            let elapsed = ContinuousClock().now - start
            #expect(elapsed >= .milliseconds(4500), "\(elapsed)")
            #expect(elapsed < .seconds(7), "\(elapsed)")
            let error = try await failure { try await socket.receive() }
            #expect(error.code == .webSocketClosed)
            #expect(
                error.closure == WebSocketClosure(code: .abnormalClosure, isByPeer: false, sentCode: .normalClosure))
            let isIdle = await fixture.hasNoConnections()
            #expect(isIdle)
        }
    }

    @Test func closingEndsASendThatWaits() async throws {
        let peer = try ScriptedPeer.accepting(.wait(.seconds(4)), .reset)
        try await withScriptedPeer(peer, with: .sendBuffer(bytes: 64 << 10)) { socket, fixture in
            let sent = Locked(0)
            let sender = Task {
                while true {
                    try await socket.send(Bytes([UInt8](repeating: 1, count: 64 << 10)))
                    sent.change { $0 += 1 }
                }
            }
            try await standstill { sent.value }
            let start = ContinuousClock().now
            await socket.close()
            #expect(ContinuousClock().now - start < .seconds(7))
            let error = try await failure { try await sender.value }
            #expect(error.code == .webSocketClosed, "\(error)")
            let isIdle = await fixture.hasNoConnections()
            #expect(isIdle)
        }
    }

    @Test func aShutdownEndsEveryConnection() async throws {
        let server = try await TestServer.start(webSockets: [.echo()])
        try await Fixture.run { fixture in
            let first = try await fixture.client.connect(server.webSocketURL + "/echo")
            let second = try await fixture.client.connect(server.webSocketURL + "/echo")
            #expect(fixture.transport.openConnections == 2)
            let reader = Task { try await first.receive() }
            await fixture.client.shutdown()
            let error = try await failure { try await reader.value }
            #expect([.shutdown, .webSocketClosed].contains(error.code), "\(error)")
            let sending = try await failure { try await second.send("late") }
            #expect([.shutdown, .webSocketClosed].contains(sending.code), "\(sending)")
            #expect(fixture.transport.openConnections == 0)
        }
        await server.stop()
    }
}
#endif
