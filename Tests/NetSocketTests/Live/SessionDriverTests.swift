import NetCore
import NetSocketCore
import NetTesting
import Testing

@testable import NetSocket

/// A session driver's handling of wire protocols, requests and peers with rare behavior.
@Suite(.timeLimit(.minutes(1)))
struct SessionDriverTests {
    /// The wire protocol `json`, with texts that have other meanings.
    private struct OddMachine: WireMachine {
        var json = SocketWire.json.makeMachine(.client)

        mutating func encode(_ signal: WireSignal) throws(NetError) -> [WebSocketMessage] {
            switch signal {
            case .open: break
            case .request(let request) where request.event == "unsayable": break
            case .join(let join) where join.topic == "unsayable": break
            default: return try json.encode(signal)
            }
            throw NetError(.unsupported, phase: .preparing, message: "it can't be said")
        }

        mutating func decode(_ message: WebSocketMessage) throws(NetError) -> WireReading {
            let words = (message.text ?? "").split(separator: " ").map(String.init)
            switch words.first {
            case "??": throw NetError(.decoding, phase: .decoding, message: "not a word")
            case "!!":
                var reading = WireReading()
                reading.unreadable = "half a word"
                return reading
            case "bytes":
                let id = SocketID(words[1])
                return WireReading([.reply(WireReply(id: id, .success(SocketPayload(bytes: Bytes([255])))))])
            case "nothing":
                return WireReading([.reply(WireReply(id: SocketID(words[1]), .success(nil)))])
            case "end": return WireReading([.end(WireEnd(SocketFailure("over"), mayReconnect: false))])
            default: return try json.decode(message)
            }
        }
    }

    private static func wire(_ more: SocketWire.Features = []) -> SocketWire {
        SocketWire("odd", features: SocketWire.json.features.union(more)) { _ in OddMachine() }
    }

    private static func said(_ text: String) -> String { #"{"event":"said","payload":{"text":"\#(text)"}}"# }
    private static func settle() async { for _ in 0..<200 { await Task.yield() } }

    // MARK: Decoding

    @Test func unreadableMessagesAreReportedAndTheConnectionStaysOpen() async throws {
        let server = TextServer()
        try await server.client { $0.wire = Self.wire() }.withConnection { client in
            try await client.wait(for: "open")
            var events = client.events().makeAsyncIterator()
            for text in ["??", "!!", Self.said("good")] { try await server.send(text) }
            var problems: [String] = []
            while let event = try await events.next() {
                if case .unreadable(let error) = event {
                    #expect(error.code == .decoding)
                    problems.append(error.message)
                }
                if case .push = event { break }
            }
            #expect(problems == ["not a word", "half a word"])
            #expect(client.state.isOpen)
            #expect(server.connections == 1)
        }
    }

    /// An unreadable message is also a sign of life.
    @Test func unreadableMessagesKeepTheConnectionAlive() async throws {
        let (server, clock) = (TextServer(), TestClock())
        try await server.client(on: clock) { $0.wire = Self.wire() }.withConnection { client in
            try await client.wait(for: "open")
            var events = client.events().makeAsyncIterator()
            for round in 1...5 {
                try await server.send("??")
                while let event = try await events.next() { if case .unreadable = event { break } }
                await clock.advance(by: .seconds(30))
                // The session looks for signs of life when it sends a heartbeat.
                while server.received.count < round, !Task.isCancelled { await Task.yield() }
                await Self.settle()
                #expect(client.state.isOpen)
                #expect(server.connections == 1)
            }
            await clock.advance(until: { !client.state.isOpen })
        }
    }

    @Test func anEndOfTheWireEndsTheSession() async throws {
        let server = TextServer()
        let client = server.client { $0.wire = Self.wire() }
        let run = Task { try await client.run() }
        try await client.wait(for: "open")
        try await server.send("end")
        await #expect(throws: NetError.self) { try await run.value }
        #expect(client.state.isOver)
    }

    private struct Look: SocketCommand {
        static let event = "look"
        struct Response: Codable, Sendable { var text: String? }
    }

    private struct Touch: SocketCommand {
        static let event = "touch"
        typealias Response = NoResponse
    }

    @Test func aReplyMayHaveNoPayloadOrOneThatNobodyReads() async throws {
        let server = TextServer { text in
            guard let id = text.split(separator: #""requestId":""#).last?.prefix(while: { $0 != "\"" }) else {
                return []
            }
            return [text.contains("look") ? "nothing \(id)" : "bytes \(id)"]
        }
        try await server.client { $0.wire = Self.wire() }.withConnection { client in
            let reply = try await client.send(Look())
            #expect(reply.text == nil)
            #expect(try await client.send(Touch()) == NoResponse())
        }
    }

    // MARK: Encoding

    @Test func messagesTheWireCannotEncodeFailImmediately() async throws {
        let (server, clock) = (TextServer(), TestClock())
        try await server.client(on: clock) {
            ($0.wire, $0.connects) = (Self.wire([.subscriptions]), .whenNeeded(idle: .seconds(5)))
        }
        .withConnection { client in
            let error = await #expect(throws: SocketCommandError.self) { try await client.send("unsayable") }
            #expect(error?.failure?.code == .unsupported)
            let posted = client.events()
            let ticket = try await client.post(Unsayable())
            for try await case .reply(to: ticket, .failure(.failed(let error))) in posted {
                #expect(error.code == .unsupported)
                break
            }
            let join = await #expect(throws: SocketCommandError.self) { try await client.join("unsayable") }
            guard case .rejected(let failure)? = join else {
                Issue.record("\(String(describing: join))")
                return
            }
            #expect(failure.code == "unsupported")
            #expect(failure.message == "it can't be said")
            let subscription = await #expect(throws: SocketCommandError.self) {
                for try await _ in client.subscribe(Ticks()) {}
            }
            guard case .rejected(let refused)? = subscription else {
                Issue.record("\(String(describing: subscription))")
                return
            }
            #expect(refused.code == "unsupported")
            // None of them needs the connection any more, though the limit for replies is 30 s.
            await clock.advance(by: .seconds(5))
            while "\(client.state)" != "idle", !Task.isCancelled { await Task.yield() }
            #expect(server.connections == 1)
        }
    }

    private struct Unsayable: SocketCommand {
        static let event = "unsayable"
        typealias Response = NoResponse
    }

    private struct Ticks: SocketSubscription {
        func payload(_ coding: JSONCoding) -> SocketPayload { SocketPayload(json: "1") }
        func event(in payload: SocketPayload, _ coding: JSONCoding) -> Int? { 1 }
    }

    @Test func anOpeningThatCannotBeSaidEndsTheSession() async throws {
        let client = TextServer().client { $0.wire = Self.wire([.opening]) }
        let error = await #expect(throws: NetError.self) { try await client.run() }
        #expect(error?.code == .unsupported)
    }

    @Test func aCancelledCommandDoesNotKeepTheConnectionOpen() async throws {
        let (server, clock) = (TextServer(), TestClock())
        try await server.client(on: clock) { $0.connects = .whenNeeded(idle: .seconds(5)) }.withConnection { client in
            let task = Task { try await client.send("never") }
            while server.received.isEmpty, !Task.isCancelled { await Task.yield() }
            task.cancel()
            let error = await #expect(throws: SocketCommandError.self) { try await task.value }
            #expect(error?.failure?.code == .cancelled)
            await clock.advance(by: .seconds(5))
            while "\(client.state)" != "idle", !Task.isCancelled { await Task.yield() }
        }
    }

    // MARK: Requests

    private struct Odd: Error {}

    @Test func errorsThrownByTheRequestClosureEndTheSession() async throws {
        for (thrown, code) in [
            (Odd(), .invalidRequest), (NetError(.authentication, phase: .preparing, message: "no"), .authentication),
            (NetError(.cancelled, phase: .preparing, message: "elsewhere"), .cancelled),
        ] as [(any Error, NetError.Code)] {
            let client = SocketClient(client: WebSocketClient(transport: MockWebSocketTransport())) { _ in
                throw thrown
            }
            let error = await #expect(throws: NetError.self) { try await client.run() }
            #expect(error?.code == code)
            if code == .invalidRequest { #expect(error?.underlying is Odd) }
        }
    }

    @Test func aRequestMayOfferItsOwnSubprotocols() async throws {
        for (own, offered) in [([], SocketWire.numberedJSON.subprotocols), (["mine"], ["mine"])] {
            let transport = MockWebSocketTransport([TextServer().stub])
            let client = SocketClient(
                client: WebSocketClient(transport: transport), configuration: .init(wire: .numberedJSON)
            ) { _ in WebSocketRequest(url: "ws://a.test/socket", subprotocols: own) }
            try await client.withConnection { try await $0.wait(for: "open") }
            #expect(transport.requests.map { $0.options.webSocket?.offeredSubprotocols } == [offered])
        }
    }

    @Test func aServerThatDoesNotAgreeIsLeftInOrder() async throws {
        let transport = MockWebSocketTransport([TextServer().stub])
        let client = SocketClient.over(transport) { ($0.wire, $0.delivery) = (.numberedJSON, SocketDelivery()) }
        await #expect(throws: NetError.self) { try await client.run() }
        while transport.sockets.first?.closure == nil, !Task.isCancelled { await Task.yield() }
        #expect(transport.sockets.map { $0.closure?.code } == [.goingAway])
    }

    /// A provider that reports what a test specifies, and may end.
    private struct Network: NetworkStatusProvider {
        let statuses: AsyncStream<NetworkStatus>
        let tell: AsyncStream<NetworkStatus>.Continuation
        var status: NetworkStatus { get async { NetworkStatus() } }
        init() { (statuses, tell) = AsyncStream.makeStream() }
    }

    @Test func aNetworkThatTellsNoMoreKeepsNobodyWaiting() async throws {
        let (server, network, clock) = (SocketPeer(), Network(), TestClock())
        try await server.client(on: clock) { $0.network = network }.withConnection { client in
            _ = try await client.send(Say(text: "1"))
            network.tell.yield(NetworkStatus(.unreachable))
            await Self.settle()
            await server.drop()
            try await client.wait(for: "waiting")
            network.tell.finish()
            await client.reopen(on: clock)
            #expect(try await client.send(Say(text: "2")).text == "2")
        }
    }

    // MARK: Releasing

    private final class Token: Sendable {}

    @Test func handlersAreLetGoWithTheEnd() async throws {
        weak var held: Token?
        let client = SocketPeer().client()
        do {
            let token = Token()
            held = token
            client.on(Said.self) { _ in withExtendedLifetime(token) {} }
            client.onRequest(Say.self) { command in
                withExtendedLifetime(token) { .init(text: command.text) }
            }
        }
        #expect(held != nil)
        try await client.withConnection { try await $0.wait(for: "open") }
        #expect(held == nil)
        withExtendedLifetime(client) {}
    }

    @Test func thePayloadOfAJoinIsLetGoWithTheChannel() async throws {
        try await SocketPeer().client().withConnection { client in
            try await client.wait(for: "open")
            for way in ["cancelled", "left", "closed"] {
                weak var held: Token?
                do {
                    let token = Token()
                    held = token
                    let gate = Gate()
                    let join = Task {
                        if way == "cancelled" { await gate.wait() }
                        try await client.join("room") {
                            withExtendedLifetime(token) {}
                            return ["a": 1]
                        }
                    }
                    if way == "cancelled" { join.cancel() }
                    await gate.open()
                    _ = await join.result
                }
                switch way {
                case "cancelled": break
                case "left":
                    // A second join keeps it.
                    try await client.join("room")
                    #expect(held != nil)
                    try await client.channel("room").leave()
                default:
                    #expect(held != nil || way != "closed")
                    client.close()
                    try await client.wait(for: "closed")
                }
                while held != nil, !Task.isCancelled { await Task.yield() }
                #expect(held == nil, "\(way)")
            }
        }
    }
}
