import HTTPTypes
import NetCore
import NetHTTP
import NetRecord
import NetTesting
import Testing

/// Recording and capture share their code: a client captures exactly what its transport records.
@Suite(.timeLimit(.minutes(1)))
struct CapturedRecordingTests {
    private struct Keeper: ActivityListener {
        let captured = Locked<[CapturedExchange]>([])
        var interest: ActivityInterest { .bodies }
        var captureLimits: CaptureLimits { CaptureLimits(bodyBytes: 100, mediaTypes: ["*/*"]) }
        func record(_ event: ActivityEvent) {}
        func record(_ attempt: CapturedAttempt) { captured.change { $0.append(attempt.redacted()) } }
    }

    private static let stubs = [
        Stub(.get, "/text", StubResponse.text("hello").header(.setCookie, "session=PLANTED")),
        Stub(
            .get, "/events",
            .chunks(
                ["data: 1\n\n", StubChunk("data: {\"token\":\"PLANTED\"}\n\n", after: .seconds(1))],
                contentType: "text/event-stream")),
        Stub(.get, "/cut", .text(String(repeating: "x", count: 300))),
        Stub(.post, "/post", .json(text: #"{"access_token":"PLANTED"}"#)),
        Stub(.get, "/none", .status(.noContent)),
        Stub(.get, "/broken", StubResponse.text("hello").dropping(.afterBodyBytes(3))),
        Stub(.get, "/fails", .dropped()),
    ]

    @Test(arguments: ["/text", "/events", "/cut", "/post", "/none", "/broken", "/fails"], [true, false])
    func theyAreEqual(_ path: String, _ isStreamed: Bool) async throws {
        let (clock, keeper) = (TestClock(), Keeper())
        let recording = RecordingTransport(MockTransport(Self.stubs), maximumBodyBytes: 100)
        let client = HTTPClient(baseURL: "https://api.test", transport: recording) {
            $0.timeouts = Timeouts(firstByte: nil, stall: nil)
            $0.listeners = [keeper]
            $0.clock = clock.netClock
        }
        var request = Request<Bytes>(
            Path(path), query: ["token": "PLANTED"], headers: [.cookie: "session=PLANTED"], serializer: .bytes)
        if path == "/post" {
            request.method = .post
            request.body = .json(["password": "PLANTED"])
        }
        try await clock.run { [request] in
            if isStreamed {
                _ = try? await client.stream(request).body.collect(upTo: 1000)
            } else {
                _ = try? await client.send(request)
            }
        }
        let recorded = recording.cassette.exchanges
        #expect(recorded.count == 1)
        keeper.captured.change { captured in
            #expect(captured == recorded)
        }
    }
}
