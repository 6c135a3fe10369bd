import NetCore
import NetSocket
import NetSocketCore
import NetTesting
import Synchronization
import Testing

/// Subscriptions with a server whose messages have no envelope.
@Suite(.timeLimit(.minutes(1)))
struct RawSubscriptionTests {
    private struct Trades: SocketSubscription {
        struct Event: Decodable, Sendable { var s: String, p: Int }
        var symbol: String

        func payload(_ coding: JSONCoding) -> SocketPayload { SocketPayload(json: "+\(symbol)") }
        func ending(_ coding: JSONCoding) -> SocketPayload? { SocketPayload(json: "-\(symbol)") }
        func event(in payload: SocketPayload, _ coding: JSONCoding) throws -> Event? {
            if payload.json == "!\(symbol)" { throw SocketFailure("halted", symbol) }
            let trade = try? payload.decoded(as: Event.self, coding: coding)
            return trade?.s == symbol ? trade : nil
        }
    }

    private static func trade(_ symbol: String, _ price: Int) -> WireSignal {
        .push(WirePush(event: "", payload: SocketPayload(json: #"{"s":"\#(symbol)","p":\#(price)}"#)))
    }

    /// A server that sends two trades for each requested symbol.
    private static func feed() -> SocketPeer {
        SocketPeer(wire: .raw) { signal, _ in
            guard let symbol = text(signal), symbol.first == "+" else { return [] }
            return (1...2).map { trade(String(symbol.dropFirst()), $0) }
        }
    }

    private static func text(_ signal: WireSignal) -> String? {
        if case .request(let request) = signal { request.payload?.json } else { nil }
    }

    private static func texts(_ server: SocketPeer) -> [String] { server.received.compactMap(text) }

    @Test func eachSubscriptionTakesItsOwnMessages() async throws {
        let server = Self.feed()
        try await server.client().withConnection { client in
            try await withThrowingTaskGroup(of: [String].self) { group in
                for symbol in ["a", "b", "c"] {
                    group.addTask {
                        var found: [String] = []
                        for try await trade in client.subscribe(Trades(symbol: symbol)) {
                            found.append("\(trade.s)\(trade.p)")
                            if found.count == 2 { break }
                        }
                        return found
                    }
                }
                for try await found in group { #expect([["a1", "a2"], ["b1", "b2"], ["c1", "c2"]].contains(found)) }
            }
            while Self.texts(server).count < 6, !Task.isCancelled { await Task.yield() }
        }
        #expect(server.connections == 1)
        #expect(Set(Self.texts(server)) == ["+a", "+b", "+c", "-a", "-b", "-c"])
    }

    @Test func itIsMadeAgainOnTheNextConnection() async throws {
        let server = Self.feed()
        let clock = TestClock()
        try await server.client(on: clock).withConnection { client in
            var prices: [Int] = []
            for try await trade in client.subscribe(Trades(symbol: "a")) {
                prices.append(trade.p)
                if prices.count == 2 {
                    await server.drop()
                    while server.connections < 2 {
                        await clock.advance(by: .milliseconds(50))
                        await Task.yield()
                    }
                }
                if prices.count == 4 { break }
            }
            #expect(prices == [1, 2, 1, 2])
            while Self.texts(server).count < 3, !Task.isCancelled { await Task.yield() }
        }
        #expect(Self.texts(server) == ["+a", "+a", "-a"])
    }

    @Test func messagesOfOthersDoNotDisplaceTheLatest() async throws {
        let server = Self.feed()
        try await server.client().withConnection { client in
            var a = client.subscribe(Trades(symbol: "a"), buffer: .latest).makeAsyncIterator()
            var b = client.subscribe(Trades(symbol: "b")).makeAsyncIterator()
            #expect(try await b.next()?.p == 1)
            #expect(try await b.next()?.p == 2)
            for price in 3...9 { try await server.send(Self.trade("b", price)) }
            for price in 3...9 { #expect(try await b.next()?.p == price) }
            #expect(try await a.next()?.p == 2)
        }
    }

    @Test func anErrorThrownByASubscriptionEndsOnlyThatSubscription() async throws {
        let server = Self.feed()
        try await server.client().withConnection { client in
            var (a, b) = (
                client.subscribe(Trades(symbol: "a"), buffer: .latest).makeAsyncIterator(),
                client.subscribe(Trades(symbol: "b")).makeAsyncIterator()
            )
            for price in 1...2 { #expect(try await b.next()?.p == price) }
            try await server.send(.push(WirePush(event: "", payload: SocketPayload(json: "!a"))))
            for symbol in ["a", "b"] { try await server.send(Self.trade(symbol, 3)) }
            #expect(try await b.next()?.p == 3)
            let error = await #expect(throws: SocketCommandError.self) { try await a.next() }
            guard case .rejected(let failure)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(failure == SocketFailure("halted", "a"))
        }
    }

    @Test func messagesCanBeSentWithoutASubscription() async throws {
        let server = Self.feed()
        try await server.client().withConnection { client in
            try await client.notify(Said(text: "hello"))
            while server.received.isEmpty, !Task.isCancelled { await Task.yield() }
            let error = await #expect(throws: SocketCommandError.self) { try await client.send(Say(text: "x")) }
            guard case .failed(let failed)? = error else { return }
            #expect(failed.code == .unsupported)
        }
        #expect(Self.texts(server) == [#"{"text":"hello"}"#])
    }

    // MARK: Negotiation

    /// A server that accepts a login, and greets.
    private static func strict(_ answer: String = "welcome") -> SocketPeer {
        SocketPeer(wire: .raw) { signal, _ in
            switch text(signal) {
            case "login"?: ["hello", answer].map { .push(WirePush(event: "", payload: SocketPayload(json: $0))) }
            case let symbol? where symbol.first == "+": [trade(String(symbol.dropFirst()), 1)]
            default: []
            }
        }
    }

    private static func client(_ server: SocketPeer, on clock: TestClock = TestClock()) -> SocketClient {
        server.client(on: clock) { configuration in
            configuration.negotiate = { connection in
                try await connection.send(.text("login"))
                while true {
                    let text = try await connection.receive().text
                    if text == "refused" { throw NetError(.authentication, phase: .receiving, message: "refused") }
                    if text == "welcome" { return }
                }
            }
        }
    }

    @Test func eachConnectionIsNegotiatedBeforeAnythingIsSentAndNobodySeesIt() async throws {
        let server = Self.strict()
        let clock = TestClock()
        try await Self.client(server, on: clock).withConnection { client in
            let events = client.events()
            for try await _ in client.subscribe(Trades(symbol: "a")) {
                if server.connections == 2 { break }
                await server.drop()
                while server.connections < 2 {
                    await clock.advance(by: .milliseconds(50))
                    await Task.yield()
                }
            }
            var pushes: [String] = []
            for try await case .push(let push) in events {
                pushes.append(push.payload?.json ?? "")
                if pushes.count == 2 { break }
            }
            #expect(pushes.allSatisfy { $0.contains(#""s":"a""#) })
        }
        #expect(Self.texts(server).prefix(4) == ["login", "+a", "login", "+a"])
    }

    @Test func aRefusalEndsTheSession() async throws {
        let client = Self.client(Self.strict("refused"))
        let error = await #expect(throws: NetError.self) { try await client.run() }
        #expect(error?.code == .authentication)
    }

    @Test func aNegotiationThatTakesTooLongIsTriedAgain() async throws {
        let server = Self.strict("nothing")
        let clock = TestClock()
        try await Self.client(server, on: clock).withConnection { client in
            // The time to connect is limited, too.
            while Self.texts(server).isEmpty, !Task.isCancelled { await Task.yield() }
            while Self.texts(server).count < 2 {
                await clock.advance(by: .milliseconds(500))
                await Task.yield()
            }
        }
        #expect(server.connections == 2)
        #expect(clock.netClock.now() >= .seconds(10))
    }

    @Test func pausingEndsTheNegotiation() async throws {
        let server = Self.strict("nothing")
        try await Self.client(server).withConnection { client in
            while Self.texts(server).isEmpty, !Task.isCancelled { await Task.yield() }
            client.pause()
            try await client.wait(for: "suspended")
        }
        #expect(server.connections == 1)
    }
}
