import Foundation
import NetCore
import NetHTTP
import NetSocket
import NetTesting

extension Match {
    /// Records a call with one token and replays it with another. Returns the reason why the replay doesn't match;
    /// nil if it does.
    func problem(_ server: String, _ folder: String) async -> String? {
        let path = "\(folder)/\(id).json"
        do {
            let recording = RecordingTransport(CurlTransport(), sockets: CurlWebSocketTransport())
            try await send(recorded, server, recording, recording)
            try recording.write(to: path)
            var rules = ReplayRules()
            rules.headers = [.cookie, .authorization, .secWebSocketProtocol]
            if recorded.kind == .header, let name = HTTPField.Name(recorded.name) { rules.headers.insert(name) }
            let replay = try ReplayTransport(
                cassette: path, mode: .none, rules: rules, environment: ReplayEnvironment())
            try await send(replayed, server, replay, replay)
            try replay.verify()
            return nil
        } catch {
            return "\(error)"
        }
    }

    private func send(
        _ grant: Grant, _ server: String, _ transport: any HTTPTransport, _ sockets: any WebSocketTransport
    ) async throws {
        let middleware = try grant.middleware(server)
        if grant.kind == .subprotocol {
            var request = WebSocketRequest(url: "ws\(server.dropFirst(4))/match")
            request.subprotocols = ["chat"]
            let client = WebSocketClient(
                configuration: WebSocketClient.Configuration(baseURL: try BaseURL(server), middleware: middleware),
                transport: sockets)
            let socket = try await client.connect(request)
            try await socket.send("hello")
            _ = try await socket.receive()
            await socket.close()
        } else {
            let client = HTTPClient(baseURL: try BaseURL(server), transport: transport) { $0.middleware = middleware }
            _ = try await client.response(Request<Bytes>("match", serializer: .bytes))
        }
    }
}
