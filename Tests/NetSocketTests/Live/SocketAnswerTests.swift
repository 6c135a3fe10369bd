import NetCore
import NetSocket
import NetSocketCore
import NetTesting
import Synchronization
import Testing

/// Requests of the server that the client handles.
@Suite(.timeLimit(.minutes(1)))
struct SocketAnswerTests {
    private struct Add: SocketCommand {
        static let event = "add"
        struct Response: Codable, Sendable { var sum: Int }
        var a: Int
        var b: Int
    }

    private struct Stop: SocketCommand {
        static let event = "stop"
        typealias Response = NoResponse
    }

    /// A response that JSON-RPC can't encode: its name isn't that of an event.
    private struct Odd: Error {}

    private static let wires = ["json-rpc", "socket.io"]

    private static func server(_ name: String = "json-rpc") -> SocketPeer {
        SocketPeer(wire: name == "socket.io" ? .socketIO : .jsonRPC) { signal, _ in
            if case .open = signal { [.opened(WireOpened(session: "s"))] } else { SocketPeer.echo(signal) }
        }
    }

    private static func replies(_ server: SocketPeer) -> [WireReply] {
        server.received.compactMap { if case .reply(let reply) = $0 { reply } else { nil } }
    }

    /// Sends a request, and returns the client's reply.
    private static func ask(
        _ server: SocketPeer, _ event: String, _ payload: String?, id: SocketID = 7, topic: String? = nil
    ) async throws -> WireReply.Outcome {
        let payload = payload.map { SocketPayload(json: $0) }
        try await server.send(.request(WireRequest(id: id, event: event, payload: payload, topic: topic)))
        while true {
            if let reply = replies(server).last(where: { $0.id == id && $0.topic == topic }) { return reply.outcome }
            await Task.yield()
        }
    }

    @Test(arguments: wires) func aHandlerAnswers(name: String) async throws {
        let server = Self.server(name)
        try await server.client().withConnection { client in
            client.onRequest(Add.self) { Add.Response(sum: $0.a + $0.b) }
            client.onRequest(Stop.self) { _ in NoResponse() }
            try await client.waitUntilOpen(at: server)
            #expect(
                try await Self.ask(server, "add", #"{"a":1,"b":2}"#) == .success(SocketPayload(json: #"{"sum":3}"#)))
            #expect(try await Self.ask(server, "stop", nil, id: 8) == .success(nil))
        }
    }

    @Test(arguments: wires) func errorsThrownByAHandlerBecomeFailureReplies(name: String) async throws {
        let server = Self.server(name)
        try await server.client().withConnection { client in
            client.onRequest(Add.self) { _ in throw SocketFailure("forbidden", "not now") }
            client.onRequest(Stop.self) { _ in throw Odd() }
            let events = client.events()
            try await client.waitUntilOpen(at: server)
            #expect(
                try await Self.ask(server, "add", #"{"a":1,"b":2}"#) == .failure(SocketFailure("forbidden", "not now")))
            guard case .failure(let failure) = try await Self.ask(server, "stop", nil, id: 8) else {
                Issue.record("it was answered")
                return
            }
            #expect(failure.code == (name == "socket.io" ? "internal_error" : "-32603"))
            for try await case .unhandled(let request, let error) in events {
                #expect(request.event == "stop")
                #expect(error.underlying is Odd)
                break
            }
        }
    }

    @Test func theFailuresOfJSONRPCAreThoseOfItsSpecification() async throws {
        let server = Self.server()
        try await server.client().withConnection { client in
            client.onRequest(Add.self) { Add.Response(sum: $0.a + $0.b) }
            let events = client.events()
            try await client.waitUntilOpen(at: server)
            #expect(
                try await Self.ask(server, "nothing", nil, id: 1)
                    == .failure(SocketFailure("-32601", "Method not found")))
            #expect(
                try await Self.ask(server, "add", "[1]", id: 2) == .failure(SocketFailure("-32602", "Invalid params")))
            for try await case .unreadable(let error) in events {
                #expect(error.code == .decoding)
                break
            }
        }
    }

    /// Socket.IO's clients don't acknowledge unknown events.
    @Test func aWireWithoutARefusalLeavesItUnanswered() async throws {
        let server = Self.server("socket.io")
        try await server.client().withConnection { client in
            client.onRequest(Stop.self) { _ in NoResponse() }
            try await client.waitUntilOpen(at: server)
            try await server.send(.request(WireRequest(id: 1, event: "nothing")))
            _ = try await Self.ask(server, "stop", nil, id: 2)
            #expect(Self.replies(server).map(\.id) == [2])
        }
    }

    @Test func theNewestHandlerAnswersUntilItIsRemoved() async throws {
        let server = Self.server()
        try await server.client().withConnection { client in
            client.onRequest(Add.self) { _ in Add.Response(sum: 1) }
            let second = client.onRequest(Add.self) { _ in Add.Response(sum: 2) }
            try await client.waitUntilOpen(at: server)
            let question = #"{"a":0,"b":0}"#
            #expect(try await Self.ask(server, "add", question, id: 1) == .success(SocketPayload(json: #"{"sum":2}"#)))
            client.off(second)
            #expect(try await Self.ask(server, "add", question, id: 2) == .success(SocketPayload(json: #"{"sum":1}"#)))
        }
    }

    @Test func aChannelAnswersItsOwn() async throws {
        let server = Self.server("socket.io")
        try await server.client().withConnection { client in
            let admin = try await client.join("/admin")
            admin.onRequest(Add.self) { _ in Add.Response(sum: 2) }
            client.onRequest(Add.self) { _ in Add.Response(sum: 1) }
            let question = #"{"a":0,"b":0}"#
            #expect(try await Self.ask(server, "add", question, id: 1) == .success(SocketPayload(json: #"{"sum":1}"#)))
            #expect(
                try await Self.ask(server, "add", question, id: 2, topic: "/admin")
                    == .success(SocketPayload(json: #"{"sum":2}"#)))
        }
    }

    @Test func severalAreAnsweredAtTheSameTimeAndNotTooMany() async throws {
        let server = Self.server()
        let clock = TestClock()
        let running = Mutex((now: 0, most: 0))
        try await server.client().withConnection { client in
            client.onRequest(Add.self) { command in
                running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                try await clock.netClock.sleep(for: .seconds(1))
                running.withLock { $0.now -= 1 }
                return Add.Response(sum: command.a)
            }
            try await client.waitUntilOpen(at: server)
            for n in 0..<40 as Range<UInt64> {
                let payload = SocketPayload(json: #"{"a":\#(n),"b":0}"#)
                try await server.send(.request(WireRequest(id: .number(n), event: "add", payload: payload)))
            }
            while running.withLock({ $0.most }) < 16, !Task.isCancelled { await Task.yield() }
            while Self.replies(server).count < 40 {
                await clock.advance(by: .seconds(1))
                await Task.yield()
            }
        }
        #expect(running.withLock { $0.most } == 16)
        #expect(Set(Self.replies(server).map(\.id)) == Set((0..<40).map { SocketID.number($0) }))
    }

    @Test func aReplyGoesToNoOtherConnection() async throws {
        let server = Self.server()
        let (clock, gate) = (TestClock(), TestClock())
        let isDone = Mutex(false)
        try await server.client(on: clock).withConnection { client in
            client.onRequest(Add.self) { _ in
                try await gate.netClock.sleep(for: .seconds(1))
                isDone.withLock { $0 = true }
                return Add.Response(sum: 1)
            }
            client.onRequest(Stop.self) { _ in NoResponse() }
            try await client.waitUntilOpen(at: server)
            let events = client.events()
            try await server.send(
                .request(WireRequest(id: 1, event: "add", payload: SocketPayload(json: #"{"a":0,"b":0}"#))))
            for try await case .request in events { break }
            await server.drop()
            try await client.wait(for: "waiting")
            await client.reopen(on: clock)
            while !isDone.withLock({ $0 }) {
                await gate.advance(by: .milliseconds(100))
                await Task.yield()
            }
            // A client may be open shortly before its peer begins to serve it.
            while server.connections < 2, !Task.isCancelled { await Task.yield() }
            for n in 2...4 as ClosedRange<UInt64> { _ = try await Self.ask(server, "stop", nil, id: .number(n)) }
            #expect(Self.replies(server).map(\.id) == [2, 3, 4])
        }
    }

    @Test func aResponseThatTheWireCannotSayIsAFailure() async throws {
        let server = Self.server("socket.io")
        var wire = SocketWire.socketIO
        wire.refusals.failed = SocketFailure("sorry")
        let make = wire.makeMachine
        wire.makeMachine = { role in Picky(wire: make(role)) }
        try await server.client { [wire] in $0.wire = wire }.withConnection { client in
            client.onRequest(Add.self) { _ in Add.Response(sum: 1) }
            let events = client.events()
            try await client.waitUntilOpen(at: server)
            #expect(try await Self.ask(server, "add", #"{"a":0,"b":0}"#) == .failure(SocketFailure("sorry")))
            for try await case .unhandled(let request, let error) in events {
                #expect(request.event == "add")
                #expect(error.code == .unsupported)
                break
            }
        }
    }

    /// Supports failures, but no other replies.
    private struct Picky: WireMachine {
        var wire: any WireMachine

        mutating func encode(_ signal: WireSignal) throws(NetError) -> [WebSocketMessage] {
            if case .reply(let reply) = signal, case .success = reply.outcome {
                throw NetError(.unsupported, phase: .preparing, message: "no")
            }
            return try wire.encode(signal)
        }

        mutating func decode(_ message: WebSocketMessage) throws(NetError) -> WireReading { try wire.decode(message) }
    }
}
