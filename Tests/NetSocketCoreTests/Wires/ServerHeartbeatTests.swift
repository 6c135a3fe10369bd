import NetCore
import NetSocketCore
import Testing

/// The heartbeats that a server sends on its own.
struct ServerHeartbeatTests {
    /// A client learns the interval, and recognizes the heartbeats.
    @Test(arguments: [SocketWire.centrifuge, .appSync, .socketIO]) func clientsKnowThem(wire: SocketWire) throws {
        let heartbeat = try #require(wire.serverHeartbeat)
        #expect(heartbeat.interval < heartbeat.maximumSilence)
        var ends = WirePairOfEnds(wire)
        for message in ends.server.greet(as: "a1") { _ = try ends.client.decode(message) }
        _ = try ends.say(.open(nil), from: .client)
        let (opened, _) = try ends.say(
            .opened(WireOpened(heartbeat: heartbeat.maximumSilence)), from: .server)
        guard case .opened(let answer)? = opened.first else {
            Issue.record("not opened: \(opened)")
            return
        }
        #expect(answer.heartbeat == heartbeat.maximumSilence)
        #expect(answer.session == (wire.name == SocketWire.appSync.name ? nil : "a1"))
        #expect(try ends.say(heartbeat.signal, from: .server).signals == [heartbeat.signal])
    }

    @Test func othersAreSilent() {
        let wires: [SocketWire] = [
            .json, .numberedJSON, .phoenixV1, .phoenixV2, .graphQLTransport, .graphQLLegacy, .jsonRPC, .raw,
        ]
        for wire in wires { #expect(wire.serverHeartbeat == nil) }
    }
}
