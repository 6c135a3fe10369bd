#if os(Linux) && Server
import NetCore
import NetSocket
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// Pings in both directions, by themselves and between the fragments of a message (RFC 6455 section 5.5).
@Suite(.timeLimit(.minutes(1)))
struct PingTests {
    @Test func aPingTakesAsLongAsItsPong() async throws {
        let server = try await TestServer.start(webSockets: [
            .echo(), WebSocketStub("/late", .wait(.seconds(1)), .echo),
        ])
        try await Fixture.run { fixture in
            let prompt = try await fixture.client.connect(server.webSocketURL + "/echo")
            let short = try await prompt.ping()
            #expect(short > .zero, "\(short)")
            #expect(short < .milliseconds(900), "\(short)")
            let late = try await fixture.client.connect(server.webSocketURL + "/late")
            let start = ContinuousClock().now
            let long = try await late.ping()
            let elapsed = ContinuousClock().now - start
            #expect(long > .milliseconds(100), "\(long) of \(elapsed)")
            #expect(long <= elapsed, "\(long) of \(elapsed)")
            try await server.wait { requests, _ in requests.map { $0.webSocket?.pings } == [1, 1] }
        }
        await server.stop()
    }

    @Test func severalPingsAtOnceEachGetTheirPong() async throws {
        let server = try await TestServer.start(webSockets: [.echo()])
        try await Fixture.run { fixture in
            let socket = try await fixture.client.connect(server.webSocketURL + "/echo")
            try await withThrowingTaskGroup(of: Duration.self) { group in
                for _ in 0..<20 { group.addTask { try await socket.ping() } }
                for try await time in group {
                    #expect(time > .zero)
                    #expect(time < .seconds(2))
                }
            }
        }
        await server.stop()
    }

    @Test(.enabled(if: PythonPeer.isInstalled)) func aRealServersPingsAreAnsweredAndOursToo() async throws {
        let server = try await PythonPeer.shared
        try await Fixture.run { fixture in
            let socket = try await fixture.client.connect(server.url("/ping"))
            let answer = try await socket.receive()
            let milliseconds = try #require(answer.text.flatMap { Int($0) })
            #expect(milliseconds < 1000)
            let time = try await socket.ping()
            #expect(time > .zero)
            #expect(time < .seconds(1))
        }
    }

    @Test func pingsAreAnsweredThoughNobodyReads() async throws {
        let peer = try ScriptedPeer.accepting(
            .send(TestFrame.ping("one")), .send(TestFrame.ping("")),
            .send(TestFrame.ping(String(repeating: "x", count: 125))), .readToEnd)
        try await withScriptedPeer(peer) { socket, _ in
            let isAnswered = await eventually { peer.frames.count == 3 }
            #expect(isAnswered, "\(peer.frames)")
            #expect(peer.frames.map(\.opcode) == [10, 10, 10])
            #expect(peer.frames.map(\.text) == ["one", "", String(repeating: "x", count: 125)])
            withExtendedLifetime(socket) {}
        }
    }

    @Test func pingsBetweenFragmentsAreAnsweredAndTheMessageIsWhole() async throws {
        let bytes =
            TestFrame.text("Grü", isFinal: false).bytes + TestFrame.ping("a").bytes
            + TestFrame.more("", isFinal: false).bytes + TestFrame.more("ße", isFinal: false).bytes
            + TestFrame.ping("b").bytes + TestFrame.pong([1]).bytes + TestFrame.more("!", isFinal: true).bytes
        for size in [1, 3, bytes.count] {
            let peer = try ScriptedPeer.accepting(.pieces(bytes, of: size, every: .milliseconds(1)), .readToEnd)
            try await withScriptedPeer(peer) { socket, _ in
                let message = try await socket.receive()
                #expect(message == .text("Grüße!"))
                let isAnswered = await eventually { peer.frames.map(\.text) == ["a", "b"] }
                #expect(isAnswered, "\(peer.frames)")
            }
        }
    }

    @Test func aPongThatNobodyAskedForIsIgnored() async throws {
        let peer = try ScriptedPeer.accepting(
            .send(TestFrame.pong([1, 2, 3])), .send(TestFrame.text("next")), .readToEnd)
        try await withScriptedPeer(peer) { socket, _ in
            let message = try await socket.receive()
            #expect(message == .text("next"))
            let unanswered = Task { try await socket.ping() }
            try await Task.sleep(for: .milliseconds(100))
            unanswered.cancel()
            let error = try await failure { try await unanswered.value }
            #expect(error.code == .cancelled, "\(error)")
        }
    }

    @Test func aPingWithoutAPongEndsAtItsTimeLimitAndTheConnectionStaysOpen() async throws {
        let peer = try ScriptedPeer.accepting(.read(14), .send(TestFrame.text("still here")), .readToEnd)
        try await withScriptedPeer(peer) { socket, _ in
            let error = try await failure { try await socket.ping(timeout: .milliseconds(50)) }
            #expect(error.code == .timeout, "\(error)")
            #expect(error.isTimeout)
            let message = try await socket.receive()
            #expect(message == .text("still here"))
        }
    }

    @Test func aPingThatIsNotAnsweredEndsWithTheConnection() async throws {
        let peer = try ScriptedPeer.accepting(.read(6), .close)
        try await withScriptedPeer(peer) { socket, _ in
            let error = try await failure { try await socket.ping() }
            #expect([.connectionLost, .webSocketClosed].contains(error.code), "\(error)")
        }
    }
}
#endif
