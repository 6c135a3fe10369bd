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
        let lines = Locked<[String]>([])
        let logger = Logger(label: "test") { _ in Sink(lines: lines) }
        let client = HTTPClient(
            configuration: .init(
                baseURL: "http://mock.test?api_key=s3cret", headers: [.authorization: "Bearer s3cret"],
                middleware: [LoggingMiddleware(logger: logger, level: .info, logsFields: logsFields)]),
            transport: MockTransport([Stub(.get, "/x", stub)]))
        _ = try? await client.send(Request<String>("x", serializer: .string))
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

    @Test func aFailureIsAnError() async {
        let lines = await lines(.dropped())
        #expect(lines.last?.hasPrefix("error ✗ GET http://mock.test/x") == true)
        #expect(!lines.joined().contains("s3cret"))
    }
}
