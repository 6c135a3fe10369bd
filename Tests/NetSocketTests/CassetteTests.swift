#if os(Linux) && Server
import Foundation
import NetCore
import NetSocket
import NetTestServer
import NetTesting
import Testing

/// A WebSocket of a real server is recorded, and replayed without it.
@Suite(.timeLimit(.minutes(1)))
struct CassetteTests {
    @Test func aRealConnectionIsRecordedAndReplayed() async throws {
        let path = NSTemporaryDirectory() + "net-socket-\(UUID().uuidString).json"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let peer = try await PythonPeer.shared
        try await Fixture.run(trusting: peer.authorityPEM) { fixture in
            let recording = RecordingTransport(sockets: fixture.transport)
            let recorded = try await exchange(WebSocketClient(transport: recording), peer)
            try recording.write(to: path)
            let replay = try ReplayTransport(cassette: path, environment: ReplayEnvironment())
            #expect(try await exchange(WebSocketClient(transport: replay), peer) == recorded)
            try replay.verify()
        }
    }

    private func exchange(_ client: WebSocketClient, _ peer: PythonPeer) async throws -> [WebSocketMessage] {
        var request = WebSocketRequest(url: peer.url("/echo", isSecure: true), maximumMessageBytes: 4 << 20)
        request.compression = WebSocketCompression(minimumBytes: 0)
        let socket = try await client.connect(request)
        var found: [WebSocketMessage] = []
        for size in [0, 126, 100_000] {
            try await socket.send(contentsOf: [
                .text(String.sample(bytes: size)), .binary(BytePattern.bytes(from: 3, count: size)),
            ])
            found.append(try await socket.receive())
            found.append(try await socket.receive())
        }
        await socket.close()
        return found
    }
}
#endif
