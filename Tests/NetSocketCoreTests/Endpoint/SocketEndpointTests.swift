import NetCore
import NetSocketCore
import Testing

/// Two ends without I/O, one of them under test: its events for the peer's bytes, and its output.
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
            #expect(isFirst)
            #expect(!isSecond)
            move(&client, &server)
            #expect(server.endIfHeld() == .closed(.init(code: .normalClosure, reason: "enough", isByPeer: true)))
            move(&server, &client)
            #expect(client.endIfHeld() == .closed(.init(code: .normalClosure, reason: "enough", isByPeer: false)))
            #expect(client.phase == .closed)
            #expect(server.phase == .closed)
        }
    }

    @Test func pendingFramesAreSentBeforeTheCloseFrame() {
        var endpoint = SocketEndpoint(role: .client, maximumMessageBytes: 100)
        receive(&endpoint, [.text("one"), .ping("p"), WireFrame(opcode: 3)].bytes)
        while let message = endpoint.takeMessage() { endpoint.send(message) }
        guard case .violated(let violation)? = endpoint.endIfHeld() else {
            Issue.record("no violation")
            return
        }
        #expect(violation.code == .protocolError)
        #expect(endpoint.phase == .violated(violation.message))
        let sent = Decoded([sent(&endpoint)[...]], role: .server)
        #expect(
            sent.events == [.pong("p"), .text("one"), .close(.protocolError, reason: violation.message)])
    }

    @Test func nothingFollowsACloseFrame() {
        var endpoint = SocketEndpoint(role: .client, maximumMessageBytes: 100)
        let begins = endpoint.close(.normalClosure, reason: "")
        receive(&endpoint, [.ping("p")].bytes)
        #expect(begins)
        #expect(Decoded([sent(&endpoint)[...]], role: .server).events == [.close(.normalClosure, reason: "")])
    }

    @Test func aPeerOfATestClosesWithAnyCode() {
        for code in [0, 1005, 1006, 4000] as [UInt16] {
            var endpoint = SocketEndpoint(role: .server, maximumMessageBytes: 100)
            let begins = endpoint.close(anyCode: WebSocketCloseCode(rawValue: code), reason: "why")
            let payload = code == 1005 ? [] : [UInt8(code >> 8), UInt8(code & 0xFF)] + Array("why".utf8)
            #expect(begins)
            #expect(sent(&endpoint) == [0x88, UInt8(payload.count)] + payload)
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

    @Test func controlPayloadsAreCutTo125Bytes() {
        for (count, sent) in [(0, 0), (124, 124), (125, 125), (126, 125), (1000, 125)] {
            var endpoint = SocketEndpoint(role: .server, maximumMessageBytes: 100)
            endpoint.send(.ping, Bytes(pattern(count)))
            #expect(self.sent(&endpoint) == [0x89, UInt8(sent)] + pattern(sent))
        }
    }

    @Test func outgoingBytesAreTakenOnce() {
        var endpoint = SocketEndpoint(role: .server, maximumMessageBytes: 100)
        endpoint.send(raw: Bytes([1, 2, 3]))
        endpoint.send(.text("a"))
        #expect(sent(&endpoint) == [1, 2, 3, 0x81, 1, 0x61])
        #expect(sent(&endpoint) == [])
    }

    @Test func partsAreFramesOfOneMessage() throws {
        for (isText, opcode) in [(true, UInt8(1)), (false, 2)] {
            var endpoint = SocketEndpoint(role: .server, maximumMessageBytes: 100)
            endpoint.send(parts: ["a", "b", "c"].map { Bytes($0.utf8) }, isText: isText)
            #expect(sent(&endpoint) == [opcode, 1, 0x61, 0, 1, 0x62, 0x80, 1, 0x63])
            endpoint.send(parts: [Bytes("a".utf8)], isText: isText)
            #expect(sent(&endpoint) == [0x80 | opcode, 1, 0x61])
            endpoint.send(parts: [], isText: isText)
            #expect(sent(&endpoint) == [])
            var sender = PartSender(isText ? .text : .binary, .never)
            endpoint.send(part: try sender.frame(Bytes("a".utf8)))
            endpoint.send(part: try sender.lastFrame())
            #expect(sent(&endpoint) == [opcode, 1, 0x61, 0x80, 0])
        }
    }

    @Test func partsAreCompressedUnlessTheyMustNotBe() throws {
        for (choice, first) in [(MessageCompression.automatic, UInt8(0x41)), (.always, 0x41), (.never, 0x01)] {
            var endpoint = SocketEndpoint(role: .server, maximumMessageBytes: 100, compression: .init(minimumBytes: 0))
            var sender = PartSender(.text, choice)
            endpoint.send(part: try sender.frame(Bytes("a".utf8)))
            #expect(sent(&endpoint).first == first)
        }
    }

    @Test func anEndIsHeldUntilItIsActedOn() {
        var endpoint = SocketEndpoint(role: .client, maximumMessageBytes: 100)
        #expect(endpoint.endIfHeld() == nil)
        #expect(endpoint.isEndHeld == false)
        #expect(endpoint.isMidMessage == false)
        receive(&endpoint, [.text("a", isFinal: false)].bytes)
        #expect(endpoint.isMidMessage == true)
        #expect(endpoint.takeMessage() == nil)
        #expect(endpoint.phase == .open)
        receive(&endpoint, [.continuation([0x62]), .text("c"), .pong("p"), .close(1001, Array("bye".utf8))].bytes)
        #expect(endpoint.isEndHeld == true)
        #expect(endpoint.phase == .open)
        #expect(endpoint.isMidMessage == false)
        #expect(endpoint.takeMessages() == [.text("ab"), .text("c")])
        #expect(endpoint.takeMessages() == [])
        #expect(sent(&endpoint) == [])
        #expect(endpoint.endIfHeld() == .closed(.init(code: .goingAway, reason: "bye", isByPeer: true)))
        #expect(endpoint.isEndHeld == false)
        #expect(endpoint.phase == .closed)
        #expect(endpoint.endIfHeld() == nil)
        #expect(Decoded([sent(&endpoint)[...]], role: .server).events == [.close(.goingAway, reason: "bye")])
        endpoint.transportEnded()
        endpoint.wasDropped()
        #expect(endpoint.phase == .closed)
        let closes = endpoint.close(.normalClosure, reason: "")
        let closesAnyhow = endpoint.close(anyCode: .abnormalClosure, reason: "")
        #expect(!closes)
        #expect(!closesAnyhow)
        #expect(sent(&endpoint) == [])
    }

    @Test func receivedMessagesAndControlFramesAreReported() {
        var endpoint = SocketEndpoint(role: .client, maximumMessageBytes: 3)
        let events = [.text("abc"), .ping("p"), .pong("q"), .binary(pattern(4))].bytes.withUnsafeBytes {
            endpoint.receive($0)
        }
        #expect(events == [.text("abc"), .ping("p"), .pong("q")])
        guard case .violated(let violation)? = endpoint.endIfHeld() else {
            Issue.record("no violation")
            return
        }
        #expect(violation.code == .messageTooBig)
    }

    @Test func aLongReasonIsCutWithAnyCode() {
        var endpoint = SocketEndpoint(role: .server, maximumMessageBytes: 100)
        let begins = endpoint.close(anyCode: .abnormalClosure, reason: String(repeating: "x", count: 124))
        let bytes = sent(&endpoint)
        #expect(begins)
        #expect(bytes.count == 127)
        #expect(bytes.prefix(4) == [0x88, 125, 0x03, 0xEE])
        #expect(
            endpoint.phase
                == .closing(.init(code: .abnormalClosure, reason: String(repeating: "x", count: 124), isByPeer: false)))
    }

    @Test func theMasksOfAClientAreThoseOfItsSource() {
        var endpoint = SocketEndpoint(role: .client, maximumMessageBytes: 100, random: NetRandom { 0x37 })
        endpoint.send(.binary(Bytes([0x36])))
        #expect(sent(&endpoint) == [0x82, 0x81, 0x37, 0x37, 0x37, 0x37, 1])
    }

    private func move(_ from: inout SocketEndpoint, _ to: inout SocketEndpoint) { receive(&to, sent(&from)) }

    private func sent(_ endpoint: inout SocketEndpoint) -> [UInt8] { endpoint.takeOutgoing { Array($0) } }

    private func receive(_ endpoint: inout SocketEndpoint, _ bytes: [UInt8]) {
        bytes.withUnsafeBytes { _ = endpoint.receive($0) }
    }
}
