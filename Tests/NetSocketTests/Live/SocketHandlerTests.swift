import NetCore
import NetSocket
import NetSocketCore
import NetTesting
import Synchronization
import Testing

/// Handlers of pushes, posted commands, and their events in the sequence of all events.
@Suite(.timeLimit(.minutes(1)))
struct SocketHandlerTests {
    /// The values received by handlers, in order.
    private final class Log: Sendable {
        private let lines = Mutex<[String]>([])
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
        func wait(for count: Int) async { while all.count < count, !Task.isCancelled { await Task.yield() } }
    }

    private static func push(_ text: String, topic: String? = nil) throws -> WireSignal {
        .push(WirePush(event: "said", payload: try SocketPayload(Said(text: text)), topic: topic))
    }

    @Test func handlersOfAnEventAreCalledInOrderOnePushAfterTheOther() async throws {
        let server = SocketPeer()
        let log = Log()
        try await server.client().withConnection { client in
            client.on(Said.self) { push in
                for _ in 0..<10 { await Task.yield() }
                log.add("a\(push.text)")
            }
            client.on("said") { push in log.add("b\(push.payload?.count ?? 0)") }
            _ = try await client.send(Say(text: "x"))
            for n in 0..<20 { try await server.send(try Self.push("\(n % 10)")) }
            await log.wait(for: 40)
        }
        #expect(log.all == (0..<20).flatMap { ["a\($0 % 10)", "b12"] })
    }

    @Test func aHandlerThatWasRemovedIsNotCalledAnyMoreEvenForWhatWaits() async throws {
        let server = SocketPeer()
        let (log, gate) = (Log(), TestClock())
        try await server.client().withConnection { client in
            let registration = client.on(Said.self) { push in
                log.add(push.text)
                _ = try? await gate.netClock.sleep(for: .seconds(1))
            }
            client.on(Say2.self) { _ in log.add("other") }
            _ = try await client.send(Say(text: "x"))
            for text in ["1", "2", "3"] { try await server.send(try Self.push(text)) }
            try await server.send(.push(WirePush(event: "said2")))
            await log.wait(for: 1)
            client.off(registration)
            client.off(registration)
            while log.all.count < 2 {
                await gate.advance(by: .seconds(1))
                await Task.yield()
            }
        }
        #expect(log.all == ["1", "other"])
    }

    private struct Say2: SocketPush { static let event = "said2" }

    @Test func handlersOfAChannelSeeItsPushesAlone() async throws {
        let server = SocketPeer()
        let log = Log()
        try await server.client().withConnection { client in
            let room = try await client.join("room:1")
            room.on(Said.self) { push in log.add("room \(push.text)") }
            client.on(Said.self) { push in log.add("any \(push.text)") }
            for topic in [nil, "room:1", "room:2"] {
                try await server.send(try Self.push(topic ?? "none", topic: topic))
            }
            await log.wait(for: 4)
        }
        #expect(log.all == ["any none", "room room:1", "any room:1", "any room:2"])
    }

    @Test func aPushThatCannotBeReadIsReportedOnceHoweverManyWantIt() async throws {
        let server = SocketPeer()
        let log = Log()
        try await server.client().withConnection { client in
            for _ in 0..<3 { client.on(Said.self) { push in log.add(push.text) } }
            client.on(SaidTo.self) { push in log.add(push.to) }
            let (events, observers) = (client.events(), [client.pushes(of: Said.self), client.pushes(of: Said.self)])
            _ = try await client.send(Say(text: "x"))
            try await server.send(.push(WirePush(event: "said", payload: SocketPayload(json: "7"))))
            try await server.send(try Self.push("good"))
            try await server.send(.push(WirePush(event: "end")))
            await log.wait(for: 3)
            var unreadable = 0
            for try await event in events {
                if case .unreadable(let error) = event {
                    #expect(error.code == .decoding)
                    unreadable += 1
                }
                if case .push(let push) = event, push.event == "end" { break }
            }
            // The bad one, and the good one for the type that it doesn't match.
            #expect(unreadable == 2)
            withExtendedLifetime(observers) {}
        }
        #expect(log.all == ["good", "good", "good"])
    }

    /// Another type for the same event.
    private struct SaidTo: SocketPush {
        static let event = "said"
        var to: String
    }

    /// A payload that counts its decoding.
    private struct Counted: SocketPush {
        static let event = "counted"
        static let count = Mutex(0)
        init(from decoder: any Decoder) { Self.count.withLock { $0 += 1 } }
        func encode(to encoder: any Encoder) {}
    }

    @Test func aPushIsDecodedOnceForAllAndNotAtAllForNobody() async throws {
        let server = SocketPeer()
        let log = Log()
        try await server.client().withConnection { client in
            _ = try await client.send(Say(text: "x"))
            client.on("counted") { _ in log.add("raw") }
            let push = WireSignal.push(WirePush(event: "counted", payload: SocketPayload(json: "{}")))
            try await server.send(push)
            await log.wait(for: 1)
            #expect(Counted.count.withLock { $0 } == 0)
            for _ in 0..<3 { client.on(Counted.self) { _ in log.add("typed") } }
            let observer = client.pushes(of: Counted.self)
            try await server.send(push)
            await log.wait(for: 5)
            #expect(Counted.count.withLock { $0 } == 1)
            withExtendedLifetime(observer) {}
        }
    }

    @Test func aHandlerIsCancelledWhenTheSessionIsClosed() async throws {
        let server = SocketPeer()
        let (log, clock) = (Log(), TestClock())
        try await server.client().withConnection { client in
            client.on(Said.self) { push in
                log.add("begins")
                do { try await clock.netClock.sleep(for: .seconds(3600)) } catch { log.add("cancelled") }
            }
            _ = try await client.send(Say(text: "x"))
            for text in ["1", "2"] { try await server.send(try Self.push(text)) }
            await log.wait(for: 1)
        }
        #expect(log.all == ["begins", "cancelled"])
    }

    @Test func pushesReceivedBeforeAFailureAreStillHandled() async throws {
        let server = SocketPeer()
        let log = Log()
        let client = server.client()
        client.on(Said.self) { push in
            for _ in 0..<100 { await Task.yield() }
            log.add(push.text)
        }
        var arrived = client.pushes(of: Said.self).makeAsyncIterator()
        let task = Task { try await client.run() }
        _ = try await client.send(Say(text: "x"))
        for text in ["1", "2", "3"] { try await server.send(try Self.push(text)) }
        // The peer may still be writing them in another task.
        for _ in 0..<3 { _ = try await arrived.next() }
        try await server.close(.policyViolation)
        await #expect(throws: NetError.self) { try await task.value }
        #expect(log.all == ["1", "2", "3"])
    }

    @Test func aHandlerMayWaitForAReply() async throws {
        let server = SocketPeer()
        let log = Log()
        try await server.client().withConnection { client in
            client.on(Said.self) { [weak client] push in
                if let reply = try? await client?.send(Say(text: push.text)) { log.add(reply.text) }
            }
            _ = try await client.send(Say(text: "x"))
            for text in ["1", "2"] { try await server.send(try Self.push(text)) }
            await log.wait(for: 2)
        }
        #expect(log.all == ["1", "2"])
    }

    // MARK: Posting

    @Test func theReplyOfAPostedCommandIsAnEventWithItsTicket() async throws {
        let server = SocketPeer { signal, _ in
            guard case .request(let request) = signal, let id = request.id,
                request.payload?.json?.contains("no") == true
            else { return SocketPeer.echo(signal) }
            return [.reply(WireReply(id: id, event: request.event, .failure(SocketFailure("refused"))))]
        }
        try await server.client().withConnection { client in
            let events = client.events()
            let (good, bad) = (try await client.post(Say(text: "yes")), try await client.post(Say(text: "no")))
            var found: [SocketTicket: String] = [:]
            for try await case .reply(to: let ticket, let result) in events {
                found[ticket] = (try? result.get()).flatMap { $0?.json } ?? "\(result)"
                if found.count == 2 { break }
            }
            #expect(found[good] == #"{"text":"yes"}"#)
            #expect(found[bad]?.contains("refused") == true)
        }
    }

    @Test func theTimeoutOfAPostedCommandIsAnEventToo() async throws {
        let clock = TestClock()
        let server = SocketPeer { signal, _ in if case .join = signal { SocketPeer.echo(signal) } else { [] } }
        try await server.client(on: clock).withConnection { client in
            let events = client.events()
            let room = try await client.join("room")
            let ticket = try await room.post(Say(text: "x"), timeout: .seconds(5))
            while server.received.count < 2, !Task.isCancelled { await Task.yield() }
            let reader = Task {
                for try await case .reply(to: ticket, let result) in events { return result }
                return .success(nil)
            }
            await clock.advance(by: .seconds(5))
            guard case .failure(.failed(let error)) = try await reader.value else {
                Issue.record("it has a reply")
                return
            }
            #expect(error.isTimeout)
            #expect(error.mayHaveArrived)
        }
    }

    @Test func postedCommandsAreBounded() async throws {
        let server = SocketPeer { _, _ in [] }
        try await server.client { $0.maximumQueueCount = 2 }.withConnection { client in
            try await client.wait(for: "open")
            for _ in 0..<2 { _ = try await client.post(Say(text: "x")) }
            let error = await #expect(throws: SocketCommandError.self) { try await client.post(Say(text: "x")) }
            guard case .failed(let failed)? = error else { return }
            #expect(failed.code == .limited)
        }
    }

    // MARK: Channels

    @Test func theStatesOfAChannelCanBeReadAndAreEvents() async throws {
        let server = SocketPeer { signal, _ in
            switch signal {
            case .join(let join) where join.topic == "closed":
                [.joinRefused(join.id, topic: join.topic, SocketFailure("forbidden"))]
            default: SocketPeer.echo(signal)
            }
        }
        try await server.client().withConnection { client in
            let events = client.events()
            #expect(client.channel("room").state == .left)
            let room = try await client.join("room")
            #expect(room.state == .joined)
            try await room.leave()
            #expect(room.state == .left)
            _ = try? await client.join("closed")
            var found: [String] = []
            for try await event in events {
                switch event {
                case .joining(let topic): found.append("joining \(topic)")
                case .joined(let topic, _, _): found.append("joined \(topic)")
                case .leaving(let topic): found.append("leaving \(topic)")
                case .left(let topic, let failure): found.append("left \(topic) \(failure?.code ?? "-")")
                default: continue
                }
                if found.last?.contains("closed forbidden") == true { break }
            }
            #expect(
                found == [
                    "joining room", "joined room", "leaving room", "left room -", "joining closed",
                    "left closed forbidden",
                ])
        }
    }
}
