#if os(Linux) && Server
import NetCore
import NetSocket
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// permessage-deflate (RFC 7692) with independent server implementations, and with our own.
@Suite(.timeLimit(.minutes(1)))
struct CompressionTests {
    private static let settings = [
        WebSocketCompression(minimumBytes: 0), WebSocketCompression.withoutContext,
        WebSocketCompression(
            sending: .init(windowBits: 9), receiving: .init(windowBits: 10, takesOverContext: false), level: 9,
            memoryLevel: 1),
    ]

    @Test(arguments: Route.installed, settings)
    func everySizeComesBackAsItWasSent(over route: Route, _ settings: WebSocketCompression) async throws {
        let peer = try await PythonPeer.shared
        let proxy = route.isTunnelled ? try await Tinyproxy.shared : nil
        try await Fixture.run(trusting: peer.authorityPEM, proxy: proxy?.url) { fixture in
            var request = WebSocketRequest(
                url: peer.url("/echo", isSecure: route.isSecure), maximumMessageBytes: 4 << 20)
            request.compression = settings
            let socket = try await fixture.client.connect(request)
            let agreed = try #require(socket.compression)
            #expect(agreed.receiving.windowBits <= settings.receiving.windowBits)
            #expect(settings.receiving.takesOverContext || !agreed.receiving.takesOverContext)
            for size in [0, 1, 126, 5000, 65_536, 700_000] {
                let text = String.sample(bytes: size)
                try await socket.send(text)
                #expect(try await socket.receive().text == text, "\(size) bytes of text")
                let bytes = BytePattern.bytes(from: 7, count: size)
                try await socket.send(.binary(bytes), compression: .always)
                #expect(try await socket.receive().binary == bytes, "\(size) bytes")
            }
            await socket.close()
        }
    }

    @Test(.enabled(if: SquidPeer.program.path != nil && SquidPeer.helper.path != nil))
    func messagesAreCompressedThroughSquid() async throws {
        let server = try await TestServer.start(webSockets: [echo()], configuration: .tls())
        let port = try await SquidPeer.shared.port
        var proxy = ProxyServer("http://127.0.0.1:\(port)", user: "ann", password: "geheim")
        proxy.authentication = .digest
        let chosen = proxy
        let change = Fixture.Change { $0.proxy = .server(chosen) }
        try await Fixture.run(trusting: server.caCertificatePEM, with: change) { fixture in
            let socket = try await fixture.client.connect(request(server))
            let text = String.sample(bytes: 100_000)
            for _ in 0..<3 {
                try await socket.send(text)
                #expect(try await socket.receive().text == text)
            }
            #expect(socket.compression != nil)
            await socket.close()
        }
        await server.stop()
    }

    @Test func aServerThatDeclinesIsSpokenToWithout() async throws {
        let server = try await TestServer.start(webSockets: [.echo()])
        try await Fixture.run { fixture in
            let socket = try await fixture.client.connect(request(server))
            #expect(socket.compression == nil)
            try await socket.send(.text(String(repeating: "a", count: 1000)), compression: .always)
            #expect(try await socket.receive().count == 1000)
        }
        #expect(server.requests.first?.webSocket?.compression == nil)
        await server.stop()
    }

    @Test func nothingIsOfferedUnlessAskedFor() async throws {
        let peer = try ScriptedPeer.accepting(.readToEnd)
        try await withScriptedPeer(peer) { _, _ in
            #expect(peer.heads.first?.lowercased().contains("sec-websocket-extensions") == false)
        }
    }

    @Test func shortMessagesGoPlainAndEachMayChoose() async throws {
        let peer = try ScriptedPeer(steps: [
            .readHead, .accept(headers: "Sec-WebSocket-Extensions: permessage-deflate\r\n"), .readToEnd,
        ])
        defer { peer.stop() }
        try await Fixture.run { fixture in
            var request = WebSocketRequest(url: peer.url)
            request.compression = WebSocketCompression()
            let socket = try await fixture.client.connect(request)
            #expect(
                peer.heads.first?.contains("Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n")
                    == true)
            let long = String(repeating: "long ", count: 100)
            try await socket.send("short")
            try await socket.send(long)
            try await socket.send(.text(long), compression: .never)
            try await socket.send(.text("short"), compression: .always)
            let isThere = await eventually(within: .seconds(5)) { peer.frames.count == 4 }
            #expect(isThere)
            #expect(peer.frames.map(\.reserved) == [0, 4, 0, 4])
            #expect(peer.frames.map { $0.payload.count < 50 } == [true, true, false, true])
        }
    }

    @Test func theLimitCountsWhatAMessageExpandsTo() async throws {
        var stub = WebSocketStub("/bomb", .text(String(repeating: "a", count: 3_000_000)))
        stub.compression = WebSocketCompression()
        let server = try await TestServer.start(webSockets: [stub])
        try await Fixture.run { fixture in
            let socket = try await fixture.client.connect(request(server, "/bomb"))
            let error = try await failure { try await socket.receive() }
            #expect(error.code == .bodyTooLarge)
            #expect(error.closure?.sentCode == .messageTooBig)
        }
        await server.stop()
    }

    @Test(arguments: [[0xC1, 0x02, 0x07, 0xFF], [0xC1, 0x01, 0x06], [0xC9, 0x00]] as [[UInt8]])
    func aPeerThatBreaksItIsToldWhy(_ frame: [UInt8]) async throws {
        var stub = WebSocketStub("/broken", .raw(Bytes(frame)))
        stub.compression = WebSocketCompression()
        let server = try await TestServer.start(webSockets: [stub])
        try await Fixture.run { fixture in
            let socket = try await fixture.client.connect(request(server, "/broken"))
            let error = try await failure { try await socket.receive() }
            #expect(error.code == .protocolViolation)
            try await server.wait { requests, _ in requests.first?.webSocket?.closure != nil }
            let code: WebSocketCloseCode = frame[0] == 0xC9 ? .protocolError : .invalidPayload
            #expect(server.requests.first?.webSocket?.closure?.code == code)
        }
        await server.stop()
    }

    @Test(arguments: ["x-webkit-deflate-frame", "permessage-deflate; server_max_window_bits=3"])
    func anExtensionThatWasNotAgreedOnIsRefused(_ field: String) async throws {
        let peer = try ScriptedPeer(steps: [
            .readHead, .accept(headers: "Sec-WebSocket-Extensions: \(field)\r\n"), .readToEnd,
        ])
        defer { peer.stop() }
        try await Fixture.run { fixture in
            var request = WebSocketRequest(url: peer.url)
            request.compression = WebSocketCompression()
            let error = try await fixture.refusal(request)
            #expect(error.code == .protocolViolation, "\(error)")
        }
    }

    private func echo() -> WebSocketStub {
        var stub = WebSocketStub.echo()
        stub.compression = WebSocketCompression()
        return stub
    }

    private func request(_ server: TestServer, _ path: String = "/echo") -> WebSocketRequest {
        var request = WebSocketRequest(url: server.webSocketURL + path)
        request.compression = WebSocketCompression()
        return request
    }
}
#endif
