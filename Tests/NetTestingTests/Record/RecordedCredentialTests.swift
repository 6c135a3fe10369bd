import HTTPTypes
import NetCore
import NetHTTP
import NetSocket
import NetTesting
import Testing

/// A credential that a provider places is in no recording, whatever the name of its place, and a replay matches another.
@Suite(.timeLimit(.minutes(1)))
struct RecordedCredentialTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    static let placements: [CredentialPlacement] = [.header, .query("whatever"), .cookie("anything")]

    private static let stubs = [
        Stub(.get, "/parrot") { request in
            let sent = request.headers["X-Whatever"] ?? request.headers[.cookie] ?? request.target
            return .json(["message": "bad key \(sent)"]).header("X-Echo", sent)
        }
    ]

    private func call(
        _ transport: any HTTPTransport, _ placement: CredentialPlacement, token: String
    ) async throws -> String {
        let tokens = RefreshingCredentials { _ in try Credential("X-Whatever", token) }
        let client = HTTPClient(baseURL: "https://api.test", transport: transport) {
            $0.middleware = [AuthMiddleware(tokens.placed(placement))]
        }
        return try await client.send(Request<String>("parrot", serializer: .string))
    }

    @Test(arguments: placements, ["tape.json", "tape.har"])
    func itIsInNoFile(placement: CredentialPlacement, name: String) async throws {
        let recording = RecordingTransport(MockTransport(Self.stubs))
        let live = try await call(recording, placement, token: "PLANTED-one")
        #expect(live.contains("PLANTED-one"))
        try recording.write(to: folder.file(name))
        let text = try folder.text(name)
        #expect(!text.contains("PLANTED"), "\(text)")
        let replay = try ReplayTransport(cassette: folder.file(name), environment: ReplayEnvironment())
        #expect(try await call(replay, placement, token: "PLANTED-another").contains("bad key"))
        #expect(replay.unusedExchanges.isEmpty)
    }

    @Test func aPolicyOfTheRecordingHidesItAsWell() async throws {
        let own = RedactionPolicy(headerNames: [], queryNames: ["mine"])
        let recording = RecordingTransport(MockTransport(Self.stubs), redaction: own)
        _ = try await call(recording, .query("whatever"), token: "PLANTED-one")
        try recording.write(to: folder.file("own.json"))
        #expect(!(try folder.text("own.json")).contains("PLANTED"))
    }

    @Test(arguments: ["socket.json", "socket.har"]) func itIsInNoRecordingOfAWebSocket(name: String) async throws {
        let parrot = WebSocketStub("/parrot", subprotocols: ["chat"]) { peer in
            let offered = peer.request.headers[.secWebSocketProtocol] ?? ""
            try await peer.send("you came with \(peer.request.target) and \(offered)")
            try await peer.close()
        }
        func run(_ transport: any WebSocketTransport, _ placement: CredentialPlacement, _ token: String) async throws {
            let tokens = RefreshingCredentials { _ in try .bearer(token) }
            var configuration = WebSocketClient.Configuration(clock: TestClock().netClock)
            configuration.middleware = [
                AuthMiddleware(tokens.placed(placement), scope: try .origins("https://api.test"))
            ]
            let client = WebSocketClient(configuration: configuration, transport: transport)
            var request = WebSocketRequest(url: "wss://api.test/parrot")
            request.subprotocols = ["chat"]
            let socket = try await client.connect(request)
            #expect(try await socket.receive().text?.hasPrefix("you came with") == true)
        }
        for placement in [CredentialPlacement.query("whatever"), .subprotocol(prefix: "key.")] {
            let recording = RecordingTransport(sockets: MockWebSocketTransport([parrot]))
            try await run(recording, placement, "PLANTED-one")
            try recording.write(to: folder.file(name))
            let text = try folder.text(name)
            #expect(!text.contains("PLANTED"), "\(text)")
            let replay = try ReplayTransport(cassette: folder.file(name), environment: ReplayEnvironment())
            try await run(replay, placement, "PLANTED-another")
        }
    }
}
