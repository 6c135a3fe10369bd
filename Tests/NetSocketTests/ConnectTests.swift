#if os(Linux) && Server
import Foundation
import NetCore
import NetSocket
import NetTestServer
import NetTesting
import TestSupport
import Testing

@testable import NetTestServer

/// Connections that fail in each phase: by a timeout, by cancellation, by an error. ``ResolvingTests`` covers the
/// first phase.
@Suite(.timeLimit(.minutes(1)))
struct ConnectTests {
    /// A server that prevents a connection from getting past one phase.
    enum Phase: String, CaseIterable, CustomTestStringConvertible, Sendable {
        case connecting, proxy, securing, waiting

        var testDescription: String { rawValue }

        var expected: [NetError.Phase] {
            switch self {
            case .connecting: [.connecting]
            case .proxy: [.connecting, .waiting]
            case .securing: [.securing]
            case .waiting: [.waiting]
            }
        }

        /// Runs `body` with the address of such a server.
        func run(_ body: (_ url: String, _ proxy: String?) async throws -> Void) async throws {
            switch self {
            case .connecting:
                let hole = try BlackHole()
                defer { hole.stop() }
                try await body("ws://127.0.0.1:\(hole.port)/peer?token=geheim", nil)
            case .proxy, .securing, .waiting:
                let peer = try ScriptedPeer()
                defer { peer.stop() }
                let address = "127.0.0.1:\(peer.port)"
                let scheme = self == .securing ? "wss" : "ws"
                let host = self == .proxy ? "127.0.0.1:9" : address
                try await body("\(scheme)://\(host)/peer?token=geheim", self == .proxy ? "http://\(address)" : nil)
            }
        }
    }

    @Test(arguments: Phase.allCases) func timeOutsSayWhereAndKeepTheirTime(in phase: Phase) async throws {
        try await phase.run { url, proxy in
            try await Fixture.run(proxy: proxy) { fixture in
                let request = WebSocketRequest(url: url, connectTimeout: .milliseconds(300))
                let start = ContinuousClock().now
                let error = try await fixture.refusal(request)
                let elapsed = ContinuousClock().now - start
                #expect(error.code == .timeout, "\(error)")
                #expect(phase.expected.contains(error.phase), "\(error)")
                #expect(elapsed >= .milliseconds(295), "\(elapsed)")
                #expect(elapsed < .milliseconds(1500), "\(elapsed)")
                #expect(error.elapsed.map { $0 >= .milliseconds(295) && $0 <= elapsed } == true)
                #expect(error.url?.contains("/peer") == true, "\(error)")
                #expect(!error.description.contains("geheim"), "\(error)")
                let isIdle = await fixture.hasNoConnections()
                #expect(isIdle)
            }
        }
    }

    @Test(arguments: Phase.allCases) func cancellationEndsItAtOnce(in phase: Phase) async throws {
        try await phase.run { url, proxy in
            try await Fixture.run(proxy: proxy) { fixture in
                let task = Task { try await fixture.client.connect(WebSocketRequest(url: url, connectTimeout: nil)) }
                _ = await eventually { fixture.transport.openConnections == 1 }
                try await Task.sleep(for: .milliseconds(100))
                let start = ContinuousClock().now
                task.cancel()
                let error = try await failure { try await task.value }
                #expect(ContinuousClock().now - start < .milliseconds(500))
                #expect(error.code == .cancelled, "\(error)")
                #expect(phase.expected.contains(error.phase), "\(error)")
                let isIdle = await fixture.hasNoConnections()
                #expect(isIdle)
            }
        }
    }

    @Test func aTaskThatIsCancelledAlreadyDoesNotConnect() async throws {
        let server = try await TestServer.start(webSockets: [.echo()])
        try await Fixture.run { fixture in
            let task = Task {
                try? await Task.sleep(for: .seconds(10))
                return try await fixture.client.connect(server.webSocketURL + "/echo")
            }
            task.cancel()
            let error = try await failure { try await task.value }
            #expect(error.code == .cancelled)
            #expect(server.statistics.requests == 0)
        }
        await server.stop()
    }

    @Test func aShutdownEndsWhatIsConnecting() async throws {
        let peer = try ScriptedPeer()
        defer { peer.stop() }
        try await Fixture.run { fixture in
            let url = peer.url
            let task = Task { try await fixture.client.connect(url) }
            try await Task.sleep(for: .milliseconds(100))
            await fixture.client.shutdown()
            let error = try await failure { try await task.value }
            #expect(error.code == .shutdown, "\(error)")
            let late = try await fixture.refusal(WebSocketRequest(url: url))
            #expect(late.code == .shutdown, "\(late)")
        }
    }

    @Test func aRefusedConnectionSaysSo() async throws {
        let port = try Listener.freePort()
        try await Fixture.run { fixture in
            let error = try await fixture.refusal(
                WebSocketRequest(url: "ws://127.0.0.1:\(port)/peer?token=geheim"))
            #expect(error.code == .connect, "\(error)")
            #expect(error.phase == .connecting, "\(error)")
            #expect(error.elapsed.map { $0 < .seconds(2) } == true)
            #expect(error.url?.contains("/peer") == true)
            #expect(!error.description.contains("geheim"))
        }
    }

    @Test func anUnknownHostSaysSo() async throws {
        try await Fixture.run { fixture in
            let error = try await fixture.refusal(
                WebSocketRequest(url: "ws://\(SlowResolver.host)/peer?token=geheim"))
            #expect(error.code == .dns, "\(error)")
            #expect(error.phase == .resolving, "\(error)")
            #expect(error.message.contains(SlowResolver.host), "\(error)")
            #expect(!error.description.contains("geheim"))
        }
    }

    @Test func aCertificateThatIsNotTrustedSaysSo() async throws {
        for tls in [TestServer.TLS(), .expired, TestServer.TLS(hosts: ["example.com"])] {
            let server = try await TestServer.start(webSockets: [.echo()], configuration: .tls(tls))
            // The first one is valid except for its unknown authority, the others are invalid themselves.
            let pem = tls == TestServer.TLS() ? nil : server.caCertificatePEM
            try await Fixture.run(trusting: pem) { fixture in
                let error = try await fixture.refusal(
                    WebSocketRequest(url: server.webSocketURL + "/peer?token=geheim"))
                #expect(error.code == .tls, "\(error)")
                #expect(error.phase == .securing, "\(error)")
                #expect(!error.description.contains("geheim"))
            }
            #expect(server.statistics.requests == 0)
            await server.stop()
        }
    }

    @Test func insecureTrustAcceptsAnExpiredCertificate() async throws {
        let server = try await TestServer.start(webSockets: [.echo()], configuration: .tls(.expired))
        try await Fixture.run(with: .insecure) { fixture in
            let socket = try await fixture.client.connect(server.webSocketURL + "/echo")
            try await socket.send("hello")
            let message = try await socket.receive()
            #expect(message == .text("hello"))
        }
        await server.stop()
    }

    @Test(.enabled(if: Tinyproxy.isInstalled)) func aProxyThatCannotConnectIsNoWebSocketAnswer() async throws {
        let proxy = try await Tinyproxy.shared
        let port = try Listener.freePort()
        try await Fixture.run(proxy: proxy.url) { fixture in
            let error = try await fixture.refusal(
                WebSocketRequest(url: "ws://127.0.0.1:\(port)/peer?token=geheim"))
            #expect(error.code == .connect, "\(error)")
            #expect(!error.description.contains("geheim"))
        }
    }

    @Test(arguments: Phase.allCases) func noThreadOfThePoolIsBlockedMeanwhile(in phase: Phase) async throws {
        try await phase.run { url, proxy in
            try await Fixture.run(proxy: proxy) { fixture in
                let gap = await Ticker.smallestGap { await fixture.failToConnect(url, times: 16) }
                #expect(gap < Ticker.limit)
            }
        }
    }
}
#endif
