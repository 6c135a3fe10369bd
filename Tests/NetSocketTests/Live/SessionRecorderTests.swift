import NetCore
import NetSocketCore
import NetTesting
import Synchronization
import Testing

@testable import NetSocket

/// The reports to listeners about a session, and their order.
@Suite(.timeLimit(.minutes(1)))
struct SessionRecorderTests {
    private static func line(_ kind: SessionActivity.Kind) -> String {
        switch kind {
        case .waiting(let attempt, let wait, let error): "waiting \(attempt) \(wait != nil) \(error.code)"
        case .notJoined(let topic, let failure): "not joined \(topic) \(text(failure))"
        case .command(let command):
            "\(command.wantsReply ? "command" : "message") \(command.event) \(command.topic ?? "-") "
                + "\(command.duration) \(command.failure.map(text) ?? "done")"
        case .joined(let topic, let missed): "joined \(topic) \(missed)"
        case .left(let topic, let code): "left \(topic) \(code ?? "-")"
        case .unsubscribed(_, let code): "unsubscribed \(code ?? "-")"
        case .subscribed: "subscribed"
        case .unreadable(let error): "unreadable \(error.code)"
        case .unhandled(let event, let error): "unhandled \(event) \(error.code)"
        case .ended(let error): "ended \(error.map { "\($0.code)" } ?? "-")"
        default: "\(kind)"
        }
    }

    private static func text(_ failure: SessionActivity.Failure) -> String {
        switch failure {
        case .rejected(let code): "rejected \(code)"
        case .failed(let error): "failed \(error.code)"
        }
    }

    private static func lines(_ log: SocketLog) -> [String] { log.activities.map { line($0.kind) } }

    private func client(
        _ server: SocketPeer, on clock: TestClock = TestClock(), _ log: SocketLog,
        _ change: (inout SocketClient.Configuration) -> Void = { _ in }
    ) -> SocketClient {
        var configuration = SocketClient.Configuration(wire: server.wire)
        change(&configuration)
        let sockets = WebSocketClient(
            configuration: .init(listeners: [log], clock: clock.netClock), transport: server.transport())
        return SocketClient("ws://a.test/socket", client: sockets, configuration: configuration)
    }

    // MARK: Sessions

    @Test func commandsAreToldWithTheirTime() async throws {
        let (clock, log) = (TestClock(), SocketLog(.sessions))
        await clock.advance(by: .seconds(100))
        let server = SocketPeer { signal, _ in
            guard case .request(let request) = signal, let id = request.id, request.event != "never" else {
                return SocketPeer.echo(signal).filter { if case .joined = $0 { true } else { false } }
            }
            await clock.advance(by: .seconds(3))
            let outcome: WireReply.Outcome = request.event == "no" ? .failure(SocketFailure("no")) : .success(nil)
            return [.reply(WireReply(id: id, event: request.event, outcome))]
        }
        try await client(server, on: clock, log).withConnection { client in
            try await client.wait(for: "open")
            try await client.send("yes")
            _ = try? await client.send("no")
            try await client.notify("by name", payload: nil)
            try await client.notify(Said(text: "by type"))
            try await client.join("room")
            try await client.channel("room").notify(Said(text: "in the room"))
            let task = Task { try await client.send("never") }
            while server.received.count < 7, !Task.isCancelled { await Task.yield() }
            await clock.advance(by: .seconds(2))
            task.cancel()
            _ = await task.result
        }
        let (three, two, none) = (Duration.seconds(3), Duration.seconds(2), Duration.zero)
        #expect(
            Self.lines(log) == [
                "opened", "command yes - \(three) done", "command no - \(three) rejected no",
                "message by name - \(none) done", "message said - \(none) done", "joined room nothing",
                "message said room \(none) done", "command never - \(two) failed cancelled",
                "left room -", "ended -",
            ])
        #expect(log.activities.map(\.sequence) == Array(1...10))
        #expect(log.activities.map(\.elapsed) == [0, 3, 6, 6, 6, 6, 6, 8, 8, 8].map { .seconds($0) })
        #expect(Set(log.activities.map(\.session)).count == 1)
        #expect(log.activities.allSatisfy { $0.url == "http://a.test/socket" && $0.socket != nil })
    }

    @Test func postedCommandsAreToldWhenTheirReplyHasCome() async throws {
        let (clock, log) = (TestClock(), SocketLog(.sessions))
        await clock.advance(by: .seconds(100))
        let server = SocketPeer { signal, _ in
            guard case .request(let request) = signal, let id = request.id else { return [] }
            await clock.advance(by: .seconds(3))
            let isBad = request.payload?.json?.contains("bad") == true
            return [.reply(WireReply(id: id, event: "say", isBad ? .failure(SocketFailure("no")) : .success(nil)))]
        }
        try await client(server, on: clock, log).withConnection { client in
            try await client.wait(for: "open")
            let events = client.events()
            var replies = events.makeAsyncIterator()
            for text in ["good", "bad"] {
                try await client.post(Say(text: text))
                while let event = try await replies.next() { if case .reply = event { break } }
            }
        }
        let three = Duration.seconds(3)
        #expect(
            Self.lines(log) == [
                "opened", "command say - \(three) done", "command say - \(three) rejected no", "ended -",
            ])
    }

    @Test func joinsThatFailAndSubscriptionsAreTold() async throws {
        let log = SocketLog(.sessions)
        let server = SocketPeer { signal, _ in
            guard case .join(let join) = signal else { return [] }
            return [.joinRefused(join.id, topic: join.topic, SocketFailure("members"))]
        }
        try await client(server, log).withConnection { client in
            try await client.wait(for: "open")
            _ = try? await client.join("room")
        }
        #expect(Self.lines(log) == ["opened", "not joined room rejected members", "ended -"])
        let other = SocketLog(.sessions)
        let feed = SocketPeer(wire: .graphQLTransport) { signal, _ in
            switch signal {
            case .open: [.opened(WireOpened())]
            case .subscribe(let id, _): [.completed(id, SocketFailure("gone"))]
            default: []
            }
        }
        try await client(feed, other).withConnection { client in
            try await client.wait(for: "open")
            let operation = GraphQLSubscription("subscription { x }", as: [String: Int].self)
            _ = try? await { for try await _ in client.subscribe(operation) {} }()
        }
        #expect(Self.lines(other) == ["opened", "subscribed", "unsubscribed gone", "ended -"])
    }

    @Test func unreadablePushesAndUnhandledRequestsAreReported() async throws {
        let log = SocketLog(.sessions)
        let server = SocketPeer(wire: .jsonRPC) { _, _ in [] }
        let own = NetError(.limited, phase: .preparing, message: "own")
        try await client(server, log).withConnection { client in
            client.onRequest(Say.self) { _ in throw own }
            client.on(Said.self) { _ in }
            try await client.waitUntilOpen(at: server)
            try await server.send(.push(WirePush(event: "said", payload: SocketPayload(json: #"{"x":7}"#))))
            let payload = SocketPayload(json: #"{"text":""}"#)
            try await server.send(.request(WireRequest(id: 1, event: "say", payload: payload)))
            while log.activities.count < 3, !Task.isCancelled { await Task.yield() }
        }
        #expect(Self.lines(log) == ["opened", "unreadable decoding", "unhandled say limited", "ended -"])
    }

    // MARK: The recorder

    private static func environment(_ listeners: [any ActivityListener], _ clock: TestClock = TestClock())
        -> CallContext.Environment
    {
        WebSocketClient(
            configuration: .init(listeners: listeners, clock: clock.netClock), transport: MockWebSocketTransport()
        ).core.environment
    }

    private struct Observing: SessionObserving {
        var log: SocketLog?
        func sessionListener(_ environment: CallContext.Environment) -> (any ActivityListener)? { log }
        func intercept(_ request: PreparedRequest, context: CallContext, next: Next) async throws -> StreamedResponse {
            try await next(request, context)
        }
    }

    @Test func thoseWhoWantSessionsAreToldAndNobodyElse() {
        let (wants, not, logs) = (SocketLog(.sessions), SocketLog([.sockets, .calls]), SocketLog([.sessions, .calls]))
        #expect(SessionRecorder(Self.environment([]), middleware: []) == nil)
        #expect(SessionRecorder(Self.environment([not]), middleware: [Observing(log: not), Observing()]) == nil)
        let recorder = SessionRecorder(Self.environment([not, wants]), middleware: [Observing(log: logs)])
        recorder?.record(.opened)
        #expect([wants, not, logs].map(\.activities.count) == [1, 0, 1])
        let alone = SessionRecorder(Self.environment([]), middleware: [Observing(log: logs)])
        alone?.record(.paused)
        #expect(logs.activities.count == 2)
    }

    @Test func afterTheEndOnlyCommandsFollow() throws {
        let log = SocketLog(.sessions)
        let recorder = try #require(SessionRecorder(Self.environment([log]), middleware: []))
        recorder.record(.left(topic: "refused", code: nil))
        recorder.record(.joined(topic: "room", missed: .nothing))
        recorder.record(.left(topic: "room", code: nil))
        recorder.record(.left(topic: "room", code: nil))
        recorder.record(.ended(nil))
        recorder.record(.ended(nil))
        recorder.record(.opened)
        recorder.record(.joined(topic: "room", missed: .nothing))
        recorder.record(.command(SessionActivity.Command(event: "x", topic: nil, wantsReply: true)))
        #expect(
            Self.lines(log) == [
                "joined room nothing", "left room -", "ended -", "command x - \(Duration.zero) done",
            ])
        #expect(log.activities.map(\.sequence) == [1, 2, 3, 4])
    }

    @Test func theNewestConnectionIsNamed() async throws {
        let (log, clock) = (SocketLog(.sessions), TestClock())
        await clock.advance(by: .seconds(5))
        let recorder = try #require(SessionRecorder(Self.environment([log], clock), middleware: []))
        recorder.record(.paused)
        await clock.advance(by: .seconds(2))
        let call = CallID(date: clock.date, random: .system)
        recorder.connects(to: "http://a.test/", call: call)
        recorder.record(.opened)
        #expect(log.activities.map(\.url) == [nil, "http://a.test/"])
        #expect(log.activities.map(\.socket) == [nil, call])
        #expect(log.activities.map(\.elapsed) == [.zero, .seconds(2)])
    }

    /// Records another activity when it receives the first one.
    private final class Eager: ActivityListener {
        let recorder = Mutex<SessionRecorder?>(nil)
        var interest: ActivityInterest { .sessions }
        func record(_ event: ActivityEvent) {}
        func record(_ activity: SessionActivity) {
            if activity.sequence == 1 { recorder.withLock { $0.take() }?.record(.paused) }
        }
    }

    @Test func aListenerMayCauseMoreAndAllAreToldInOrder() throws {
        let (eager, log) = (Eager(), SocketLog(.sessions))
        let recorder = try #require(SessionRecorder(Self.environment([eager, log]), middleware: []))
        eager.recorder.withLock { $0 = recorder }
        recorder.record(.opened)
        recorder.record(.gap(topic: "t"))
        #expect(log.activities.map(\.sequence) == [1, 2, 3])
        #expect(Self.lines(log).prefix(2) == ["opened", "paused"])
    }
}
