import NetCore
import NetSocket
import NetSocketCore
import NetTesting
import Synchronization
import Testing

/// Commands and messages by name, and the limits of their replies.
@Suite(.timeLimit(.minutes(1)))
struct SocketNamesTests {
    @Test func aNameAndAPayloadAreEnough() async throws {
        let server = SocketPeer()
        try await server.client().withConnection { client in
            let reply = try await client.send("profile.get", payload: SocketPayload(json: "[7]"))
            #expect(reply?.json == "[7]")
            try await client.notify("read", payload: SocketPayload(json: "8"))
            try await client.join("room")
            try await client.send("late", channel: "room")
            try await client.notify("left", payload: nil, channel: "room")
            while server.received.count < 5, !Task.isCancelled { await Task.yield() }
        }
        let requests = server.received.compactMap { if case .request(let request) = $0 { request } else { nil } }
        #expect(requests.map(\.event) == ["profile.get", "read", "late", "left"])
        #expect(requests.map(\.topic) == [nil, nil, "room", "room"])
        #expect(requests.map { $0.id == nil } == [false, true, false, true])
        #expect(requests.prefix(2).map(\.payload?.json) == ["[7]", "8"])
    }

    /// The limit of the call, or else that of the configuration.
    @Test(arguments: [Duration.seconds(3), nil]) func aReplyIsWaitedForSoLong(timeout: Duration?) async throws {
        for way in ["name", "type", "post"] {
            let clock = TestClock()
            let server = SocketPeer { _, _ in [] }
            try await server.client(on: clock) { $0.requestTimeout = .seconds(5) }.withConnection { client in
                try await client.wait(for: "open")
                let events = client.events()
                let isOver = Mutex(false)
                let task = Task { () -> NetError? in
                    defer { isOver.withLock { $0 = true } }
                    do {
                        switch way {
                        case "name": try await client.send("x", timeout: timeout)
                        case "type": try await client.send(Say(text: "x"), timeout: timeout)
                        default:
                            let ticket = try await client.post(Say(text: "x"), timeout: timeout)
                            for try await case .reply(to: ticket, let result) in events { _ = try result.get() }
                        }
                        return nil
                    } catch let error as SocketCommandError {
                        return error.failure
                    }
                }
                while server.received.isEmpty, !Task.isCancelled { await Task.yield() }
                await clock.advance(by: (timeout ?? .seconds(5)) - .milliseconds(1))
                for _ in 0..<200 { await Task.yield() }
                #expect(!isOver.withLock { $0 }, "\(way)")
                await clock.advance(by: .milliseconds(1))
                let error = try await task.value
                #expect(error?.isTimeout == true, "\(way)")
                #expect(error?.mayHaveArrived == true, "\(way)")
            }
        }
    }

    // MARK: Pushes

    @Test func aClientSeesAllPushesAndAChannelItsOwn() async throws {
        let server = SocketPeer()
        try await server.client().withConnection { client in
            let room = try await client.join("room")
            try await client.join("other")
            let (all, typed, raw) = (client.pushes(of: Said.self), room.pushes(of: Said.self), room.pushes)
            for (text, topic) in [("1", "other"), ("2", nil), ("3", "room")] as [(String, String?)] {
                let payload = try SocketPayload(Said(text: text))
                try await server.send(.push(WirePush(event: "said", payload: payload, topic: topic)))
            }
            var (everything, own, undecoded) = (
                all.makeAsyncIterator(), typed.makeAsyncIterator(), raw.makeAsyncIterator()
            )
            for text in ["1", "2", "3"] { #expect(try await everything.next()?.text == text) }
            #expect(try await own.next()?.text == "3")
            #expect(try await undecoded.next()?.topic == "room")
        }
    }

    // MARK: Subscriptions

    private struct Broken: SocketSubscription {
        struct Odd: Error {}
        var failure: any Error
        var failsToBegin = false

        func payload(_ coding: JSONCoding) throws -> SocketPayload {
            if failsToBegin { throw failure }
            return SocketPayload(json: "{}")
        }
        func event(in payload: SocketPayload, _ coding: JSONCoding) throws -> Int? { throw failure }
    }

    private static func feed() -> SocketPeer {
        SocketPeer(wire: .graphQLTransport) { signal, _ in
            switch signal {
            case .open: [.opened(WireOpened())]
            case .subscribe(let id, _): [.event(id, SocketPayload(json: #"{"data":{}}"#))]
            default: []
            }
        }
    }

    @Test(arguments: [true, false]) func anErrorOfASubscriptionIsTold(failsToBegin: Bool) async throws {
        let own = NetError(.limited, phase: .preparing, message: "own")
        for (failure, code) in [
            (Broken.Odd(), failsToBegin ? .encoding : .decoding), (own, .limited),
        ] as [(any Error, NetError.Code)] {
            try await Self.feed().client().withConnection { client in
                let subscription = Broken(failure: failure, failsToBegin: failsToBegin)
                var events = client.subscribe(subscription).makeAsyncIterator()
                do throws(SocketCommandError) {
                    _ = try await events.next()
                    Issue.record("nothing was thrown")
                } catch {
                    #expect(error.failure?.code == code)
                    if code != .limited { #expect(error.failure?.underlying is Broken.Odd) }
                }
            }
        }
    }

    @Test func afterTheEndOfASubscriptionNothingFollows() async throws {
        for isFailure in [true, false] {
            let server = SocketPeer(wire: .graphQLTransport) { signal, _ in
                switch signal {
                case .open: [.opened(WireOpened())]
                case .subscribe(let id, _): [.completed(id, isFailure ? SocketFailure("no") : nil)]
                default: []
                }
            }
            try await server.client().withConnection { client in
                var events = client.subscribe(Broken(failure: Broken.Odd())).makeAsyncIterator()
                do throws(SocketCommandError) {
                    #expect(try await events.next() == nil)
                    #expect(!isFailure)
                } catch {
                    #expect(isFailure)
                }
                for _ in 0..<2 {
                    let next = try await events.next()
                    #expect(next == nil)
                }
            }
        }
    }

    @Test func aWireWithoutSubscriptionsHasNone() async throws {
        try await SocketPeer().client().withConnection { client in
            var events = client.subscribe(Broken(failure: Broken.Odd())).makeAsyncIterator()
            for _ in 0..<2 {
                do throws(SocketCommandError) {
                    _ = try await events.next()
                    Issue.record("nothing was thrown")
                } catch {
                    #expect(error.failure?.code == .unsupported)
                }
            }
        }
    }
}
