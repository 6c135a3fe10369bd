#if Tools && Server
internal import NetCore
internal import NetSocket
internal import NetTestServer
internal import NetTesting
internal import Synchronization

/// Scenarios with sessions over WebSockets, each with its own server on this machine.
enum SessionScenarios {
    static let all = [chat, feed, calls, subscription, terminal]

    private struct Say: SocketCommand {
        static let event = "say"
        typealias Response = NoResponse
        var text: String
    }

    private struct Said: SocketPush {
        static let event = "said"
        var text: String
    }

    /// Runs a scenario with its own server and clients, which reconnect after 10 ms.
    private static func scenario(
        _ name: String, _ summary: String, _ wire: SocketWire, expect expected: String,
        server answer: @escaping @Sendable (WireSignal, LabWireServer) -> [WireSignal],
        client body: @escaping @Sendable (_ connect: () -> SocketClient, _ server: LabWireServer) async throws -> String
    ) -> Scenario {
        Scenario(name, summary, expect: expected) { lab in
            let peer = LabWireServer(wire, answer: answer)
            return try await Workbench.with(lab.peer.mode, [], webSockets: [peer.stub]) { bench in
                let sockets = bench.peer.sockets()
                let configuration = SocketClient.Configuration(wire: wire, reconnect: .constant(.milliseconds(10)))
                let url = bench.peer.webSocketURL + LabWireServer.path
                let result: Result<String, any Error>
                do {
                    result = .success(
                        try await body({ SocketClient(url, client: sockets, configuration: configuration) }, peer))
                } catch {
                    result = .failure(error)
                }
                await sockets.shutdown()
                return try result.get()
            }
        }
    }

    private static let chat = scenario(
        "chat", "Two clients in a room; both receive what one says, even after a lost connection.", .json,
        expect: "ada hears hello, again; bob hears hello, again; joined 4 times",
        server: { signal, server in
            switch signal {
            case .join(let join): return [.joined(WireJoined(id: join.id, topic: join.topic))]
            case .request(let request):
                server.everywhere(.push(WirePush(event: "said", payload: request.payload, topic: request.topic)))
                return request.id.map { [.reply(WireReply(id: $0, event: request.event, .success(nil)))] } ?? []
            default: return []
            }
        },
        client: { connect, server in
            let (ada, bob) = (connect(), connect())
            return try await ada.withConnection { ada in
                try await bob.withConnection { bob in
                    var heard: [(String, SocketSequence<Said>.Iterator)] = []
                    for (name, client) in [("ada", ada), ("bob", bob)] {
                        heard.append((name, client.channel("harbour").pushes(of: Said.self).makeAsyncIterator()))
                        try await client.join("harbour")
                    }
                    try await ada.channel("harbour").send(Say(text: "hello"))
                    var texts = [[String]](repeating: [], count: 2)
                    for index in heard.indices {
                        texts[index].append(try await heard[index].1.next()?.text ?? "nothing")
                    }
                    let events = [ada, bob].map { $0.channel("harbour").events().makeAsyncIterator() }
                    await server.dropAll()
                    for var events in events {
                        while let event = try await events.next() { if case .joined = event { break } }
                    }
                    try await bob.channel("harbour").send(Say(text: "again"))
                    for index in heard.indices {
                        texts[index].append(try await heard[index].1.next()?.text ?? "nothing")
                    }
                    let names = zip(heard.map(\.0), texts).map { "\($0) hears \($1.joined(separator: ", "))" }
                    return names.joined(separator: "; ") + "; joined \(server.joins) times"
                }
            }
        }
    )

    private static let feed = scenario(
        "feed with recovery", "Prices with offsets; missed ones arrive on the next connection, once.", .centrifuge,
        expect: "1, 2, 3, 4, 5; missed: nothing",
        server: { signal, server in
            func price(_ offset: UInt64) -> WirePush {
                WirePush(event: "", payload: SocketPayload(json: "\(offset)"), topic: "prices", offset: offset)
            }
            switch signal {
            case .open: return [.opened(WireOpened())]
            case .join(let join) where join.position == nil:
                let position = ChannelPosition(epoch: "a", offset: 0)
                return [.joined(WireJoined(id: join.id, topic: join.topic, position: position))]
                    + (1...3).map { .push(price($0)) }
            case .join(let join):
                let position = ChannelPosition(epoch: "a", offset: 5)
                let missed = (((join.position?.offset ?? 0) + 1)...5).map(price)
                return [
                    .joined(
                        WireJoined(
                            id: join.id, topic: join.topic, position: position, isRecovered: true, missed: missed))
                ]
            default: return []
            }
        },
        client: { connect, server in
            try await connect().withConnection { client in
                var events = client.channel("prices").events().makeAsyncIterator()
                try await client.join("prices")
                var (prices, missed): ([String], MissedPushes?) = ([], nil)
                while prices.count < 5, let event = try await events.next() {
                    switch event {
                    case .push(let push): prices.append(push.payload?.json ?? "")
                    case .joined(_, let lost): missed = lost
                    default: break
                    }
                    if prices.count == 3, missed == .nothing, server.joins == 1 { await server.dropAll() }
                }
                return "\(prices.joined(separator: ", ")); missed: \(missed.map { "\($0)" } ?? "unknown")"
            }
        }
    )

    private struct Add: SocketCommand {
        static let event = "add"
        typealias Response = Int
        var left: Int
        var right: Int
    }

    private struct Divide: SocketCommand {
        static let event = "divide"
        typealias Response = Int
        var left: Int
        var right: Int
    }

    private static let calls = scenario(
        "RPC", "JSON-RPC over one connection: 100 calls at once, and one that is refused.", .jsonRPC,
        expect: "100 of 100 sums; divide refused with -32601",
        server: { signal, _ in
            guard case .request(let request) = signal, let id = request.id else { return [] }
            guard request.event == "add", let numbers: [String: Int] = try? request.payload?.decoded(),
                let left = numbers["left"], let right = numbers["right"]
            else { return [.reply(WireReply(id: id, .failure(SocketFailure("-32601", "no such method"))))] }
            return [.reply(WireReply(id: id, .success(SocketPayload(json: "\(left + right)"))))]
        },
        client: { connect, _ in
            try await connect().withConnection { client in
                let sums = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for number in 0..<100 {
                        group.addTask { try await client.send(Add(left: number, right: 1)) == number + 1 }
                    }
                    return try await group.reduce(0) { $1 ? $0 + 1 : $0 }
                }
                do throws(SocketCommandError) {
                    _ = try await client.send(Divide(left: 1, right: 0))
                    return "it was accepted"
                } catch {
                    guard case .rejected(let failure) = error else { throw error }
                    return "\(sums) of 100 sums; divide refused with \(failure.code)"
                }
            }
        }
    )

    private struct Stock: Decodable, Sendable { var stock: Int }

    private static let subscription = scenario(
        "GraphQL subscription", "Events of a subscription until the server completes it.", .graphQLTransport,
        expect: "3, 2, 1, sold out",
        server: { signal, _ in
            switch signal {
            case .open: return [.opened(WireOpened())]
            case .subscribe(let id, _):
                return (1...3).reversed().map {
                    .event(id, SocketPayload(json: #"{"data":{"stock":\#($0)}}"#))
                } + [.completed(id, nil)]
            default: return []
            }
        },
        client: { connect, _ in
            try await connect().withConnection { client in
                var seen: [String] = []
                for try await event in client.subscribe(GraphQLSubscription("subscription { stock }", as: Stock.self)) {
                    seen.append("\(event.stock)")
                }
                return seen.joined(separator: ", ") + ", sold out"
            }
        }
    )

    private static let terminal = scenario(
        "net-lab connect", "Lines of a terminal, and what is printed for them.", .json,
        expect:
            "→ join harbour | ← joined harbour {} | → say in harbour {\"text\":\"hi\"} | ← said in harbour {\"text\":\"hi\"} | "
            + "✗ refused: no_entry: members only",
        server: { signal, _ in
            switch signal {
            case .join(let join): return [.joined(WireJoined(id: join.id, topic: join.topic))]
            case .request(let request) where request.topic != nil:
                return [.push(WirePush(event: "said", payload: request.payload, topic: request.topic))]
                    + (request.id.map { [.reply(WireReply(id: $0, .success(nil)))] } ?? [])
            case .request(let request):
                let failure = SocketFailure("no_entry", "members only")
                return request.id.map { [.reply(WireReply(id: $0, .failure(failure)))] } ?? []
            default: return []
            }
        },
        client: { connect, _ in
            let printed = Mutex<[String]>([])
            let (stream, feed) = AsyncStream.makeStream(of: String.self)
            for line in ["# a comment", "join harbour"] { feed.yield(line) }
            let conversation = Conversation(connect(), wire: .json, timeout: .seconds(10)) { line in
                printed.withLock { $0.append(line) }
                // Another task prints the events, so the next lines are typed only after the line of the event.
                if line.hasPrefix("← joined") {
                    for line in ["in harbour", #"send say {"text":"hi"}"#] { feed.yield(line) }
                } else if line.hasPrefix("← said") {
                    for line in ["in", "send say", "quit"] { feed.yield(line) }
                    feed.finish()
                }
            }
            try await conversation.run(stream, linger: .zero, isStrict: true)
            let unwanted = ["· ", "← reply to ", "→ say"]
            return printed.withLock { $0 }
                .filter { line in line.hasPrefix("→ say in") || !unwanted.contains { line.hasPrefix($0) } }
                .joined(separator: " | ")
        }
    )
}
#endif
