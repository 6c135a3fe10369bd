import HTTPTypes
import Logging
import NetHTTP
import NetTesting
import Testing

private struct Sink: LogHandler {
    let lines: Locked<[String]>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        lines.change { $0.append("\(event.level) \(event.message)") }
    }
}

@Suite(.timeLimit(.minutes(2))) struct LoggingMiddlewareTests {
    private func lines(_ stub: StubResponse, logsFields: Bool = false) async -> [String] {
        await lines(stub, logsFields: logsFields) { _ = try await $0.send(Request<String>("x", serializer: .string)) }
    }

    private func lines(
        _ stub: StubResponse, logsFields: Bool = false, _ call: (HTTPClient) async throws -> Void
    ) async -> [String] {
        let lines = Locked<[String]>([])
        let logger = Logger(label: "test") { _ in Sink(lines: lines) }
        let client = HTTPClient(
            configuration: .init(
                baseURL: "http://mock.test?api_key=s3cret", headers: [.authorization: "Bearer s3cret"],
                middleware: [LoggingMiddleware(logger: logger, level: .info, logsFields: logsFields)]),
            transport: MockTransport([Stub(.get, "/x", stub)]))
        try? await call(client)
        return lines.value
    }

    @Test func aRequestIsTwoLinesWithoutSecrets() async {
        let lines = await lines(.text("hello"))
        #expect(lines.count == 2)
        #expect(lines.first == "info → GET http://mock.test/x?api_key=<redacted>")
        #expect(lines.last?.hasPrefix("info ← 200 GET http://mock.test/x?api_key=<redacted> 5 B in ") == true)
    }

    @Test func fieldsAreLoggedRedacted() async {
        let text = await lines(.text("hello"), logsFields: true).joined()
        #expect(text.contains("Authorization: <redacted>"))
        #expect(!text.contains("s3cret"))
    }

    private let chunks = StubResponse.chunks((0..<4).map { _ in StubChunk("12345") })
    private let streamed = Request<ResponseBody>("x")

    @Test func aStreamIsLoggedWhenItsBodyEnds() async {
        let lines = await lines(chunks) { client in
            for try await _ in try await client.send(streamed) {}
        }
        #expect(lines.count == 2)
        #expect(lines.last?.contains("← 200 GET") == true && lines.last?.contains(" 20 B in ") == true)
    }

    @Test func aStreamThatIsLeftIsLoggedAsCancelled() async {
        let lines = await lines(chunks) { client in
            let body = try await client.send(streamed)
            var iterator = body.makeAsyncIterator()
            _ = try await iterator.next()
            body.cancel()
        }
        #expect(lines.count == 2)
        #expect(lines.last?.hasPrefix("info ✗ GET") == true && lines.last?.contains(" cancelled after 5 B ") == true)
    }

    @Test func aStreamThatBreaksOffIsOneErrorLine() async {
        let lines = await lines(chunks.dropping(.afterBodyBytes(10))) { client in
            for try await _ in try await client.send(streamed) {}
        }
        #expect(lines.count == 2)
        #expect(lines.filter { $0.hasPrefix("error") }.count == 1)
        #expect(lines.last?.hasPrefix("error ✗ GET") == true && lines.last?.contains(" after ") == true)
        #expect(!lines.joined().contains("s3cret"))
    }

    @Test func everyFailureIsOneLine() async {
        let failing = [
            StubResponse.dropped(), .text("hello").dropping(.afterBodyBytes(2)), .text("no", status: .badGateway),
        ]
        for stub in failing {
            let lines = await lines(stub)
            #expect(lines.count == 2, "\(lines)")
        }
    }

    @Test func aFailureIsAnError() async {
        let lines = await lines(.dropped())
        #expect(lines.last?.hasPrefix("error ✗ GET http://mock.test/x") == true)
        #expect(!lines.joined().contains("s3cret"))
    }
}
