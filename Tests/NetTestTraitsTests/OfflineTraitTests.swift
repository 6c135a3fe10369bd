#if Server
import NetCore
import NetHTTP
import NetSocket
import NetTestServer
import NetTestTraits
import NetTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OfflineTraitTests {
    private static func curl() -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .none
        return CurlTransport(configuration: configuration)
    }

    private static func sockets() -> CurlWebSocketTransport {
        var configuration = CurlWebSocketTransport.Configuration()
        configuration.proxy = .none
        return CurlWebSocketTransport(configuration: configuration)
    }

    @Test func aRequestFailsAndTheIssueNamesTheRedactedURLAtTheTraitsLine() async throws {
        let server = try await TestServer.start([Stub(.get, "/a", .text("a"))])
        let url = server.baseURL.description + "/a?token=PLANTED"
        let transport = Self.curl()
        let found = try await issues {
            try await run(OfflineTrait.offline) {
                let error = await #expect(throws: NetError.self) { try await transport.text(url) }
                #expect(error?.code == .networkDenied)
                #expect(error?.isConnectivity == false)
            }
        }
        #expect(found.isOneFailure)
        #expect(found.text.contains("networkDenied while preparing: no connections are allowed here"))
        #expect(found.text.contains("GET \(server.baseURL)/a?token=<redacted>"))
        #expect(!found.text.contains("PLANTED"))
        #expect(found.map(\.sourceLocation) == [Test.current?.sourceLocation])
        #expect(transport.statistics.startedTransfers == 0)
        #expect(server.journal.requests.isEmpty)
        await server.stop()
    }

    @Test func aWebSocketFailsToo() async throws {
        let client = WebSocketClient(transport: Self.sockets())
        let found = try await issues {
            try await run(OfflineTrait.offline) {
                await #expect(throws: NetError.self) {
                    try await client.connect("wss://example.com/chat?token=PLANTED")
                }
            }
        }
        #expect(found.isOneFailure)
        #expect(found.text.contains("https://example.com/chat"))
        #expect(!found.text.contains("PLANTED"))
    }

    @Test(.offline(allowing: .loopback)) func aServerOnThisMachineMayBeAllowed() async throws {
        let server = try await TestServer.start([Stub(.get, "/a", .text("a"))])
        let transport = Self.curl()
        #expect(try await transport.text(server.baseURL.description + "/a") == "a")
        let here = #_sourceLocation
        let found = try await issues {
            try await run(OfflineTrait.offline(allowing: .loopback, sourceLocation: here)) {
                await #expect(throws: NetError.self) { try await transport.text("http://example.com/") }
            }
        }
        #expect(found.count == 1)
        #expect(found.text.contains("only connections to this machine are allowed here"))
        #expect(found.map(\.sourceLocation) == [here])
        #expect(transport.statistics.startedTransfers == 1)
        await server.stop()
    }

    @Test func retriesAreNotTriedAndChildTasksAreReached() async throws {
        let client = HTTPClient(baseURL: "http://example.com", transport: Self.curl()) {
            $0.middleware = [RetryMiddleware()]
        }
        let found = try await issues {
            try await run(OfflineTrait.offline) {
                await withTaskGroup { group in
                    for _ in 0..<3 { group.addTask { _ = try? await client.send(Request<String>("/a")) } }
                }
                _ = await Task { try? await client.send(Request<String>("/a")) }.value
            }
        }
        #expect(found.count == 4)
    }

    @Test func stubsAnswerAsEver() async throws {
        try await run(OfflineTrait.offline) {
            let text = try await echo().text("http://example.com/a")
            #expect(text == "/a")
        }
    }
}
#endif
