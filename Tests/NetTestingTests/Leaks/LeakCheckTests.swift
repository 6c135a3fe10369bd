import HTTPTypes
import NetHTTP
import NetSocket
import NetTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LeakCheckTests {
    private static let stubs = [Stub(.get, "/s", .chunks(["one", "two"])), Stub(.get, "/ok", .text("ok"))]
    private static let get = Request<Bytes>("s", serializer: .bytes)

    private static func client() -> HTTPClient {
        HTTPClient(baseURL: "http://mock.test", transport: MockTransport(stubs))
    }

    @Test func aCallThatEndedLeavesNothing() async throws {
        let text = try await LeakCheck.run {
            let client = Self.client()
            let whole = try await client.stream(Self.get).body.collect(upTo: 100)
            _ = try await client.stream(Self.get)  // dropped unread
            return String(decoding: whole, as: UTF8.self)
        }
        #expect(text == "onetwo")
    }

    @Test func aBodyThatIsKeptUnreadIsNamed() async throws {
        var kept: StreamedResponse?
        let leaks = await #expect(throws: Leaks.self) {
            try await LeakCheck.run(patience: .milliseconds(20)) { kept = try await Self.client().stream(Self.get) }
        }
        #expect(leaks?.held == ["calls": 1])
        #expect(leaks?.description.hasPrefix("left behind: 1 calls. Read bodies to their end") == true)
        _ = kept
    }

    @Test func aTaskAsleepAndAnOpenWebSocketAreNamed() async throws {
        var kept: [any Sendable] = []
        var task: Task<Void, any Error>?
        let leaks = await #expect(throws: Leaks.self) {
            try await LeakCheck.run(patience: .milliseconds(20)) {
                let clock = TestClock()
                task = Task { try await clock.sleep(for: .seconds(60)) }
                try await clock.waitForSleepers(count: 1)
                let transport = MockWebSocketTransport([.echo()])
                let socket = try await WebSocketClient(transport: transport).connect("ws://mock.test/echo")
                kept = [clock, transport, socket]
            }
        }
        #expect(leaks?.held == ["sleeping tasks": 1, "WebSockets": 1])
        task?.cancel()
        _ = kept
    }

    @Test func errorsThrownByTheBodyTakePrecedenceOverLeaks() async {
        var kept: StreamedResponse?
        await #expect(throws: CancellationError.self) {
            try await LeakCheck.run(patience: .zero) {
                kept = try await Self.client().stream(Self.get)
                throw CancellationError()
            }
        }
        _ = kept
    }

    @Test func checksSideBySideDoNotDisturbOneAnother() async throws {
        var kept: StreamedResponse?
        try await LeakCheck.run {
            await #expect(throws: Leaks.self) {
                try await LeakCheck.run(patience: .zero) { kept = try await Self.client().stream(Self.get) }
            }
        }
        _ = kept
    }
}
