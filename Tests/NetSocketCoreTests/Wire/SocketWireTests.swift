import NetCore
import NetSocketCore
import Testing

/// The properties of wire protocols, and the defaults of their signals.
struct SocketWireTests {
    private struct Silent: WireMachine {
        func encode(_ signal: WireSignal) throws(NetError) -> [WebSocketMessage] { [] }
        func decode(_ message: WebSocketMessage) throws(NetError) -> WireReading { WireReading() }
    }

    @Test func eachFeatureHasABitOfItsOwn() {
        let features: [SocketWire.Features] = [
            .requests, .notifications, .pushes, .channels, .subscriptions, .cancellation, .recovery, .heartbeats,
            .opening,
            .confirmedLeaves, .delivery, .crashes, .sharedEvents, .uniformPushes,
        ]
        #expect(features.map(\.rawValue) == (0..<14).map { 1 << $0 })
    }

    @Test func theWiresAreKnownByTheirNames() {
        let numbered: SocketWire.Features = [
            .requests, .notifications, .pushes, .uniformPushes, .channels, .confirmedLeaves, .heartbeats, .delivery,
            .recovery,
        ]
        let phoenix: SocketWire.Features = [
            .requests, .notifications, .pushes, .uniformPushes, .channels, .confirmedLeaves, .heartbeats, .crashes,
        ]
        let wires: [(SocketWire, String, [String], SocketWire.Features)] = [
            (.json, "json", [], numbered.subtracting([.delivery, .recovery])),
            (.numberedJSON, "json.numbered", ["swift-net.json.v1"], numbered), (.phoenixV1, "phoenix.v1", [], phoenix),
            (.phoenixV2, "phoenix.v2", [], phoenix),
            (
                .centrifuge, "centrifuge", [],
                [.requests, .notifications, .pushes, .uniformPushes, .channels, .confirmedLeaves, .recovery, .opening]
            ),
            (.raw, "raw", [], [.notifications, .pushes, .uniformPushes, .subscriptions, .sharedEvents]),
            (.jsonRPC, "jsonrpc-2.0", [], [.requests, .notifications, .pushes, .uniformPushes]),
            (.socketIO, "socket.io-5", [], [.requests, .notifications, .pushes, .uniformPushes, .channels, .opening]),
            (.graphQLLegacy, "graphql-ws", ["graphql-ws"], [.subscriptions, .opening]),
            (.appSync, "appsync", ["graphql-ws"], [.subscriptions, .opening]),
            (
                .graphQLTransport, "graphql-transport-ws", ["graphql-transport-ws"],
                [.subscriptions, .heartbeats, .opening]
            ),
        ]
        for (wire, name, subprotocols, features) in wires {
            #expect(wire.name == name)
            #expect(wire.subprotocols == subprotocols)
            #expect(wire.features == features)
        }
    }

    @Test func serversGiveSignsOfLifeInTheirTime() {
        let beats: [(SocketWire, WireSignal, Int, Int)] = [
            (.socketIO, .heartbeat(nil), 25, 45), (.centrifuge, .heartbeat(nil), 25, 35),
            (.appSync, .alive(nil), 60, 300),
        ]
        for (wire, signal, interval, silence) in beats {
            #expect(
                wire.serverHeartbeat
                    == SocketWire.ServerHeartbeat(
                        signal, every: .seconds(interval), maximumSilence: .seconds(silence)))
        }
    }

    @Test func aWireHasNothingButWhatItIsGiven() {
        let wire = SocketWire("own", features: [.pushes]) { _ in Silent() }
        #expect(wire.subprotocols == [])
        #expect(wire.serverHeartbeat == nil)
        #expect(wire.refusals == WireRefusals())
        var machine = wire.makeMachine(.client)
        machine.agree(on: "a")
        #expect(machine.greet(as: "x") == [])
        #expect(WireReading() == WireReading([], responses: []))
        #expect(WireReading().unreadable == nil)
    }

    @Test func requestsAreRefusedByCodes() {
        let refusals = WireRefusals()
        #expect(refusals.unknown == nil)
        #expect(refusals.unreadable.code == "invalid_payload")
        #expect(!refusals.unreadable.message.isEmpty)
        #expect(refusals.failed.code == "internal_error")
        #expect(!refusals.failed.message.isEmpty)
        let rpc = SocketWire.jsonRPC.refusals
        #expect([rpc.unknown, rpc.unreadable, rpc.failed].map { $0?.code } == ["-32601", "-32602", "-32603"])
        for wire in [SocketWire.json, .phoenixV2, .centrifuge, .socketIO] { #expect(wire.refusals == refusals) }
    }

    @Test func signalsHaveDefaults() {
        #expect(WireEnd().failure == nil)
        #expect(WireEnd().mayReconnect)
        #expect(WireRequest(event: "a") == WireRequest(id: nil, event: "a", payload: nil, topic: nil))
        #expect(WireJoined(id: 1, topic: "t").missed == [])
        #expect(WireJoined(id: 1, topic: "t").isRecovered == nil)
        let resume = WireResume(session: "PLANTED")
        #expect(resume.epoch == nil)
        #expect(resume.received == 0)
        #expect(resume.description == "epoch none, received 0")
        #expect(WireResume(session: "PLANTED", epoch: "e", received: 7).description == "epoch e, received 7")
        var text = ""
        dump(resume, to: &text)
        #expect(!text.contains("PLANTED"))
    }

    @Test func errorsNameTheWireAndNotTheMessage() {
        let unsupported = SocketWire.unsupported("channels", by: "raw")
        #expect(unsupported.code == .unsupported)
        #expect(unsupported.phase == .preparing)
        #expect(unsupported.message == "the wire protocol raw has no channels; use another one for it")
        let unreadable = SocketWire.unreadable(.text("PLANTED"), "it is binary", by: "raw")
        #expect(unreadable.code == .decoding)
        #expect(unreadable.phase == .decoding)
        #expect(unreadable.message == "a message of 7 bytes isn't valid in the wire protocol raw: it is binary")
    }

    @Test(arguments: [
        (WireSignal.open(nil), "opening message"), (.opened(WireOpened()), "response to an opening message"),
        (.heartbeat(nil), "heartbeats"), (.alive(nil), "responses to heartbeats"),
        (.request(WireRequest(event: "a", topic: "t")), "requests without a reply"),
        (.request(WireRequest(id: 1, event: "a")), "requests"), (.reply(WireReply(id: 1, .success(nil))), "replies"),
        (.cancel(1), "cancellation of requests"), (.push(WirePush(event: "a", topic: "t")), "pushes"),
        (.join(WireJoin(id: 1, topic: "t")), "channels"), (.left(nil, topic: "t", nil), "channels"),
        (.subscribed(1), "subscriptions"), (.acknowledge(1), "numbered messages"),
    ])
    func unsupportedSignalsAreNamedInTheError(signal: WireSignal, noun: String) {
        for role in [WebSocketRole.client, .server] {
            var machine = SocketWire.raw.makeMachine(role)
            do throws(NetError) { _ = try machine.encode(signal) } catch {
                #expect(error.message.contains("has no \(noun) from a \(role);"))
                continue
            }
            #expect(["opening message", "response to an opening message"].contains(noun))
        }
    }
}
