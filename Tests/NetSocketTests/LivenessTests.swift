#if os(Linux) && Server
import Foundation
import Glibc
import NetCore
import NetSocket
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// A peer that is gone is detected, and a connection stays open if the peer is only quiet or we don't read from it.
@Suite(.timeLimit(.minutes(1)))
struct LivenessTests {
    private static let quick = WebSocketLiveness(silence: .milliseconds(100), grace: .milliseconds(100))
    /// For peers that must be kept, even on a busy machine.
    private static let patient = WebSocketLiveness(silence: .milliseconds(50), grace: .seconds(10))

    @Test func aPeerThatAnswersNothingIsDropped() async throws {
        let peer = try ScriptedPeer.accepting(.readToEnd)
        defer { peer.stop() }
        try await Fixture.run { fixture in
            let socket = try await fixture.client.connect(request(peer.url))
            let error = try await failure { try await socket.receive() }
            #expect(error.code == .connectionLost)
            #expect(error.closure?.code == .abnormalClosure)
            #expect(error.message.contains("silent for 0.1"))
            #expect(error.call?.url.contains("127.0.0.1") == true)
            let isAsked = await eventually { peer.frames.map(\.opcode) == [9] }
            #expect(isAsked, "\(peer.frames)")
            let isIdle = await fixture.hasNoConnections()
            #expect(isIdle)
        }
    }

    @Test func aPeerWhosePongsComeIsKept() async throws {
        let server = try await TestServer.start(webSockets: [.echo()])
        try await Fixture.run { fixture in
            let socket = try await fixture.client.connect(request(server.webSocketURL + "/echo", Self.patient))
            try await server.wait { requests, _ in requests.first?.webSocket?.pings ?? 0 >= 4 }
            try await socket.send("still there")
            #expect(try await socket.receive() == .text("still there"))
        }
        await server.stop()
    }

    @Test func aPeerThatOnlySendsIsNotAsked() async throws {
        let bytes = (0..<40).flatMap { TestFrame.text("\($0)").bytes }
        let peer = try ScriptedPeer.accepting(.pieces(bytes, of: 3, every: .milliseconds(20)), .readToEnd)
        defer { peer.stop() }
        let liveness = WebSocketLiveness(silence: .milliseconds(600), grace: .seconds(10))
        try await Fixture.run { fixture in
            let socket = try await fixture.client.connect(request(peer.url, liveness))
            for number in 0..<40 { #expect(try await socket.receive() == .text("\(number)")) }
            #expect(peer.frames.isEmpty)
        }
    }

    @Test func readingThatWePausedIsNoSilence() async throws {
        let frame = TestFrame.binary([UInt8](repeating: 1, count: 1000)).bytes
        let peer = try ScriptedPeer.accepting(.repeated(frame, count: 20_000), .readToEnd)
        defer { peer.stop() }
        try await Fixture.run(with: .inbox(bytes: 4096)) { fixture in
            // Shorter than the pause, but longer than a busy machine may keep the peer from sending.
            let liveness = WebSocketLiveness(silence: .milliseconds(100), grace: .milliseconds(500))
            let socket = try await fixture.client.connect(request(peer.url, liveness))
            try await Task.sleep(for: .milliseconds(700))
            var count = 0
            while count < 20_000 { count += try await socket.receiveAll().count }
            #expect(count == 20_000)
        }
    }

    @Test func aHeartbeatOfTheApplicationTakesThePlaceOfAPing() async throws {
        let server = try await TestServer.start(webSockets: [.echo()])
        try await Fixture.run { fixture in
            var request = request(server.webSocketURL + "/echo", Self.patient)
            request.liveness?.probe = .message { .text(#"{"event":"heartbeat"}"#) }
            let socket = try await fixture.client.connect(request)
            for _ in 0..<3 { #expect(try await socket.receive() == .text(#"{"event":"heartbeat"}"#)) }
            #expect(server.requests.first?.webSocket?.pings == 0)
        }
        await server.stop()
    }

    @Test func withoutLivenessNothingIsAsked() async throws {
        let peer = try ScriptedPeer.accepting(.wait(.milliseconds(400)), .send(TestFrame.text("late")), .readToEnd)
        defer { peer.stop() }
        try await Fixture.run { fixture in
            var request = request(peer.url)
            request.liveness = nil
            let socket = try await fixture.client.connect(request)
            #expect(try await socket.receive() == .text("late"))
            #expect(peer.frames.isEmpty)
        }
    }

    @Test(.enabled(if: PythonPeer.isInstalled)) func aServerThatWasStoppedIsNoticed() async throws {
        let server = try await offPool { try PythonPeer() }
        try await Fixture.run(trusting: server.authorityPEM) { fixture in
            let liveness = WebSocketLiveness(silence: .milliseconds(500), grace: .seconds(1))
            for isSecure in [false, true] {
                let url = server.url("/echo", isSecure: isSecure)
                let socket = try await fixture.client.connect(request(url, liveness))
                try await socket.send("hello")
                #expect(try await socket.receive() == .text("hello"))
                kill(server.pid, SIGSTOP)
                let error = try await failure { try await socket.receive() }
                #expect(error.code == .connectionLost)
                #expect(error.closure?.code == .abnormalClosure)
                let isIdle = await fixture.hasNoConnections()
                #expect(isIdle)
                kill(server.pid, SIGCONT)
            }
        }
        server.stop()
    }

    @Test func theLinkKnowsItsSilenceAndCanDrop() async throws {
        let server = try await TestServer.start(webSockets: [.echo()])
        try await Fixture.run { fixture in
            let socket = try await fixture.client.connect(server.webSocketURL + "/echo")
            try await Task.sleep(for: .seconds(1))
            let before = try #require(socket.silence)
            try await socket.send("a")
            _ = try await socket.receive()
            let after = try #require(socket.silence)
            #expect(before >= .seconds(1))
            #expect(after < before)
            socket.drop()
            let error = try await failure { try await socket.receive() }
            #expect(error.code == .connectionLost)
            let isIdle = await fixture.hasNoConnections()
            #expect(isIdle)
        }
        try await server.wait { requests, _ in requests.first?.outcome == .clientWentAway }
        await server.stop()
    }

    private func request(_ url: String, _ liveness: WebSocketLiveness = quick) -> WebSocketRequest {
        var request = WebSocketRequest(url: url)
        request.liveness = liveness
        return request
    }
}
#endif
