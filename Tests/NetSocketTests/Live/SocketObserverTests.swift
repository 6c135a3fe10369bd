import NetCore
import NetSocket
import NetSocketCore
import NetTesting
import Synchronization
import Testing

/// The events that observers of a session receive, and its channels.
@Suite(.timeLimit(.minutes(1)))
struct SocketObserverTests {
    @Test func everyObserverSeesEverythingInOrder() async throws {
        let server = SocketPeer()
        try await server.client().withConnection { client in
            let observers = [client.pushes(of: Said.self), client.pushes(of: Said.self), client.pushes(of: Said.self)]
            _ = try await client.send(Say(text: "x"))
            for n in 0..<50 {
                let payload = try SocketPayload(Said(text: "\(n)"))
                try await server.send(.push(WirePush(event: "said", payload: payload)))
            }
            for observer in observers {
                var found: [String] = []
                for try await push in observer {
                    found.append(push.text)
                    if found.count == 50 { break }
                }
                #expect(found == (0..<50).map(String.init))
            }
        }
    }

    @Test func aSlowObserverLosesTheOldestAndIsToldHowMany() async throws {
        let server = SocketPeer()
        try await server.client().withConnection { client in
            let (oldest, latest) = (client.pushes(of: Said.self, .dropOldest(3)), client.pushes(of: Said.self, .latest))
            let all = client.pushes(of: Said.self)
            _ = try await client.send(Say(text: "x"))
            for n in 0..<10 {
                try await server.send(.push(WirePush(event: "said", payload: try SocketPayload(Said(text: "\(n)")))))
            }
            var iterator = all.makeAsyncIterator()
            for _ in 0..<10 { _ = try await iterator.next() }
            var (slow, newest) = (oldest.makeAsyncIterator(), latest.makeAsyncIterator())
            #expect(try await slow.next()?.text == "7")
            #expect(slow.dropped == 7)
            #expect(try await newest.next()?.text == "9")
        }
    }

    /// Reading waits for the slow observer until it leaves.
    @Test func anObserverThatLeavesHoldsNobodyUp() async throws {
        let server = SocketPeer()
        try await server.client().withConnection { client in
            let slow = Mutex<SocketSequence<Said>?>(client.pushes(of: Said.self, .suspend(1)))
            _ = try await client.send(Say(text: "x"))
            for n in 0..<5 {
                try await server.send(.push(WirePush(event: "said", payload: try SocketPayload(Said(text: "\(n)")))))
            }
            async let reply = client.send(Say(text: "y"))
            for _ in 0..<100 { await Task.yield() }
            slow.withLock { $0 = nil }
            #expect(try await reply.text == "y")
        }
    }

    @Test func notificationsTheWireCannotEncodeThrowAnError() async throws {
        let server = SocketPeer(wire: .phoenixV2)
        try await server.client().withConnection { client in
            let error = await #expect(throws: SocketCommandError.self) { try await client.notify(Said(text: "x")) }
            guard case .failed(let failed)? = error else { return }
            #expect(failed.code == .unsupported)
        }
    }

    @Test func unreadablePushesAreReported() async throws {
        let server = SocketPeer()
        try await server.client().withConnection { client in
            let events = client.events()
            let pushes = client.pushes(of: Said.self)
            _ = try await client.send(Say(text: "x"))
            try await server.send(.push(WirePush(event: "said", payload: SocketPayload(json: "7"))))
            try await server.send(.push(WirePush(event: "said", payload: SocketPayload(json: #"{"text":"good"}"#))))
            var iterator = pushes.makeAsyncIterator()
            #expect(try await iterator.next()?.text == "good")
            for try await event in events {
                if case .unreadable(let error) = event {
                    #expect(error.code == .decoding)
                    return
                }
            }
        }
    }

    // MARK: Channels

    @Test func aChannelIsJoinedAgainWithAPayloadOfItsOwn() async throws {
        let server = SocketPeer()
        let clock = TestClock()
        let count = Counter()
        try await server.client(on: clock).withConnection { client in
            let room = try await client.join("room:1") { ["visit": count.next()] }
            let events = room.events()
            await server.drop()
            try await client.wait(for: "waiting")
            await client.reopen(on: clock)
            _ = try await room.send(Say(text: "hello"))
            var names: [String] = []
            for try await event in events {
                names.append("\(event)".prefix { $0 != "(" }.description)
                if case .joined(let reply, let missed) = event {
                    #expect(reply?.json == #"{"topic":"room:1","visit":2}"#)
                    #expect(missed == .unknown)
                    break
                }
            }
            #expect(names == ["interrupted", "joining", "joined"])
            try await room.leave()
        }
        let joins = server.received.filter { if case .join = $0 { true } else { false } }
        #expect(joins.count == 2)
    }

    /// Sockit's client never notices that a join was rejected.
    @Test func aRefusedJoinThrows() async throws {
        let server = SocketPeer { signal, _ in
            guard case .join(let join) = signal else { return [] }
            return [.joinRefused(join.id, topic: join.topic, SocketFailure("forbidden", "members only"))]
        }
        try await server.client().withConnection { client in
            let error = await #expect(throws: SocketCommandError.self) { try await client.join("room") }
            guard case .rejected(let failure)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(failure.message == "members only")
            let payloadError = await #expect(throws: SocketCommandError.self) {
                try await client.join("other") {
                    throw NetError(.authentication, phase: .preparing, message: "no token")
                }
            }
            guard case .failed(let failed)? = payloadError else { return }
            #expect(failed.code == .authentication)
        }
    }
}
