#if os(Linux) && Server
import NetCore
import NetSocket
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// Messages that are sent in parts (RFC 6455 section 5.4).
@Suite(.timeLimit(.minutes(1)))
struct PartsTests {
    private struct Broken: Error {}

    @Test func eachPartIsAFrameWhenItIsThere() async throws {
        let peer = try ScriptedPeer.accepting(.readToEnd)
        try await withScriptedPeer(peer) { socket, _ in
            let (parts, feed) = AsyncStream.makeStream(of: Bytes.self)
            async let sent: Void = socket.send(parts: parts, as: .text)
            feed.yield(Bytes("one ".utf8))
            let isFirstThere = await eventually(within: .seconds(5)) { peer.frames.count == 1 }
            #expect(isFirstThere)
            feed.yield(Bytes("two".utf8))
            feed.finish()
            try await sent
            try await socket.send("next")
            let isThere = await eventually(within: .seconds(5)) { peer.frames.count == 4 }
            #expect(isThere)
            #expect(peer.frames.map(\.opcode) == [1, 0, 0, 1])
            #expect(peer.frames.map(\.isFinal) == [false, false, true, true])
            #expect(peer.frames.map(\.text) == ["one ", "two", "", "next"])
        }
    }

    @Test func otherMessagesWaitAndPingsDoNot() async throws {
        let peer = try ScriptedPeer.accepting(.readToEnd)
        try await withScriptedPeer(peer) { socket, _ in
            let (parts, feed) = AsyncStream.makeStream(of: Bytes.self)
            async let sent: Void = socket.send(parts: parts, as: .binary)
            feed.yield(Bytes([1]))
            let isFirstThere = await eventually(within: .seconds(5)) { peer.frames.count == 1 }
            #expect(isFirstThere)
            async let other: Void = socket.send("other")
            let ping = Task { try? await socket.ping() }
            let isPingThere = await eventually(within: .seconds(5)) { peer.frames.count == 2 }
            #expect(isPingThere)
            #expect(peer.frames.map(\.opcode) == [2, 9])
            feed.finish()
            try await sent
            try await other
            let isThere = await eventually(within: .seconds(5)) { peer.frames.count == 4 }
            #expect(isThere)
            #expect(peer.frames.map(\.opcode) == [2, 9, 0, 1])
            ping.cancel()
        }
    }

    @Test func aCharacterMayBeCut() async throws {
        let server = try await TestServer.start(webSockets: [.echo()])
        try await Fixture.run { fixture in
            let socket = try await fixture.client.connect(server.webSocketURL + "/echo")
            let text = "aä€😀"
            let parts = text.utf8.map { Bytes([$0]) }
            try await socket.send(parts: stream(parts), as: .text)
            #expect(try await socket.receive() == .text(text))
            try await socket.send(parts: stream([]), as: .text)
            #expect(try await socket.receive() == .text(""))
        }
        await server.stop()
    }

    @Test(arguments: [true, false]) func aMessageThatBreaksOffClosesTheConnection(_ isBadText: Bool) async throws {
        let peer = try ScriptedPeer.accepting(.readClose, .send(TestFrame.close(1011)), .close)
        try await withScriptedPeer(peer) { socket, _ in
            let parts = AsyncThrowingStream<Bytes, any Error> { feed in
                feed.yield(Bytes("begun".utf8))
                if isBadText { feed.yield(Bytes([0xFF])) }
                feed.finish(throwing: Broken())
            }
            let error = try await failure { try await socket.send(parts: parts, as: .text) }
            #expect(error.code == .encoding)
            #expect((isBadText || error.underlying is Broken))
            let later = try await failure { try await socket.send("later") }
            #expect(later.code == .webSocketClosed)
            #expect(later.closure?.isByPeer == false)
            let isThere = await eventually(within: .seconds(5)) { peer.frames.last?.closeCode == 1011 }
            #expect(isThere)
        }
    }

    @Test func aMessageThatHasNotBegunBreaksNothing() async throws {
        let server = try await TestServer.start(webSockets: [.echo()])
        try await Fixture.run { fixture in
            let socket = try await fixture.client.connect(server.webSocketURL + "/echo")
            let parts = AsyncThrowingStream<Bytes, any Error> { $0.finish(throwing: Broken()) }
            let error = try await failure { try await socket.send(parts: parts, as: .text) }
            #expect(error.underlying is Broken)
            try await socket.send("fine")
            #expect(try await socket.receive() == .text("fine"))
        }
        await server.stop()
    }

    @Test func cancellationInsideOfAMessageClosesTheConnection() async throws {
        let peer = try ScriptedPeer.accepting(.readClose, .send(TestFrame.close(1011)), .close)
        try await withScriptedPeer(peer) { socket, _ in
            let (parts, feed) = AsyncStream.makeStream(of: Bytes.self)
            let task = Task { try await socket.send(parts: parts, as: .binary) }
            feed.yield(Bytes([1]))
            let isFirstThere = await eventually(within: .seconds(5)) { peer.frames.count == 1 }
            #expect(isFirstThere)
            task.cancel()
            let error = try await failure { try await task.value }
            #expect(error.code == .cancelled)
            // A stream just ends when its task is cancelled; a partial message isn't sent as a complete one.
            let isOver = await eventually(within: .seconds(5)) { peer.frames.last?.closeCode == 1011 }
            #expect(isOver)
        }
    }

    private func stream(_ parts: [Bytes]) -> AsyncStream<Bytes> {
        AsyncStream { feed in
            for part in parts { feed.yield(part) }
            feed.finish()
        }
    }
}
#endif
