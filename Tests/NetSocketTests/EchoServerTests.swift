#if os(Linux) && Server
import NetCore
import NetSocket
import NetTestServer
import NetTesting
import Testing

/// The server for the tests of programs: one call that starts, serves and stops it.
@Suite(.timeLimit(.minutes(1)))
struct EchoServerTests {
    @Test func everyMessageComesBackUntilTheBodyReturns() async throws {
        let client = WebSocketClient()
        let url = try await TestServer.withEcho(subprotocols: ["chat"]) { url in
            let socket = try await client.connect(WebSocketRequest(url: url, subprotocols: ["chat"]))
            #expect(socket.subprotocol == "chat")
            for message in [WebSocketMessage.text("hello"), .binary(Bytes([0, 255])), .text("")] {
                try await socket.send(message)
                let answer = try await socket.receive()
                #expect(answer == message)
            }
            await socket.close()
            return url
        }
        #expect(url.hasPrefix("ws://127.0.0.1:"))
        #expect(url.hasSuffix("/echo"))
        let error = await #expect(throws: NetError.self) { _ = try await client.connect(url) }
        #expect(error?.code == .connect)
    }

    @Test func theServerStopsWhenTheBodyThrows() async throws {
        let client = WebSocketClient()
        var (address, socket): (String, WebSocketConnection?) = ("", nil)
        let thrown = await #expect(throws: NetError.self) {
            try await TestServer.withEcho { url in
                address = url
                socket = try await client.connect(url)
                throw NetError(.unknown, phase: .waiting, message: "enough")
            }
        }
        #expect(thrown?.message == "enough")
        await #expect(throws: NetError.self) { _ = try await socket?.receive() }
        let error = await #expect(throws: NetError.self) { _ = try await client.connect(address) }
        #expect(error?.code == .connect)
    }
}
#endif
