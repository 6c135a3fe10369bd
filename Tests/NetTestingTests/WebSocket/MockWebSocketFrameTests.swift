import HTTPTypes
import NetCore
import NetSocket
import NetTesting
import Synchronization
import Testing

/// The frames that a mocked server and a client exchange.
@Suite(.timeLimit(.minutes(1)))
struct MockWebSocketFrameTests {
    private let clock = TestClock()

    private func client(_ transport: MockWebSocketTransport) -> WebSocketClient {
        WebSocketClient(configuration: .init(clock: clock.netClock), transport: transport)
    }

    @Test func rawBytesAreFramesIfTheyAre() async throws {
        let transport = MockWebSocketTransport([
            WebSocketStub("/raw", .raw(Bytes([0x01, 0x01, 0x61])), .ping("!"), .raw(Bytes([0x80, 0x01, 0x62])))
        ])
        let socket = try await client(transport).connect("ws://mock.test/raw")
        #expect(try await socket.receive() == .text("ab"))
        await socket.close()
        #expect(transport.sockets.map(\.pongs) == [1])
    }

    @Test func fragmentsAreOneMessage() async throws {
        let parts = [Bytes("gr\u{FC}n".utf8.prefix(3)), Bytes(), Bytes("gr\u{FC}n".utf8.dropFirst(3))]
        let transport = MockWebSocketTransport([WebSocketStub("/parts", .fragments(parts, isText: true))])
        let socket = try await client(transport).connect("ws://mock.test/parts")
        #expect(try await socket.receive() == .text("gr\u{FC}n"))
    }

    @Test func compressionIsNegotiated() async throws {
        let text = String(repeating: "again and ", count: 1000)
        var stub = WebSocketStub.echo("/chat")
        stub.compression = WebSocketCompression(receiving: .init(takesOverContext: false))
        // Only the compressed text is shorter than that.
        stub.faults = .both(.drop(after: .bytes(5000)))
        let transport = MockWebSocketTransport([stub])
        var request = WebSocketRequest(url: "ws://mock.test/chat")
        request.compression = WebSocketCompression()
        let socket = try await client(transport).connect(request)
        #expect(socket.compression?.sending.takesOverContext == false)
        #expect(socket.response.headers[.secWebSocketExtensions] == "permessage-deflate; client_no_context_takeover")
        #expect(transport.sockets.first?.compression?.receiving.takesOverContext == false)
        try await socket.send(text)
        #expect(try await socket.receive() == .text(text))

        request.compression = nil
        let plain = try await client(transport).connect(request)
        #expect(plain.compression == nil)
        try await plain.send(text)
        let error = await #expect(throws: NetError.self) { () async throws in _ = try await plain.receive() }
        #expect(error?.code == .connectionLost)
        #expect(error?.closure?.code == .abnormalClosure)
    }

    @Test func faultsOfAStubEndTheConnection() async throws {
        var stub = WebSocketStub("/news", .text("one"), .text("two"), .text("three"))
        stub.faults = WebSocketFaults(toClient: .drop(after: .frames(2)))
        let socket = try await client(MockWebSocketTransport([stub])).connect("ws://mock.test/news")
        #expect(try await socket.receive() == .text("one"))
        #expect(try await socket.receive() == .text("two"))
        let error = await #expect(throws: NetError.self) { () async throws in _ = try await socket.receive() }
        #expect(error?.code == .connectionLost)
        #expect(error?.url?.contains("mock.test/news") == true)
    }

    @Test func aSilentPeerIsNoticedIfTheTransportWatches() async throws {
        let transport = MockWebSocketTransport([WebSocketStub("/stall", .stall)])
        transport.watchesSilence = true
        let socket = try await client(transport).connect("ws://mock.test/stall")
        let error = await #expect(throws: NetError.self) {
            try await clock.run { _ = try await socket.receive() }
        }
        #expect(error?.code == .connectionLost)
        #expect(clock.now == .seconds(45))
        // The peer closes an already closed connection, which is quick.
        while clock.sleepers > 0, !Task.isCancelled { await Task.yield() }
        #expect(clock.sleepers == 0)
    }

    @Test func onePeerMayPlayBothSides() async throws {
        let transport = MockWebSocketTransport()
        let socket = try await client(transport).connect("ws://mock.test/any")
        let peer = try await transport.accept()
        try await peer.send("question")
        #expect(try await socket.receive() == .text("question"))
        // The client hasn't requested more, so its close frame waits for its reply.
        try await peer.close(.goingAway, reason: "restart")
        try await socket.send("answer")
        let error = await #expect(throws: NetError.self) { () async throws in _ = try await socket.receive() }
        #expect(error?.closure == WebSocketClosure(code: .goingAway, reason: "restart"))
        #expect(try await peer.receive() == nil)
        #expect(transport.sockets.first?.messages == [.text("answer")])
        #expect(
            transport.sockets.first?.closure == WebSocketClosure(code: .goingAway, reason: "restart", isByPeer: false))
    }

    @Test func theTaskOfAStubEndsWithTheConnection() async throws {
        let ends = Mutex<[String]>([])
        let transport = MockWebSocketTransport([
            WebSocketStub("/sleep") { socket in
                do { try await socket.clock.sleep(for: .seconds(3600)) } catch {
                    ends.withLock { $0.append("\(error)") }
                }
                let rest = try await socket.receiveAll()
                ends.withLock { $0.append("\(rest?.count ?? 0)") }
            }
        ])
        let socket = try await client(transport).connect("ws://mock.test/sleep")
        try await socket.send("unread")
        try await clock.waitForSleepers(count: 1)
        socket.drop()
        while ends.withLock({ $0.count }) < 2, !Task.isCancelled { await Task.yield() }
        #expect(ends.withLock { $0 } == ["CancellationError()", "1"])
        // The peer closes an already closed connection, which is quick.
        while clock.sleepers > 0, !Task.isCancelled { await Task.yield() }
        #expect(clock.now == .zero)
    }

    @Test func aPeerReadsOnAfterItsReceiveWasCancelled() async throws {
        let transport = MockWebSocketTransport()
        let socket = try await client(transport).connect("ws://mock.test/any")
        let peer = try await transport.accept()
        for number in 0..<100 {
            let receiver = Task { try await peer.receive() }
            await Task.yield()
            async let sent: Void = socket.send("\(number)")
            receiver.cancel()
            do {
                #expect(try await receiver.value == .text("\(number)"))
            } catch {
                #expect(error is CancellationError)
                #expect(try await peer.receive() == .text("\(number)"))
            }
            try await sent
        }
    }
}
