import NetCore
import NetSocket
import NetSocketCore
import NetTesting
import Testing

/// Topics that aren't the names of joined channels: tags of requests, and topics that a pattern covers.
@Suite(.timeLimit(.minutes(1)))
struct SessionTopicTests {
    /// The default wire, with channels such as `a/#`, which cover all topics that begin with `a/`.
    private struct PatternWire: WireMachine {
        var inner: any WireMachine
        var patterns: Set<String> = []

        mutating func encode(_ signal: WireSignal) throws(NetError) -> [WebSocketMessage] {
            if case .join(let join) = signal { patterns.insert(join.topic) }
            return try inner.encode(signal)
        }

        mutating func decode(_ message: WebSocketMessage) throws(NetError) -> WireReading {
            var reading = try inner.decode(message)
            reading.signals = reading.signals.map { signal in
                guard case .push(var push) = signal, let topic = push.topic else { return signal }
                push.channels = patterns.filter { $0.hasSuffix("#") && topic.hasPrefix($0.dropLast()) }.sorted()
                return .push(push)
            }
            return reading
        }
    }

    private static let patterns = SocketWire("patterns", features: SocketWire.json.features) { role in
        PatternWire(inner: SocketWire.json.makeMachine(role))
    }

    private static let tags: SocketWire = {
        var wire = SocketWire.json
        wire.features.insert(.tags)
        return wire
    }()

    // MARK: Tags

    @Test func aRequestMayHaveATagThatNobodyJoined() async throws {
        let server = SocketPeer(wire: Self.tags)
        try await server.client().withConnection { client in
            let page = client.channel("S1")
            var pushes = page.pushes.makeAsyncIterator()
            #expect(try await page.send(Say(text: "hello")).text == "hello")
            try await page.notify(Said(text: "by the way"))
            try await server.send(.push(WirePush(event: "event", payload: SocketPayload(json: "1"), topic: "S1")))
            let push = try await pushes.next()
            #expect(push?.topic == "S1")
            while server.received.count < 2, !Task.isCancelled { await Task.yield() }
            let topics = server.received.compactMap {
                if case .request(let request) = $0 { request.topic } else { nil }
            }
            #expect(topics == ["S1", "S1"])
        }
    }

    @Test func aChannelCanBeJoinedBesideTags() async throws {
        let server = SocketPeer(wire: Self.tags)
        try await server.client().withConnection { client in
            let room = try await client.join("room")
            #expect(try await room.send(Say(text: "hello")).text == "hello")
            #expect(try await client.channel("S1").send(Say(text: "again")).text == "again")
        }
    }

    @Test func withoutTagsTheChannelMustBeJoined() async throws {
        try await SocketPeer().client().withConnection { client in
            let error = await #expect(throws: SocketCommandError.self) {
                try await client.channel("S1").send(Say(text: "x"))
            }
            guard case .failed(let failed)? = error else { return }
            #expect(failed.message.contains("not joined"))
        }
    }

    // MARK: Patterns

    @Test func aPushComesToEachPatternWithItsTopic() async throws {
        let server = SocketPeer(wire: Self.patterns)
        try await server.client().withConnection { client in
            let rooms = [try await client.join("a/#"), try await client.join("a/b/#"), try await client.join("c/#")]
            var pushes = rooms.map { $0.pushes.makeAsyncIterator() }
            var typed = rooms[0].pushes(of: Said.self).makeAsyncIterator()
            var all = client.events().makeAsyncIterator()
            try await server.send(
                .push(WirePush(event: Said.event, payload: SocketPayload(json: #"{"text":"hi"}"#), topic: "a/b/c")))
            #expect(try await pushes[0].next()?.topic == "a/b/c")
            #expect(try await pushes[1].next()?.topic == "a/b/c")
            #expect(try await typed.next() == Said(text: "hi"))
            while let event = try await all.next() {
                guard case .push(let push) = event else { continue }
                #expect(push.channels == ["a/#", "a/b/#"])
                break
            }
            try await server.send(.push(WirePush(event: "x", payload: nil, topic: "c/d")))
            // It has had no other push before.
            #expect(try await pushes[2].next()?.topic == "c/d")
        }
    }

    @Test func patternsAreCoveredAgainAfterALostConnection() async throws {
        let (server, clock) = (SocketPeer(wire: Self.patterns), TestClock())
        try await server.client(on: clock).withConnection { client in
            let room = try await client.join("a/#")
            let events = room.events()
            var pushes = room.pushes.makeAsyncIterator()
            await server.drop()
            try await client.wait(for: "waiting")
            await client.reopen(on: clock)
            for try await case .joined in events { break }
            try await server.send(.push(WirePush(event: "x", topic: "a/z")))
            #expect(try await pushes.next()?.topic == "a/z")
        }
    }
}
