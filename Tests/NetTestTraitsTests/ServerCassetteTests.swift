#if Server
import Foundation
import NetCore
import NetHTTP
import NetTestServer
import NetTestTraits
import NetTesting
import Testing

/// Recorded from a real server over a real connection, many tests concurrently.
@Suite(.timeLimit(.minutes(1)))
struct ServerCassetteTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func trait(_ name: String, _ mode: ReplayTransport.Mode = .once, verifiesUse: Bool = true) -> CassetteTrait
    {
        .cassette(
            name, folder: folder.path, mode: mode, verifiesUse: verifiesUse, environment: ReplayEnvironment())
    }

    private static func curl() -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .none
        return CurlTransport(configuration: configuration)
    }

    @Test func aServerThatIsGoneStillAnswersFromTheCassette() async throws {
        let server = try await TestServer.start([
            Stub(.get, "/users/{id}") { .json(["token": "PLANTED", "id": $0.parameters["id"] ?? ""]) }
        ])
        let url = server.baseURL.description + "/users/7?api_key=PLANTED"
        try await run(trait("users")) {
            let transport = CassetteTransport(over: Self.curl())
            let text = try await transport.text(url, headers: [.authorization: "Bearer PLANTED"])
            #expect(text.contains("PLANTED"))
            await transport.shutdown()
        }
        await server.stop()
        #expect(!(try folder.text("users.json")).contains("PLANTED"))
        try await run(OfflineTrait.offline) {
            try await run(trait("users")) {
                let text = try await CassetteTransport(over: Self.curl()).text(url)
                #expect(text.contains("\"id\":\"7\""))
                #expect(text.contains("<redacted>"))
            }
        }
        #expect(server.journal.requests.count == 1)
    }

    /// Sixteen concurrent tests with one cassette; the file contains the recordings of all.
    @Test func testsThatRecordOneCassetteAtOnceDamageNothing() async throws {
        let server = try await TestServer.start([
            Stub(.get, "/{x}") { .bytes(Bytes(Array(repeating: 0xff, count: 5000) + Array($0.path.utf8))) }
        ])
        let names = (0..<16).map { "n\($0)" }
        let base = server.baseURL
        func all(_ mode: ReplayTransport.Mode) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for name in names {
                    group.addTask {
                        try await run(trait("shared", mode, verifiesUse: false)) {
                            _ = try await CassetteTransport(over: Self.curl()).text("\(base)/\(name)")
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        try await all(.newEpisodes)
        #expect(server.journal.requests.count == 16)
        await server.stop()
        try await all(.none)
        let whole = try ReplayTransport(cassette: folder.file("shared.json"), mode: .none)
        #expect(whole.unusedExchanges.count == 16)
        #expect(folder.files.count { $0.hasSuffix(".bin") } == 16)
    }

    @Test func testsBesideEachOtherKeepTheirCassettesApart() async throws {
        let server = try await TestServer.start([Stub(.get, "/{x}") { .text($0.path) }])
        let base = server.baseURL
        try await withThrowingTaskGroup(of: Void.self) { group in
            for name in (0..<16).map({ "n\($0)" }) {
                group.addTask {
                    try await run(trait(name)) {
                        _ = try await CassetteTransport(over: Self.curl()).text("\(base)/\(name)")
                    }
                    try await run(trait(name)) {
                        let text = try await CassetteTransport().text("\(base)/\(name)")
                        #expect(text == "/\(name)")
                    }
                }
            }
            try await group.waitForAll()
        }
        await server.stop()
        #expect(folder.files.count == 16)
    }

    private static func readTwoEvents(_ transport: CassetteTransport, _ server: String) async throws -> String {
        let client = HTTPClient(baseURL: server, transport: transport)
        var text = ""
        let response = try await client.stream(Request<String>("/e"))
        for try await chunk in response.body {
            text += String(decoding: chunk, as: UTF8.self)
            if text.contains("data: 1") { break }
        }
        return text
    }

    @Test func aHalfReadStreamIsRecordedThatFar() async throws {
        let chunks = (0..<3).map { StubChunk("data: \($0)\n\n", after: $0 == 2 ? .seconds(3600) : .zero) }
        let server = try await TestServer.start([Stub(.get, "/e", .chunks(chunks, contentType: "text/event-stream"))])
        let base = server.baseURL.description
        try await run(trait("events")) {
            _ = try await Self.readTwoEvents(CassetteTransport(over: Self.curl()), base)
        }
        await server.stop()
        try await run(trait("events")) {
            let text = try await Self.readTwoEvents(CassetteTransport(), base)
            #expect(text.contains("data: 1"))
        }
        try await run(trait("events")) {
            let error = await #expect(throws: NetError.self) { try await CassetteTransport().text(base + "/e") }
            #expect(error?.code == .unsupported)
        }
    }
}
#endif
