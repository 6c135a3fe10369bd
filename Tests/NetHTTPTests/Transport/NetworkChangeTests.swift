#if os(Linux) && Server
@testable import ClientTestSupport
import NetHTTP
import NetTestServer
import NetTesting
import Testing

/// Connections of a network that is no longer available.
@Suite(.timeLimit(.minutes(1))) struct NetworkChangeTests {
    private static func status(_ path: String) -> NetworkStatus {
        NetworkStatus(.reachable, interfaces: [.wired], path: path)
    }

    private func send(_ fixture: Fixture) async throws {
        #expect(try await fixture.client.send(Request<String>("/a")) == "here")
    }

    /// Sends requests until the network change has been noticed.
    private func send(_ fixture: Fixture, untilConnections count: Int) async throws {
        for _ in 0..<10_000 where fixture.transport.statistics.openedConnections < count { try await send(fixture) }
        #expect(fixture.transport.statistics.openedConnections == count)
    }

    @Test(arguments: Wire.allCases) func idleConnectionsAreLeftWhenTheNetworkChanges(wire: Wire) async throws {
        let network = NetworkStatusFeed(Self.status("eth0"))
        let setup = Fixture.Setup.transport { $0.network = network }
        try await Fixture.run([Stub(.get, "/a", .text("here"))], over: wire, with: setup) { fixture in
            for _ in 0..<3 { try await send(fixture) }
            #expect(fixture.transport.statistics.openedConnections == 1)
            // Only the time of the check differs, or there is no network at all.
            network.update(Self.status("eth0"))
            network.update(NetworkStatus(.unreachable))
            for _ in 0..<3 { try await send(fixture) }
            #expect(fixture.transport.statistics.openedConnections == 1)
            network.update(Self.status("wlan0"))
            try await send(fixture, untilConnections: 2)
            for _ in 0..<3 { try await send(fixture) }
            #expect(fixture.transport.statistics.openedConnections == 2)
        }
    }

    @Test(arguments: Wire.allCases) func aTransferThatRunsGoesOn(wire: Wire) async throws {
        let network = NetworkStatusFeed(Self.status("eth0"))
        let (chunks, feed) = AsyncStream.makeStream(of: Bytes.self)
        let setup = Fixture.Setup.transport { $0.network = network }
        try await Fixture.run([.mirror(), Stub(.get, "/a", .text("here"))], over: wire, with: setup) { fixture in
            let request = Request<Bytes>("mirror", method: .post, body: .stream(chunks), serializer: .bytes)
            feed.yield([1])
            let response = try await fixture.client.stream(request)
            var body = response.body.makeAsyncIterator()
            #expect(try await body.next() == [1])
            try await send(fixture)
            network.update(Self.status("wlan0"))
            let opened = fixture.transport.statistics.openedConnections
            // An HTTP/2 connection in use stays open.
            if wire != .http2 { try await send(fixture, untilConnections: opened + 1) }
            feed.yield([2])
            #expect(try await body.next() == [2])
            feed.finish()
            #expect(try await body.next() == nil)
        }
    }
}
#endif
