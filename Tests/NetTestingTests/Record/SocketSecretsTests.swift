import HTTPTypes
import NetCore
import NetRecord
import NetSocket
import NetTesting
import Testing

/// A secret of a WebSocket appears in no cassette, regardless of where the server repeats it.
@Suite(.timeLimit(.minutes(1)))
struct SocketSecretsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Repeats the secrets it received, like careless servers.
    private static let parrot = WebSocketStub("/parrot", subprotocols: ["PLANTED-subprotocol"]) { peer in
        let authorization = peer.request.headers[.authorization] ?? ""
        try await peer.send("hello \(authorization), you came with \(peer.request.target)")
        try await peer.send(.binary(Bytes("cookie \(peer.request.headers[.cookie] ?? "")".utf8)))
        guard let login = try await peer.receive()?.text else { return }
        try await peer.send("not JSON: \(login.dropFirst(10).prefix(13)) \(peer.subprotocol ?? "")")
        try await peer.close(WebSocketCloseCode(rawValue: 4001), reason: "PLANTED-reason")
    }

    private func run(_ client: WebSocketClient, token: String) async throws -> [String] {
        var request = WebSocketRequest(
            url: "wss://api.test/parrot", query: ["access_token": "PLANTED-\(token)-query", "page": 2],
            headers: [.authorization: "Bearer PLANTED-\(token)-field", .cookie: "a=b; session=PLANTED-\(token)-cookie"])
        request.secretSubprotocol = "PLANTED-subprotocol"
        let socket = try await client.connect(request)
        var texts: [String] = []
        do throws(NetError) {
            for index in 0... {
                if index == 2 { try await socket.send(#"{"token":"PLANTED-\#(token)","n":1}"#) }
                let message = try await socket.receive()
                texts.append(message.text ?? String(decoding: message.binary ?? Bytes(), as: UTF8.self))
            }
        } catch {
            texts.append("\(error.closure?.code.rawValue ?? 0)")
        }
        return texts
    }

    @Test(arguments: ["socket.json", "socket.har"])
    func noneIsInTheFileAndItAnswersOtherTokens(name: String) async throws {
        let recording = RecordingTransport(sockets: MockWebSocketTransport([Self.parrot]))
        let texts = try await run(WebSocketClient(on: TestClock(), recording), token: "first")
        #expect(texts.count == 4)
        #expect(texts.last == "4001")
        try recording.write(to: folder.file(name))
        let text = try folder.text(name)
        #expect(!text.contains("PLANTED"), "\(text)")
        #expect(text.contains("hello <redacted>"))
        #expect(text.contains("not JSON"))
        let transport = try ReplayTransport(cassette: folder.file(name), environment: ReplayEnvironment())
        let replayed = try await run(WebSocketClient(on: TestClock(), transport), token: "another")
        try #require(replayed.count == 4)
        #expect(replayed.last == "4001")
        #expect(replayed[1] == "cookie a=b; session=<redacted>" || replayed[1] == "cookie <redacted>")
    }

    @Test func aPolicyThatHidesNothingKeepsAll() async throws {
        let recording = RecordingTransport(sockets: MockWebSocketTransport([Self.parrot]), redaction: .disabled)
        _ = try await run(WebSocketClient(on: TestClock(), recording), token: "first")
        try recording.write(to: folder.file("socket.json"))
        let text = try folder.text("socket.json")
        for part in ["first-query", "first-field", "PLANTED-subprotocol", "PLANTED-reason"] {
            #expect(text.contains(part), "\(part)")
        }
    }

    @Test func ordinaryWordsStay() {
        let handshake = CapturedExchange.Request(
            method: .get, url: "wss://a.test/?token=short&page=redacted", headers: [.cookie: "theme=dark"])
        var redaction = SocketRedaction(handshake, policy: .safeDefault)
        for text in ["a short page in dark", "redacted", #"{"page":"short"}"#] {
            #expect(redaction.redact(.text(text), from: .server) == .text(text))
        }
        // A second redaction changes nothing more.
        let once = redaction.redact(.text(#"{"password":"geheimnis"}"#), from: .client)
        #expect(once == .text(#"{"password":"<redacted>"}"#))
        #expect(redaction.redact(once, from: .client) == once)
        #expect(redaction.redact(.text("geheimnis, geheimnis!"), from: .server) == .text("<redacted>, <redacted>!"))
    }
}
