#if os(Linux) && Server
import NetCore
import NetSocket
import NetTestServer
import NetTesting
import Testing

/// Values as JSON over a WebSocket.
@Suite(.timeLimit(.minutes(1)))
struct JSONMessageTests {
    private struct Price: Codable, Sendable, Equatable {
        var symbol: String
        var cents: Int
    }

    @Test func valuesGoOutAsTextAndComeBackAsValues() async throws {
        let server = try await TestServer.start(webSockets: [.echo("/echo")])
        try await Fixture.run { fixture in
            let socket = try await fixture.client.connect(server.webSocketURL + "/echo")
            try await socket.send(json: Price(symbol: "ABC", cents: 1))
            try await socket.send(Bytes(#"{"symbol":"DEF","cents":2}"#.utf8))
            try await socket.send("no JSON")
            try await socket.send("behind it")
            var prices: [Price] = []
            let error = await #expect(throws: NetError.self) {
                for try await price in socket.messages(of: Price.self) { prices.append(price) }
            }
            #expect(prices == [Price(symbol: "ABC", cents: 1), Price(symbol: "DEF", cents: 2)])
            #expect(error?.code == .decoding)
            #expect(error?.description.contains("no JSON") == false)
            let next = try await socket.receive()
            #expect(next == .text("behind it"))
            await socket.close()
        }
        let first = server.requests.last?.webSocket?.messages.first
        #expect(first?.text == #"{"symbol":"ABC","cents":1}"# || first?.text == #"{"cents":1,"symbol":"ABC"}"#)
        await server.stop()
    }

    @Test func unencodableValuesThrowAnEncodingError() throws {
        let error = #expect(throws: NetError.self) { try WebSocketMessage(json: [Double.infinity]) }
        #expect(error?.code == .encoding)
    }
}
#endif
