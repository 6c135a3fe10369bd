import NetCore
import NetSocketCore
import Testing

/// The binary messages of version 2.
extension PhoenixWireTests {
    @Test func version2CarriesBytes() throws {
        var ends = WirePairOfEnds(.phoenixV2)
        let longest = String(repeating: "t", count: 255)
        try ends.converse([
            (.client, .join(WireJoin(id: 1, topic: longest, payload: Self.bytes))),
            (.server, .joined(WireJoined(id: 1, topic: longest, payload: Self.bytes))),
            (.client, .request(WireRequest(id: 2, event: "é", payload: Self.bytes, topic: longest))),
            (.client, .request(WireRequest(event: "x", payload: SocketPayload(bytes: Bytes()), topic: "other"))),
            (.server, .reply(WireReply(id: 2, topic: longest, .success(Self.bytes)))),
            (.server, .reply(WireReply(id: 2, topic: "other", .failure(SocketFailure("error", details: Self.bytes))))),
            (.server, .push(WirePush(event: "x", payload: Self.bytes, topic: longest))),
            (.server, .push(WirePush(event: "x", payload: Self.bytes, topic: "other"))),
            (.server, .left(nil, topic: longest, SocketFailure("phx_error", details: Self.bytes))),
        ])
        WirePairOfEnds(.phoenixV2).refuses([
            .request(WireRequest(id: 1, event: "x", payload: Self.bytes, topic: longest + "t")),
            .reply(WireReply(id: 1, topic: "t", .failure(SocketFailure("x", "y", details: Self.bytes)))),
        ])
    }

    /// The messages of Phoenix's own serializer tests.
    @Test func theBytesArePhoenixs() throws {
        var client = SocketWire.phoenixV2.makeMachine(.client)
        var server = SocketWire.phoenixV2.makeMachine(.server)
        let pushed: [UInt8] = [0, 2, 3, 5, 5] + Array("12".utf8) + Array("123topicevent".utf8) + [101, 102, 103]
        #expect(
            try server.decode(.binary(Bytes(pushed))).signals == [
                .request(
                    WireRequest(
                        id: 123, event: "event", payload: SocketPayload(bytes: Bytes([101, 102, 103])), topic: "topic"))
            ])
        let broadcast: [UInt8] = [2, 5, 5] + Array("topicevent".utf8) + [101, 102, 103]
        let push = WirePush(event: "event", payload: SocketPayload(bytes: Bytes([101, 102, 103])), topic: "topic")
        #expect(try client.decode(.binary(Bytes(broadcast))).signals == [.push(push)])
        #expect(try server.encode(.push(push)) == [.binary(Bytes(broadcast))])
        _ = try client.encode(.join(WireJoin(id: 12, topic: "topic")))
        let reply: [UInt8] = [1, 2, 3, 5, 2] + Array("12".utf8) + Array("123topicok".utf8) + [101]
        #expect(
            try client.decode(.binary(Bytes(reply))).signals == [
                .reply(WireReply(id: 123, topic: "topic", .success(SocketPayload(bytes: Bytes([101])))))
            ])
        let request = WireRequest(
            id: 123, event: "event", payload: SocketPayload(bytes: Bytes([101, 102, 103])), topic: "topic")
        #expect(try client.encode(.request(request)) == [.binary(Bytes(pushed))])
        for cut in 0..<19 where cut < pushed.count - 3 {
            #expect(throws: NetError.self) { try server.decode(.binary(Bytes(pushed[..<cut]))) }
        }
        #expect(throws: NetError.self) { try server.decode(.binary(Bytes(reply))) }
        #expect(throws: NetError.self) { try client.decode(.binary(Bytes([2, 1, 1, 0xff, 0x61]))) }
        #expect(throws: NetError.self) { try client.decode(.binary(Bytes([3, 1, 1, 0x61, 0x61]))) }
    }

    @Test func damagedBytesAreSurvived() {
        let messages: [[UInt8]] = [
            [0, 1, 1, 1, 1] + Array("11te".utf8), [1, 1, 1, 1, 2] + Array("11tok".utf8), [2, 1, 1] + Array("te".utf8),
        ]
        for role in [WebSocketRole.client, .server] {
            var machine = SocketWire.phoenixV2.makeMachine(role)
            for message in messages {
                for index in message.indices {
                    for byte in UInt8.min...UInt8.max {
                        var copy = message
                        copy[index] = byte
                        _ = try? machine.decode(.binary(Bytes(copy)))
                        _ = try? machine.decode(.binary(Bytes(copy[...index])))
                    }
                }
            }
        }
    }
}
