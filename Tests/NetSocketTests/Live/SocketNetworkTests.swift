import NetCore
import NetSocket
import NetSocketCore
import NetTesting
import Synchronization
import Testing

/// Sessions that follow the network, and those that connect when something needs them.
@Suite(.timeLimit(.minutes(1)))
struct SocketNetworkTests {
    private static let wifi = NetworkStatus(.reachable, interfaces: [.wifi])
    private static let cellular = NetworkStatus(.reachable, interfaces: [.cellular])

    /// Reports every status in order, so that the first one isn't skipped if the session begins to read late.
    private struct Network: NetworkStatusProvider {
        let statuses: AsyncStream<NetworkStatus>
        let tell: AsyncStream<NetworkStatus>.Continuation
        var status: NetworkStatus { get async { NetworkStatus() } }

        init(_ first: NetworkStatus) {
            (statuses, tell) = AsyncStream.makeStream()
            tell.yield(first)
        }

        func update(_ status: NetworkStatus) { tell.yield(status) }
    }

    /// Gives a session time to process the last status.
    private static func settle() async { for _ in 0..<200 { await Task.yield() } }

    @Test func aChangeEndsAWaitWithoutAnyTime() async throws {
        let server = SocketPeer()
        let network = Network(Self.wifi)
        try await server.client { $0.network = network }.withConnection { client in
            _ = try await client.send(Say(text: "1"))
            await Self.settle()
            await server.drop()
            try await client.wait(for: "waiting")
            network.update(Self.cellular)
            #expect(try await client.send(Say(text: "2")).text == "2")
        }
        #expect(server.connections == 2)
    }

    @Test func withoutANetworkItWaitsForIt() async throws {
        let server = SocketPeer()
        let network = Network(Self.wifi)
        let clock = TestClock()
        try await server.client(on: clock) { $0.network = network }.withConnection { client in
            _ = try await client.send(Say(text: "1"))
            await Self.settle()
            network.update(NetworkStatus(.unreachable))
            await Self.settle()
            await server.drop()
            // It waits without a time limit as soon as it knows that there is no network.
            for try await case .waiting(_, nil, _) in client.states { break }
            for _ in 0..<100 {
                await clock.advance(by: .seconds(1))
                await Task.yield()
            }
            #expect(server.connections == 1)
            network.update(Self.cellular)
            #expect(try await client.send(Say(text: "2")).text == "2")
        }
    }

    /// The other end responds to pings, like on a real connection.
    @Test func aServerThatAnswersAPingKeepsItsConnection() async throws {
        let server = SocketPeer()
        let network = Network(Self.wifi)
        let clock = TestClock()
        try await server.client(on: clock) { configuration in
            (configuration.network, configuration.heartbeatInterval) = (network, nil)
        }
        .withConnection { client in
            _ = try await client.send(Say(text: "1"))
            await Self.settle()
            network.update(Self.cellular)
            for _ in 0..<100 {
                await clock.advance(by: .milliseconds(100))
                await Task.yield()
            }
            #expect(client.state.isOpen)
            #expect(server.connections == 1)
        }
    }

    /// A server that reads no pings, but sends something: a frame that takes a while counts too.
    @Test(arguments: [true, false])
    func anythingThatArrivesAnswersAProbe(_ sends: Bool) async throws {
        let (network, clock) = (Network(Self.wifi), TestClock())
        let begun = Gate()
        let stub = WebSocketStub("/socket") { peer in
            await begun.open()
            if sends {
                // A text of 100 bytes, one each half second.
                try await peer.send(raw: Bytes([0x81, 100]))
                for _ in 0..<100 {
                    try await peer.clock.sleep(for: .milliseconds(500))
                    try await peer.send(raw: Bytes([0x61]))
                }
            }
            try await peer.clock.sleep(for: .seconds(600))
        }
        let client = SocketClient(
            "ws://a.test/socket",
            client: WebSocketClient(
                configuration: .init(clock: clock.netClock), transport: MockWebSocketTransport([stub])),
            configuration: .init(wire: .raw, reconnect: .never, heartbeatInterval: nil, network: network))
        let run = Task { try await client.run() }
        try await client.wait(for: "open")
        await begun.wait()
        network.update(Self.cellular)
        await Self.settle()
        if sends {
            for _ in 0..<40 {
                await clock.advance(by: .milliseconds(250))
                await Self.settle()
            }
            #expect(client.state.isOpen)
        } else {
            while client.state.isOpen, !Task.isCancelled {
                await clock.advance(by: .milliseconds(100))
                await Self.settle()
            }
            #expect(clock.now < .seconds(60))
        }
        run.cancel()
        _ = await run.result
    }

    @Test func aServerThatIsSilentAfterAChangeIsLeft() async throws {
        let server = SocketPeer()
        let transport = MockWebSocketTransport { _, attempt in
            var stub = server.stub
            if attempt == 1 { stub.faults = .both(.silence(after: .frames(1))) }
            return stub
        }
        let (network, clock) = (Network(Self.wifi), TestClock())
        let client = SocketClient(
            "ws://a.test/socket",
            client: WebSocketClient(configuration: .init(clock: clock.netClock), transport: transport),
            configuration: .init(heartbeatInterval: nil, network: network))
        try await client.withConnection { client in
            let states = client.states
            _ = try await client.send(Say(text: "1"))
            await Self.settle()
            network.update(Self.cellular)
            while server.connections < 2 {
                await clock.advance(by: .milliseconds(100))
                await Task.yield()
            }
            for try await case .waiting(_, _, let error) in states {
                #expect(error.message.contains("after the network changed"))
                break
            }
        }
        #expect(clock.netClock.now() >= .seconds(5))
        #expect(clock.netClock.now() < .seconds(10))
    }

    @Test func itConnectsWhenNeededAndClosesWhenNot() async throws {
        let server = SocketPeer()
        let clock = TestClock()
        try await server.client(on: clock) { configuration in
            configuration.connects = .whenNeeded(idle: .seconds(10))
        }
        .withConnection { client in
            await Self.settle()
            #expect(server.connections == 0)
            #expect("\(client.state)" == "idle")
            for n in 1...3 {
                #expect(try await client.send(Say(text: "\(n)")).text == "\(n)")
                #expect(server.connections == n)
                while client.state.isOpen {
                    await clock.advance(by: .seconds(1))
                    await Task.yield()
                }
                #expect("\(client.state)" == "idle")
            }
            let room = try await client.join("room")
            for _ in 0..<100 { await clock.advance(by: .seconds(1)) }
            #expect(client.state.isOpen)
            #expect(room.state == .joined)
        }
    }
}
