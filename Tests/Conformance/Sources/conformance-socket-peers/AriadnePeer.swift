#if Server
import NetCore
import NetSocket
import NetSocketCore

/// Our sessions with ariadne on uvicorn, which supports both protocols of GraphQL over WebSocket.
struct AriadnePeer {
    private struct Count: Decodable, Equatable { var count: Int }
    private struct Ticks: Decodable { var ticks: Int }
    private struct Half: Decodable { var half: Int? }
    private struct Large: Decodable { var large: String }
    private struct Hello: Decodable { var hello: String }
    private struct Refused: Decodable { var refused: Int }

    let server: ForeignServer
    let wire: SocketWire
    let path: String

    /// Runs the cases of one protocol.
    static func run(_ peers: PeerFolder, _ protocolName: String, _ wire: SocketWire) async throws -> CaseList {
        let cases = CaseList("ariadne \(protocolName)")
        let server = try await ForeignServer.start(peers, "ariadne_server.py")
        let peer = AriadnePeer(server: server, wire: wire, path: "/\(protocolName)")
        await peer.runSubscriptions(cases)
        await peer.runFailures(cases)
        await peer.runOpening(cases)
        await cases.run("signs of life") { try await peer.staysOpen() }
        await cases.run("connecting again at will") { try await peer.connectsAgain() }
        await cases.run("a server that is killed and started again") { try await peer.outlives(peers) { $0.kill() } }
        let next = AriadnePeer(
            server: try await ForeignServer.start(peers, "ariadne_server.py"), wire: wire, path: "/\(protocolName)")
        await cases.run("a server that is stopped and started again") {
            try await next.outlives(peers) { try await $0.stop() }
        }
        return cases
    }

    private func client(_ change: (inout SocketClient.Configuration) -> Void = { _ in }) -> SocketClient {
        server.client(path, wire, change)
    }

    private static func counting(to last: Int) -> GraphQLSubscription<Count> {
        GraphQLSubscription(
            "subscription Count($to: Int!) { count(to: $to) }", variables: ["to": .integer(Int64(last))],
            operationName: "Count")
    }

    private static func ticking(_ name: String) -> GraphQLSubscription<Ticks> {
        GraphQLSubscription("subscription ticks { ticks(name: \"\(name)\") }", operationName: "ticks")
    }

    /// Reads a subscription to its end.
    private static func events<Subscription: SocketSubscription>(
        _ client: SocketClient, _ subscription: Subscription
    ) async throws -> [Subscription.Event] {
        var events: [Subscription.Event] = []
        for try await event in client.subscribe(subscription) { events.append(event) }
        return events
    }

    private func runSubscriptions(_ cases: CaseList) async {
        await cases.run("several events, then completion") {
            try await client().withConnection { client in
                try expect(try await Self.events(client, Self.counting(to: 5)).map(\.count), is: Array(1...5))
            }
        }
        await cases.run("several subscriptions at once") {
            try await client().withConnection { client in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for last in 1...20 {
                        group.addTask {
                            let found = try await Self.events(client, Self.counting(to: last)).map(\.count)
                            try expect(found, is: Array(1...last))
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
        await cases.run("events in compressed messages") {
            let client = server.client(path, wire, compression: WebSocketCompression(minimumBytes: 0))
            try await client.withConnection { client in
                try expect(try await Self.events(client, Self.counting(to: 50)).map(\.count), is: Array(1...50))
            }
        }
        await cases.run("a large event") {
            try await client().withConnection { client in
                let subscription = GraphQLSubscription("subscription { large(bytes: 900000) }", as: Large.self)
                try expect(try await Self.events(client, subscription).map(\.large.count), is: [900_000])
            }
        }
        await cases.run("a query") {
            try await client().withConnection { client in
                for try await event in client.subscribe(GraphQLSubscription("{ hello }", as: Hello.self)) {
                    try expect(event.hello, is: "Grüße")
                    return
                }
                throw CaseFailure("it ended without an event")
            }
        }
        await cases.run("unsubscribing is seen by the server") {
            try await client().withConnection { client in
                for try await event in client.subscribe(Self.ticking("left")) where event.ticks == 2 { break }
                _ = try await server.program.line(beginning: "begun left")
                _ = try await server.program.line(beginning: "stopped ticks")
                // The session continues. With the older protocol, ariadne has crashed here, and this is the next
                // connection.
                try expect(try await Self.events(client, Self.counting(to: 1)).count, is: 1)
            }
        }
    }

    private func runFailures(_ cases: CaseList) async {
        await cases.run("a document that is invalid is refused") {
            try await client().withConnection { client in
                let subscription = GraphQLSubscription("subscription { nothing }", as: Count.self)
                let failure = try await refusal { _ = try await Self.events(client, subscription) }
                try expect(failure.message.contains("nothing"), "the failure is \(failure)")
            }
        }
        await cases.run("text that is no document is refused") {
            try await client().withConnection { client in
                let subscription = GraphQLSubscription("subscription {", as: Count.self)
                let failure = try await refusal { _ = try await Self.events(client, subscription) }
                try expect(failure.message.hasPrefix("Syntax Error"), "the failure is \(failure)")
                // Other subscriptions continue.
                try expect(try await Self.events(client, Self.counting(to: 2)).count, is: 2)
            }
        }
        await cases.run("a subscription that its source refuses") {
            try await client().withConnection { client in
                let subscription = GraphQLSubscription("subscription { refused }", as: Refused.self)
                let failure = try await refusal { _ = try await Self.events(client, subscription) }
                try expect([failure.code, failure.message], is: ["FORBIDDEN", "not for you"])
            }
        }
        await cases.run("an event with data and an error") {
            try await client().withConnection { client in
                let subscription = GraphQLSubscription("subscription { half(to: 3) }", as: Half.self)
                try expect(try await Self.events(client, subscription).map(\.half), is: [1, nil, 3])
            }
        }
    }

    private func runOpening(_ cases: CaseList) async {
        await cases.run("the payload of the opening message is read") {
            let client = client { $0.openPayload = { try SocketPayload(["token": "right"]) } }
            try await client.withConnection { client in
                _ = try await Self.events(client, Self.counting(to: 1))
                _ = try await server.program.line(beginning: "opened {\"token\": \"right\"}")
            }
        }
        await cases.run("the opening message is refused") {
            let client = client { $0.openPayload = { try SocketPayload(["token": "wrong"]) } }
            do {
                try await client.run()
            } catch {
                guard case .failed = client.state else { throw CaseFailure("the session is \(client.state)") }
                // Only the older protocol gives a reason; the other one closes without it.
                if path == "/legacy" { try expect("\(error)".contains("UNAUTHENTICATED"), "\(error)") }
                return
            }
            throw CaseFailure("it was not refused")
        }
    }

    /// The client's pings, or the server's keep-alives, have no visible effect.
    private func staysOpen() async throws {
        let client = client { $0.heartbeatInterval = .milliseconds(300) }
        try await client.withConnection { client in
            let observed = Task { try await client.events().reduce(into: [String]()) { $0.append("\($1)") } }
            try await client.wait(for: "open")
            try await Task.sleep(for: .seconds(2))
            try expect(try await Self.events(client, Self.counting(to: 3)).count, is: 3)
            client.close()
            let unreadable = try await observed.value.filter { $0.hasPrefix("unreadable") || $0.contains("waiting") }
            try expect(unreadable.isEmpty, "\(unreadable)")
        }
    }

    private func connectsAgain() async throws {
        try await client().withConnection { client in
            var events = client.subscribe(Self.ticking("again")).makeAsyncIterator()
            _ = try await events.next()
            _ = try await server.program.line(beginning: "begun again")
            client.reconnect()
            _ = try await server.program.line(beginning: "begun again")
            _ = try await events.next()
            client.pause()
            try await client.wait(for: "suspended")
            client.resume()
            _ = try await server.program.line(beginning: "begun again")
            _ = try await events.next()
        }
    }

    private func outlives(_ peers: PeerFolder, end: @Sendable (PeerProgram) async throws -> Void) async throws {
        try await client().withConnection { client in
            var events = client.subscribe(Self.ticking("kept")).makeAsyncIterator()
            _ = try await events.next()
            _ = try await server.program.line(beginning: "begun kept")
            try await end(server.program)
            try await client.wait(for: "waiting")
            let again = try await ForeignServer.start(peers, "ariadne_server.py", port: server.port)
            _ = try await again.program.line(beginning: "begun kept")
            // Events from before the end may arrive first; the new ones begin at 1.
            while try await events.next()?.ticks != 1 {}
            try expect(client.state.isOpen, "the session is \(client.state)")
        }
    }
}
#endif
