import NetCore
import NetSocketCore
import Testing

/// Pushes that a server encodes once for all members of a channel.
struct UniformPushesTests {
    /// A wire protocol, with a client's earlier signals, and a push in a channel that it has joined.
    struct Case: Sendable, CustomTestStringConvertible {
        var wire: SocketWire
        var subprotocol: String?
        var past: [(WebSocketRole, WireSignal)] = []
        var pushes: [WirePush]
        /// True if a machine with these earlier signals encodes the same text as a fresh one.
        var isTextSame = true
        var testDescription: String { "\(wire.name) \(subprotocol ?? "")" }
    }

    private static let payload = SocketPayload(json: #"{"text":"hello"}"#)
    private static let bytes = SocketPayload(bytes: Bytes([0, 1, 255]))

    private static func joined(_ topic: String) -> [(WebSocketRole, WireSignal)] {
        [
            (.client, .join(WireJoin(id: 7, topic: topic))), (.server, .joined(WireJoined(id: 7, topic: topic))),
            (.client, .request(WireRequest(id: 8, event: "x", topic: topic))),
            (.server, .reply(WireReply(id: 8, topic: topic, .success(nil)))),
        ]
    }

    static let cases: [Case] = [
        Case(wire: .json, past: joined("room"), pushes: channel(offset: 3)),
        Case(wire: .numberedJSON, past: joined("room"), pushes: channel(offset: 3)),
        Case(
            wire: .numberedJSON, subprotocol: SocketWire.numberedJSON.subprotocols.first,
            past: joined("room") + [(.server, .numbered(1, .push(WirePush(event: "a"))))], pushes: channel(offset: 3)),
        Case(wire: .phoenixV1, past: joined("room"), pushes: channel()),
        Case(
            wire: .phoenixV2, past: joined("room"),
            pushes: channel() + [WirePush(event: "b", payload: bytes, topic: "room")], isTextSame: false),
        Case(
            wire: .centrifuge,
            past: [
                (.client, .open(nil)), (.server, .opened(WireOpened(session: "a1"))),
                (.client, .join(WireJoin(id: 7, topic: "room"))),
                (.server, .joined(WireJoined(id: 7, topic: "room"))),
            ],
            pushes: [
                WirePush(event: "", payload: payload, topic: "room", offset: 3), WirePush(event: "", payload: payload),
                WirePush(event: "join", payload: payload, topic: "room"),
            ]),
        Case(
            wire: .socketIO,
            past: [
                (.client, .open(nil)), (.server, .opened(WireOpened(session: "a1"))),
                (.client, .join(WireJoin(id: "/room", topic: "/room"))),
                (.server, .joined(WireJoined(id: "/room", topic: "/room"))),
            ],
            pushes: [
                WirePush(event: "a", payload: payload, topic: "/room"), WirePush(event: "a", payload: bytes),
                WirePush(event: "a"),
            ]),
        Case(
            wire: .jsonRPC,
            past: [
                (.client, .request(WireRequest(id: 8, event: "x"))), (.server, .reply(WireReply(id: 8, .success(nil)))),
            ],
            pushes: [WirePush(event: "a", payload: payload), WirePush(event: "a")]),
        Case(
            wire: .raw, past: [(.client, .subscribe(1, payload))],
            pushes: [WirePush(event: "", payload: payload), WirePush(event: "", payload: bytes)]),
    ]

    private static func channel(offset: UInt64? = nil) -> [WirePush] {
        [
            WirePush(event: "a", payload: payload, topic: "room", offset: offset),
            WirePush(event: "a", topic: "room", offset: offset),
        ]
    }

    @Test(arguments: cases) func aFreshMachineWritesWhatAUsedOneWrites(_ tested: Case) throws {
        #expect(tested.wire.features.contains(.uniformPushes))
        var ends = WirePairOfEnds(tested.wire)
        ends.client.agree(on: tested.subprotocol)
        ends.server.agree(on: tested.subprotocol)
        for (role, signal) in tested.past { _ = try ends.say(signal, from: role) }
        for push in tested.pushes {
            var fresh = tested.wire.makeMachine(.server)
            fresh.agree(on: tested.subprotocol)
            let messages = try fresh.encode(.push(push))
            var reader = ends.client
            let read = try messages.flatMap { try reader.decode($0).signals }
            let (expected, _) = try ends.say(.push(push), from: .server)
            #expect(read == expected)
            #expect(read.count == 1)
            if tested.isTextSame { #expect(try ends.server.encode(.push(push)) == messages) }
        }
    }

    /// phoenix.js treats such a push as one of the current join.
    @Test func pushesOfPhoenixHaveNoJoinReference() throws {
        var fresh = SocketWire.phoenixV2.makeMachine(.server)
        #expect(
            try fresh.encode(.push(WirePush(event: "a", payload: Self.payload, topic: "room")))
                == [.text(#"[null,null,"room","a",{"text":"hello"}]"#)])
    }

    @Test func onlyWiresWithPushesSaySo() {
        for wire in [SocketWire.graphQLTransport, .graphQLLegacy, .appSync] {
            #expect(!wire.features.contains(.uniformPushes))
        }
    }
}
