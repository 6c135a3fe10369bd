import NetCore
import NetSocket
import NetSocketCore
import NetTesting
import Synchronization
import Testing

/// Subscriptions of GraphQL, over both of its wire protocols.
@Suite(.timeLimit(.minutes(1)))
struct SubscriptionTests {
    private struct Count: Codable, Sendable { var count: Int }

    private static let wires = ["graphql-transport-ws", "graphql-ws"]

    private static func wire(_ name: String) -> SocketWire {
        name == "graphql-ws" ? .graphQLLegacy : .graphQLTransport
    }

    private static func result(_ count: Int) -> SocketPayload {
        SocketPayload(json: #"{"data":{"count":\#(count)}}"#)
    }

    private static let operation = GraphQLSubscription("subscription { count }", as: Count.self)

    /// A server that accepts the opening, and responds to a subscription with events from `first` to `last`.
    private static func server(_ name: String, first: Int = 1, last: Int = 3, completes: Bool = true) -> SocketPeer {
        SocketPeer(wire: wire(name)) { signal, _ in
            switch signal {
            case .open(let payload):
                return payload == nil ? [.end(WireEnd(SocketFailure("4401")))] : [.opened(WireOpened())]
            case .subscribe(let id, _):
                let events = (first...last).map { WireSignal.event(id, result($0)) }
                return completes ? events + [.completed(id, nil)] : events
            default: return []
            }
        }
    }

    private static func client(_ server: SocketPeer, on clock: TestClock = TestClock()) -> SocketClient {
        server.client(on: clock) { $0.openPayload = { SocketPayload(json: #"{"token":"a"}"#) } }
    }

    @Test(arguments: wires) func eventsComeInOrderAndEndWithTheServers(name: String) async throws {
        try await Self.client(Self.server(name)).withConnection { client in
            var found: [Int] = []
            for try await event in client.subscribe(Self.operation) { found.append(event.count) }
            #expect(found == [1, 2, 3])
        }
    }

    @Test(arguments: wires) func leavingTheLoopUnsubscribes(name: String) async throws {
        let server = Self.server(name, completes: false)
        try await Self.client(server).withConnection { client in
            for try await event in client.subscribe(Self.operation) where event.count == 2 { break }
            while !server.received.contains(where: { if case .unsubscribe = $0 { true } else { false } }) {
                await Task.yield()
            }
        }
    }

    @Test(arguments: wires) func manyShareOneConnection(name: String) async throws {
        let server = Self.server(name)
        try await Self.client(server).withConnection { client in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        var sum = 0
                        for try await event in client.subscribe(Self.operation) { sum += event.count }
                        return sum
                    }
                }
                for try await sum in group { #expect(sum == 6) }
            }
        }
        #expect(server.connections == 1)
    }

    @Test(arguments: wires) func itIsMadeAgainOnTheNextConnection(name: String) async throws {
        let server = Self.server(name, completes: false)
        let clock = TestClock()
        try await Self.client(server, on: clock).withConnection { client in
            var found: [Int] = []
            for try await event in client.subscribe(Self.operation) {
                found.append(event.count)
                if found.count == 3 {
                    await server.drop()
                    while server.connections < 2 {
                        await clock.advance(by: .milliseconds(50))
                        await Task.yield()
                    }
                }
                if found.count == 6 { break }
            }
            #expect(found == [1, 2, 3, 1, 2, 3])
        }
    }

    @Test(arguments: wires) func subscriptionFailuresFromTheServerAreThrown(name: String) async throws {
        let server = SocketPeer(wire: Self.wire(name)) { signal, _ in
            switch signal {
            case .open: [.opened(WireOpened())]
            case .subscribe(let id, _): [.completed(id, SocketFailure("FORBIDDEN", "not for you"))]
            default: []
            }
        }
        try await Self.client(server).withConnection { client in
            let error = await #expect(throws: SocketCommandError.self) {
                for try await _ in client.subscribe(Self.operation) {}
            }
            guard case .rejected(let failure)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(failure.message == "not for you")
        }
    }

    @Test func aResultWithErrorsAloneEndsIt() async throws {
        let server = SocketPeer(wire: .graphQLTransport) { signal, _ in
            switch signal {
            case .open: [.opened(WireOpened())]
            case .subscribe(let id, _): [.event(id, SocketPayload(json: #"{"errors":[{"message":"no field"}]}"#))]
            default: []
            }
        }
        try await Self.client(server).withConnection { client in
            let error = await #expect(throws: SocketCommandError.self) {
                for try await _ in client.subscribe(Self.operation) {}
            }
            guard case .rejected(let failure)? = error else { return }
            #expect(failure.message == "no field")
        }
    }

    @Test func aSessionThatFailsEndsItByItsError() async throws {
        let server = Self.server("graphql-transport-ws", completes: false)
        let client = Self.client(server)
        client.start()
        let error = await #expect(throws: SocketCommandError.self) {
            for try await event in client.subscribe(Self.operation) where event.count == 3 {
                try await server.close(WebSocketCloseCode(rawValue: 4403))
            }
        }
        guard case .failed(let failed)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failed.closure?.code.rawValue == 4403)
    }

    @Test func aWireWithoutThemRefuses() async throws {
        try await SocketPeer().client().withConnection { client in
            let error = await #expect(throws: SocketCommandError.self) {
                for try await _ in client.subscribe(Self.operation) {}
            }
            guard case .failed(let failed)? = error else { return }
            #expect(failed.code == .unsupported)
        }
    }
}
