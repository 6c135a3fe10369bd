#if os(Linux) && Server
import NetCore
import NetSocket
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// A side that doesn't read slows the other one down: nothing accumulates here.
@Suite(.timeLimit(.minutes(1)))
struct BackPressureTests {
    /// The number of bytes that may be in transit in addition to our own buffers: those of both kernels.
    private static let kernelBytes = 12 << 20

    @Test(arguments: [1000, 65_536]) func aReaderThatSleepsHoldsTheServerBack(messageSize: Int) async throws {
        let frame = TestFrame.binary([UInt8](repeating: 9, count: messageSize)).bytes
        let count = 16_000_000 / frame.count
        let peer = try ScriptedPeer.accepting(.repeated(frame, count: count), .readClose, .close)
        try await withScriptedPeer(peer) { socket, _ in
            try await standstill { peer.sent.first ?? 0 }
            // A peer that got no processor for a while stands still too, so this measures up to three times.
            var spent = Duration.seconds(1)
            for _ in 0..<3 where spent >= .milliseconds(100) {
                let start = ThisProcess.processorTime
                try await Task.sleep(for: .milliseconds(300))
                spent = ThisProcess.processorTime - start
            }
            let held = peer.sent.first ?? 0
            #expect(spent < .milliseconds(100), "waiting for a reader that sleeps took \(spent) of 0.3 s")
            #expect(held < Self.kernelBytes, "the kernels took \(held) bytes for a reader that sleeps")
            var received = 0
            while received < count {
                let messages = try await socket.receiveAll()
                if !messages.allSatisfy({ $0.count == messageSize }) { Issue.record("a message of another size") }
                received += messages.count
            }
            #expect(received == count)
            await socket.close()
        }
    }

    /// The kernel reports only once that the peer has ended: here while nothing reads.
    @Test(arguments: [false, true]) func anEndThatComesWhileTheReaderSleepsIsSeen(isSecure: Bool) async throws {
        let server = try await TestServer.start(
            webSockets: [WebSocketStub("/burst", .pattern(bytes: 100_000, size: 1000), .drop(.close))],
            configuration: isSecure ? .tls() : TestServer.Configuration())
        try await Fixture.run(trusting: server.caCertificatePEM, with: .inbox(bytes: 8 << 10)) { fixture in
            let socket = try await fixture.client.connect(server.webSocketURL + "/burst")
            try await server.wait { requests, _ in requests.last?.outcome != .running }
            // The server has sent the end; this gives the loop time to notice it.
            try await Task.sleep(for: .milliseconds(50))
            var received = 0
            let error = await #expect(throws: NetError.self) {
                while true { received += try await socket.receive().count }
            }
            #expect(received == 100_000)
            #expect(error?.code == .connectionLost)
        }
        await server.stop()
    }

    @Test(arguments: [false, true]) func aPeerThatDoesNotReadSuspendsTheSender(isSecure: Bool) async throws {
        let server = try await TestServer.start(
            webSockets: [WebSocketStub("/slow", .wait(.seconds(4)), .echo)],
            configuration: isSecure ? .tls() : TestServer.Configuration())
        try await Fixture.run(trusting: server.caCertificatePEM) { fixture in
            let socket = try await fixture.client.connect(server.webSocketURL + "/slow")
            let sent = Locked(0)
            let size = 64 << 10
            let total = 260
            let sender = Task {
                for number in 0..<total {
                    try await socket.send(BytePattern.bytes(from: Int64(number), count: size))
                    sent.change { $0 += 1 }
                }
            }
            try await standstill { sent.value }
            #expect(sent.value < total, "\(sent.value) messages were taken")
            #expect(sent.value * size < Self.kernelBytes, "\(sent.value) messages were taken")
            var received = 0
            while received < total {
                for message in try await socket.receiveAll() {
                    #expect(message.binary == BytePattern.bytes(from: Int64(received), count: size))
                    received += 1
                }
            }
            try await sender.value
            await socket.close()
        }
        await server.stop()
    }

    @Test(arguments: [false, true]) func connectionsThatDoNothingTakeNoTime(isSecure: Bool) async throws {
        let server = try await TestServer.start(
            webSockets: [.echo()], configuration: isSecure ? .tls() : TestServer.Configuration())
        try await Fixture.run(trusting: server.caCertificatePEM) { fixture in
            var sockets: [WebSocketConnection] = []
            for _ in 0..<3 { sockets.append(try await fixture.client.connect(server.webSocketURL + "/echo")) }
            for socket in sockets { try await socket.ping() }
            let start = ThisProcess.processorTime
            try await Task.sleep(for: .milliseconds(300))
            let spent = ThisProcess.processorTime - start
            #expect(spent < .milliseconds(50), "doing nothing took \(spent) of 0.3 s")
            withExtendedLifetime(sockets) {}
        }
        await server.stop()
    }

    @Test func aSmallInboxIsKept() async throws {
        let server = try await TestServer.start(
            webSockets: [WebSocketStub("/fast", .pattern(bytes: 10_000_000, size: 4096), .close())])
        try await Fixture.run(with: .inbox(bytes: 16 << 10)) { fixture in
            let socket = try await fixture.client.connect(server.webSocketURL + "/fast")
            var position: Int64 = 0
            var largest = 0
            while position < 10_000_000 {
                let messages = try await socket.receiveAll()
                largest = max(largest, messages.reduce(0) { $0 + $1.count })
                for message in messages {
                    let count = min(4096, 10_000_000 - Int(position))
                    if message != .binary(BytePattern.bytes(from: position, count: count)) {
                        Issue.record("other bytes from \(position)")
                    }
                    position += Int64(message.count)
                }
            }
            // One read of the loop may exceed the mark.
            #expect(largest <= 1 << 20, "\(largest) bytes were in the inbox")
        }
        await server.stop()
    }
}
#endif
