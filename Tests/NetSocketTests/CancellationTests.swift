#if os(Linux) && Server
import NetCore
import NetSocket
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// Cancelled tasks and dropped connections.
@Suite(.timeLimit(.minutes(1)))
struct CancellationTests {
    @Test func aCancelledReceiveLosesNoMessage() async throws {
        let count = 400
        let steps = (0..<count).flatMap { [WebSocketStep.text("\($0)"), .wait(.microseconds(Int64($0 % 7) * 300))] }
        let server = try await TestServer.start(webSockets: [WebSocketStub("/", steps: steps + [.close()])])
        try await Fixture.run { fixture in
            let socket = try await fixture.client.connect(server.webSocketURL + "/")
            var (received, cancelled): ([String], Int) = ([], 0)
            loop: while true {
                let reader = Task { try await socket.receive() }
                for _ in 0..<(received.count % 40) { await Task.yield() }
                reader.cancel()
                do {
                    received.append(try await reader.value.text ?? "")
                } catch let error as NetError {
                    if error.code == .cancelled { cancelled += 1 } else { break loop }
                }
            }
            #expect(received == (0..<count).map { "\($0)" })
            #expect(cancelled > 0, "no receive was cancelled")
        }
        await server.stop()
    }

    @Test func aReceiveThatWaitsIsCancelledAtOnce() async throws {
        let server = try await TestServer.start(webSockets: [.echo()])
        try await Fixture.run { fixture in
            let socket = try await fixture.client.connect(server.webSocketURL + "/echo")
            let reader = Task { try await socket.receive() }
            try await Task.sleep(for: .milliseconds(30))
            let start = ContinuousClock().now
            reader.cancel()
            let error = try await failure { try await reader.value }
            #expect(error.code == .cancelled, "\(error)")
            #expect(ContinuousClock().now - start < .milliseconds(500), "\(error)")
            // The connection is unchanged.
            try await socket.send("still here")
            let message = try await socket.receive()
            #expect(message == .text("still here"))
        }
        await server.stop()
    }

    @Test func aSendThatWaitsIsCancelledAndItsMessageNotSent() async throws {
        let server = try await TestServer.start(webSockets: [WebSocketStub("/", .wait(.milliseconds(1500)), .echo)])
        try await Fixture.run { fixture in
            let socket = try await fixture.client.connect(server.webSocketURL + "/")
            let sent = Locked(0)
            let sender = Task {
                for number in 0..<10_000 {
                    try await socket.send(BytePattern.bytes(from: Int64(number), count: 64 << 10))
                    sent.change { $0 += 1 }
                }
            }
            try await standstill { sent.value }
            sender.cancel()
            let error = try await failure { try await sender.value }
            #expect(error.code == .cancelled, "\(error)")
            // The messages come back in order, followed by those sent later: the cancelled one is in neither.
            let reader = Task {
                var messages: [WebSocketMessage] = []
                while messages.last != .text("end") { messages += try await socket.receiveAll() }
                return messages
            }
            try await socket.send("end")
            let messages = try await reader.value
            #expect(messages.count == sent.value + 1)
            for (number, message) in messages.dropLast().enumerated() {
                #expect(message.binary == BytePattern.bytes(from: Int64(number), count: 64 << 10))
            }
        }
        await server.stop()
    }

    @Test func droppingTheLastReferenceEndsTheConnection() async throws {
        let peer = try ScriptedPeer.accepting(.readToEnd)
        defer { peer.stop() }
        try await Fixture.run { fixture in
            var socket: WebSocketConnection? = try await fixture.client.connect(peer.url)
            try await socket?.send("hello")
            #expect(fixture.transport.openConnections == 1)
            socket = nil
            let isIdle = await fixture.hasNoConnections()
            #expect(isIdle)
            let isSeen = await eventually { peer.frames.contains { $0.opcode == 8 } || peer.frames.count == 1 }
            #expect(isSeen)
            #expect(peer.frames.map(\.opcode) == [1], "a dropped connection says nothing: \(peer.frames)")
        }
    }

    @Test func droppingAConnectionWhoseReaderWasCancelledEndsIt() async throws {
        let server = try await TestServer.start(webSockets: [.echo()])
        try await Fixture.run { fixture in
            do {
                let socket = try await fixture.client.connect(server.webSocketURL + "/echo")
                let reader = Task { for try await _ in socket.messages {} }
                try await Task.sleep(for: .milliseconds(30))
                reader.cancel()
                let error = try await failure { try await reader.value }
                #expect(error.code == .cancelled, "\(error)")
            }
            let isIdle = await fixture.hasNoConnections()
            #expect(isIdle)
            try await server.wait { requests, _ in requests.first?.outcome == .clientWentAway }
        }
        await server.stop()
    }
}
#endif
