#if Server
import Foundation
import HTTPTypes
import Logging
import NetCore
import NetHTTP
import NetStore
import NetTestServer
import NetTesting
import Synchronization
import Testing

#if Tracing
import InMemoryTracing
import Tracing
#endif

/// Secrets in every place of a call; all output about the call is searched for them.
@Suite(.timeLimit(.minutes(2))) struct PlantedSecretTests {
    private static let mark = "PLANTED"

    private static let stubs = [
        Stub(.post, "/login") { _ in
            StubResponse.json(text: #"{"access_token":"PLANTED-answer","id":7}"#)
                .header(.setCookie, "session=PLANTED-setcookie; Path=/")
        },
        Stub(.post, "/form") { _ in .json(text: #"{"token":"PLANTED-refusal"}"#, status: .badRequest) },
        Stub(.get, "/from") { _ in
            .status(.found).header(.location, "/to?access_token=PLANTED-location#token=PLANTED-fragment")
        },
        Stub(.get, "/to") { _ in .json(text: #"{"token":"PLANTED-undecodable""#) },
        Stub(.get, "/flaky") { _ in .json(text: #"{"token":"PLANTED-unavailable"}"#, status: .serviceUnavailable) },
        Stub(.get, "/events") { _ in .chunks(["data: {\"token\":\"PLANTED-event\"}\n\n", "data: end\n\n"]) },
    ]

    /// All output.
    private struct Said {
        var logs: [String] = []
        var events: [String] = []
        var traces: [String] = []
        var errors: [String] = []
        var commands: [String] = []
        var metrics: [String] = []
        var spans: [String] = []
        var files: [String: String] = [:]

        var all: [(String, String)] {
            let lists = [
                ("log", logs), ("event", events), ("trace", traces), ("error", errors), ("cURL", commands),
                ("metrics", metrics), ("span", spans),
            ]
            return lists.flatMap { name, texts in texts.map { (name, $0) } } + files.map { ($0.key, $0.value) }
        }
    }

    private static func requests(_ base: String) throws -> [Request<[String: Int]>] {
        let port = base.split(separator: ":").last.map(String.init) ?? ""
        let login = Request<[String: Int]>(
            "/login", method: .post, query: [QueryItem("api_key", "PLANTED-query"), QueryItem("page", "2")],
            headers: [.cookie: "session=PLANTED-cookie", .referer: "http://h/?token=PLANTED-referer"],
            body: .json(["password": "PLANTED-json", "user": "ada"]))
        let form = Request<[String: Int]>(
            "/form", method: .post,
            body: .form([QueryItem("client_secret", "PLANTED-form"), QueryItem("user", "ada")]))
        var refused = Request<[String: Int]>(url: "http://u:PLANTED-user@127.0.0.1:1/?sig=PLANTED-refused")
        refused.options.retry = .never
        var (thrown, renewed) = (Request<[String: Int]>("/flaky"), Request<[String: Int]>("/flaky"))
        thrown.options.middleware = [Quoting()]
        renewed.options.middleware = [
            AuthMiddleware(RefreshingCredentials { _ in throw Quoting.error("PLANTED-renewal") })
        ]
        let body = Request<[String: Int]>("/form", method: .post, body: .json(Unencodable()))
        return [
            login, form, Request("/from"), Request(url: "http://ada:PLANTED-password@127.0.0.1:\(port)/from"),
            Request("/flaky"), refused, thrown, renewed, body,
        ]
    }

    /// A middleware whose error quotes a text that it couldn't parse.
    private struct Quoting: Middleware {
        static func error(_ text: String) -> any Error {
            DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "invalid String value \(text)"))
        }

        func intercept(
            _ request: PreparedRequest, context: CallContext, next: Next
        ) async throws -> StreamedResponse { throw Self.error("PLANTED-middleware") }
    }

    private struct Unencodable: Encodable {
        func encode(to encoder: any Encoder) throws {
            throw EncodingError.invalidValue(
                "PLANTED-value", .init(codingPath: [], debugDescription: "PLANTED-value is too long"))
        }
    }

    private static func texts(of error: NetError) -> [String] {
        var dumped = ""
        dump(error, to: &dumped)
        return [
            error.description, error.debugSummary, error.localizedDescription, error.url ?? "",
            String(reflecting: error), dumped,
        ]
    }

    @Test func noSecretIsSaid() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await TestServer.start(Self.stubs)
        let sink = LogLines()
        let collector = Collector()
        let prometheus = PrometheusMetrics()
        let store = try ActivityStore(path: folder.appendingPathComponent("activity.sqlite").path)
        var curl = CurlTransport.Configuration()
        curl.proxy = .none
        let recording = RecordingTransport(CurlTransport(configuration: curl))
        let statsd = StatsDMetrics { line in collector.change { $0.metrics.append(line) } }
        var configuration = HTTPClient.Configuration(
            baseURL: try BaseURL(server.baseURL.description + "?client_secret=PLANTED-base"),
            headers: ["X-Api-Key": "PLANTED-key"],
            middleware: [
                LoggingMiddleware(logger: sink.logger, detail: .verbose), AuthMiddleware(try .bearer("PLANTED-bearer")),
                RetryMiddleware(RetryPolicy(maximumAttempts: 2, backoff: .constant(.milliseconds(1)))),
                TracePropagationMiddleware(), LoggingMiddleware(logger: sink.logger, detail: .verbose),
            ],
            listeners: [
                store, collector, MetricsListener(prometheus), MetricsListener(statsd),
                TraceListener { trace in collector.change { $0.traces.append("\(trace)\n\(trace.url)") } },
            ])
        #if Tracing
        let tracer = InMemoryTracer()
        configuration.addTracing(tracer)
        #endif
        let client = HTTPClient(configuration: configuration, transport: recording)
        for request in try Self.requests(server.baseURL.description) {
            if let prepared = try? client.prepare(request) {
                let texts = [prepared.curl(), prepared.curl(.compact, prettyJSON: true), "\(prepared)"]
                collector.change { $0.commands += texts }
            }
            do {
                try await client.send(request)
                Issue.record("every one of these fails: what is said of failures is searched too")
            } catch {
                let texts = error.netError.map { Self.texts(of: $0) } ?? []
                collector.change { $0.errors += ["\(error)"] + texts }
            }
        }
        for try await _ in try await client.stream(Request<Bytes>("/events", serializer: .bytes)).body {}
        await client.shutdown()
        try await store.flush()
        try await store.close()
        await server.stop()

        var said = collector.said
        said.logs = sink.lines
        said.metrics.append(prometheus.text())
        #if Tracing
        for span in tracer.finishedSpans {
            var text = "\(span.operationName) \(span.status.map { "\($0)" } ?? "")"
            let attributes = span.attributes
            attributes.forEach({ name, value in text += " \(name)=\(value)" })
            said.spans.append(text + " \(span.errors)")
        }
        #expect(said.spans.count > 8)
        #endif
        for name in ["tape.json", "tape.har"] { try recording.write(to: folder.appendingPathComponent(name).path) }
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            said.files[file.lastPathComponent] = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        }
        #expect(said.files.count >= 3)
        #expect(said.logs.count > 30)
        #expect(said.events.count > 15)
        #expect(said.traces.count >= 5)
        #expect(said.errors.count > 20)
        #expect(said.commands.count >= 12)
        #expect(said.metrics.count > 30)
        for (place, text) in said.all {
            let found = text.components(separatedBy: Self.mark).dropFirst().map { $0.prefix(12) }
            #expect(found.isEmpty, "\(place) says \(found): \(text.prefix(400))")
        }
        // Checks that they were sent, otherwise the test would prove nothing.
        let sent = server.requests.map {
            "\($0.target) \($0.headers.map(\.value)) \(String(decoding: $0.body, as: UTF8.self))"
        }
        .joined()
        for secret in ["query", "cookie", "referer", "json", "form", "key", "bearer", "location", "base"] {
            #expect(sent.contains("\(Self.mark)-\(secret)"), "\(secret) was not sent")
        }
    }

    /// Collects the events that listeners receive.
    private final class Collector: ActivityListener {
        private let state = Mutex(Said())
        var said: Said { state.withLock { $0 } }
        func change(_ body: (inout Said) -> Void) { state.withLock { body(&$0) } }

        func record(_ event: ActivityEvent) {
            let text = "\(event.diagnosticSummary)\n\(event.kind)\n\(event.url)\n\(event)"
            change { $0.events.append(text) }
        }
    }

    /// Collects lines with their metadata.
    private final class LogLines: Sendable {
        private let state = Mutex<[String]>([])
        var lines: [String] { state.withLock { $0 } }
        var logger: Logger {
            var logger = Logger(label: "test") { _ in Handler(lines: self) }
            logger.logLevel = .trace
            return logger
        }

        private struct Handler: LogHandler {
            let lines: LogLines
            var metadata: Logger.Metadata = [:]
            var logLevel = Logger.Level.trace

            subscript(metadataKey key: String) -> Logger.Metadata.Value? {
                get { metadata[key] }
                set { metadata[key] = newValue }
            }

            func log(event: LogEvent) {
                lines.state.withLock { $0.append("\(event.level) \(event.message) \(event.metadata ?? [:])") }
            }
        }
    }
}
#endif
