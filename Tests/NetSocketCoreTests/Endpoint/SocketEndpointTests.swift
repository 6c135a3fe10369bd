import NetCore
import NetSocketCore
import Testing

/// Two ends without I/O, one of them here: what it makes of the peer's bytes, and what it sends.
struct SocketEndpointTests {
    @Test func twoEndpointsTalkAndClose() {
        for compression in [nil, WebSocketCompression(minimumBytes: 0), .withoutContext] {
            var client = SocketEndpoint(role: .client, maximumMessageBytes: 1 << 20, compression: compression)
            var server = SocketEndpoint(role: .server, maximumMessageBytes: 1 << 20, compression: compression)
            for number in 0..<10 {
                client.send(.text("question \(number)"))
                client.send(parts: [Bytes("a".utf8), Bytes("b".utf8)], isText: false)
                move(&client, &server)
                #expect(server.takeMessage() == .text("question \(number)"))
                #expect(server.takeMessages() == [.binary(Bytes("ab".utf8))])
                server.send(.binary(Bytes(pattern(number * 100))), compression: .never)
                move(&server, &client)
                #expect(client.takeMessages() == [.binary(Bytes(pattern(number * 100)))])
            }
            let isFirst = client.close(.normalClosure, reason: "enough")
            let isSecond = client.close(.goingAway, reason: "")
            #expect(isFirst && !isSecond)
            move(&client, &server)
            #expect(server.endIfHeld() == .closed(.init(code: .normalClosure, reason: "enough", isByPeer: true)))
            move(&server, &client)
            #expect(client.endIfHeld() == .closed(.init(code: .normalClosure, reason: "enough", isByPeer: false)))
            #expect(client.phase == .closed && server.phase == .closed)
        }
    }

    @Test func whatWasAnsweredGoesOutBeforeTheClose() {
        var endpoint = SocketEndpoint(role: .client, maximumMessageBytes: 100)
        receive(&endpoint, [.text("one"), .ping("p"), WireFrame(opcode: 3)].bytes)
        while let message = endpoint.takeMessage() { endpoint.send(message) }
        guard case .violated(let violation)? = endpoint.endIfHeld() else {
            Issue.record("no violation")
            return
        }
        #expect(violation.code == .protocolError && endpoint.phase == .violated(violation.message))
        let sent = Decoded([sent(&endpoint)[...]], role: .server)
        #expect(
            sent.events == [.pong("p"), .text("one"), .close(.protocolError, reason: violation.message)])
    }

    @Test func nothingFollowsACloseFrame() {
        var endpoint = SocketEndpoint(role: .client, maximumMessageBytes: 100)
        let begins = endpoint.close(.normalClosure, reason: "")
        receive(&endpoint, [.ping("p")].bytes)
        #expect(begins && Decoded([sent(&endpoint)[...]], role: .server).events == [.close(.normalClosure, reason: "")])
    }

    @Test func aPeerOfATestClosesWithAnyCode() {
        for code in [0, 1005, 1006, 4000] as [UInt16] {
            var endpoint = SocketEndpoint(role: .server, maximumMessageBytes: 100)
            let begins = endpoint.close(anyCode: WebSocketCloseCode(rawValue: code), reason: "why")
            let payload = code == 1005 ? [] : [UInt8(code >> 8), UInt8(code & 0xFF)] + Array("why".utf8)
            #expect(begins && sent(&endpoint) == [0x88, UInt8(payload.count)] + payload)
        }
    }

    @Test func theEndOfTheTransportIsALossUnlessItIsOver() {
        var endpoint = SocketEndpoint(role: .server, maximumMessageBytes: 100)
        endpoint.transportEnded()
        #expect(endpoint.phase == .lost)
        endpoint.wasDropped()
        #expect(endpoint.phase == .lost)
        var other = SocketEndpoint(role: .server, maximumMessageBytes: 100)
        other.wasDropped()
        #expect(other.phase == .dropped)
    }

    private func move(_ from: inout SocketEndpoint, _ to: inout SocketEndpoint) { receive(&to, sent(&from)) }

    private func sent(_ endpoint: inout SocketEndpoint) -> [UInt8] { endpoint.takeOutgoing { Array($0) } }

    private func receive(_ endpoint: inout SocketEndpoint, _ bytes: [UInt8]) {
        bytes.withUnsafeBytes { _ = endpoint.receive($0) }
    }
}
