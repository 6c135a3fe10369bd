#if os(Linux) && Server
import Foundation
import NetCore
import NetSocket
import NetTestServer
import NetTesting
import Testing

/// The route of the bytes.
enum Route: String, CaseIterable, CustomTestStringConvertible, Sendable {
    case plain, tls, tunnel, tlsInTunnel

    var testDescription: String { rawValue }
    var isSecure: Bool { self == .tls || self == .tlsInTunnel }
    var isTunnelled: Bool { self == .tunnel || self == .tlsInTunnel }

    /// The routes whose programs are installed.
    static var installed: [Route] {
        guard PythonPeer.isInstalled else { return [] }
        return Tinyproxy.isInstalled ? allCases : [.plain, .tls]
    }
}

/// Tests with an independent server implementation.
@Suite(.timeLimit(.minutes(1)))
struct EchoTests {
    private static let sizes = [0, 1, 125, 126, 65_535, 65_536, 3_000_000]

    @Test(arguments: Route.installed) func everySizeComesBackAsItWasSent(over route: Route) async throws {
        let peer = try await PythonPeer.shared
        let proxy = route.isTunnelled ? try await Tinyproxy.shared : nil
        let url = peer.url("/echo", isSecure: route.isSecure)
        let port = try #require(URL(string: url)?.port)
        let tunnels = proxy?.tunnels(to: port) ?? 0
        try await Fixture.run(trusting: peer.authorityPEM, proxy: proxy?.url) { fixture in
            let request = WebSocketRequest(url: url, maximumMessageBytes: 4 << 20)
            let socket = try await fixture.client.connect(request)
            #expect(socket.response.status.code == 101)
            #expect(socket.subprotocol == nil)
            for size in Self.sizes {
                let text = String.sample(bytes: size)
                try await socket.send(text)
                let answer = try await socket.receive()
                #expect(answer.text == text, "\(size) bytes of text")
                let bytes = BytePattern.bytes(from: 7, count: size)
                try await socket.send(bytes)
                let echo = try await socket.receive()
                #expect(echo.binary == bytes, "\(size) bytes")
            }
            await socket.close()
            let isIdle = await fixture.hasNoConnections()
            #expect(isIdle)
        }
        if let proxy { #expect(proxy.tunnels(to: port) == tunnels + 1, "the tunnel was not used") }
    }

    @Test(arguments: Route.installed) func manyMessagesAtOnceStayInOrder(over route: Route) async throws {
        let peer = try await PythonPeer.shared
        let proxy = route.isTunnelled ? try await Tinyproxy.shared : nil
        try await Fixture.run(trusting: peer.authorityPEM, proxy: proxy?.url) { fixture in
            let socket = try await fixture.client.connect(peer.url("/echo", isSecure: route.isSecure))
            let sent = (0..<2000).map { number in
                number % 3 == 0
                    ? WebSocketMessage.binary(BytePattern.bytes(from: 0, count: number % 700))
                    : .text("message \(number)")
            }
            async let sending: Void = socket.send(contentsOf: sent)
            var received: [WebSocketMessage] = []
            while received.count < sent.count { received += try await socket.receiveAll() }
            try await sending
            #expect(received == sent)
            await socket.close()
        }
    }

    @Test(.enabled(if: PythonPeer.isInstalled)) func fieldsAndSubprotocolsReachTheServer() async throws {
        let peer = try await PythonPeer.shared
        try await Fixture.run { fixture in
            var request = WebSocketRequest(url: peer.url("/fields?a=b%20c"), headers: [.authorization: "Bearer geheim"])
            request.subprotocols = ["chat.v1", "other"]
            let socket = try await fixture.client.connect(request)
            #expect(socket.subprotocol == "chat.v1")
            let received = try await socket.receive()
            let fields = try #require(received.text).lowercased()
            #expect(fields.contains("authorization: bearer geheim"))
            #expect(fields.contains("sec-websocket-version: 13"))
            #expect(fields.contains("sec-websocket-protocol: chat.v1, other"))
            #expect(!fields.contains("sec-websocket-extensions"))
            let agreed = try await fixture.client.connect(
                WebSocketRequest(url: peer.url("/subprotocol"), subprotocols: ["chat.v2"]))
            let name = try await agreed.receive()
            #expect(name == .text("chat.v2"))
            #expect(agreed.response.headers[try #require(.init("Sec-WebSocket-Protocol"))] == "chat.v2")
        }
    }

    @Test(.enabled(if: PythonPeer.isInstalled)) func fragmentsWithPingsBetweenAreOneMessage() async throws {
        let peer = try await PythonPeer.shared
        try await Fixture.run { fixture in
            for path in ["/fragments", "/fragments?pings=1"] {
                let socket = try await fixture.client.connect(peer.url(path))
                let message = try await socket.receive()
                #expect(message == .text("Grüße, in drei Teilen"))
                await socket.close()
            }
        }
    }
}
#endif
