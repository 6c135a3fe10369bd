#if Server
import Foundation
import HTTPTypes
import Logging
import NetCore
import NetHTTP
import NetSocket
import NetStore
import NetTesting

/// The clients of a run, with everything that records their calls.
struct World: Sendable {
    let outputs: Outputs
    let url: String
    let store: ActivityStore
    let recording: RecordingTransport
    let replay: ReplayTransport
    let har = HARListener()
    let prometheus = PrometheusMetrics()

    init(_ outputs: Outputs, url: String) throws {
        self.outputs = outputs
        self.url = url
        let capture = ActivityStore.Capture(hasHeaders: true, bodies: CaptureLimits(), hasMessages: true)
        store = try ActivityStore(
            path: outputs.path("store", "store.sqlite"),
            configuration: ActivityStore.Configuration(capture: capture, retention: .none, version: "1.0"))
        replay = try ReplayTransport(
            cassette: outputs.path("cassette-again", "cassette.json"), mode: .all, over: CurlTransport(),
            sockets: CurlWebSocketTransport(), environment: ReplayEnvironment())
        recording = RecordingTransport(replay, sockets: replay)
    }

    /// The listeners of every client.
    var listeners: [any ActivityListener] {
        let outputs = outputs
        return [
            store, har, Watcher(outputs: outputs), MetricsListener(prometheus),
            MetricsListener(Labels(outputs: outputs)), TraceListener { outputs.print("activity", $0) },
        ]
    }

    /// The middleware around that of a credential: logs of all details outside it, and one inside.
    func middleware(_ grant: Grant?) throws -> [any Middleware] {
        let logs = [LoggingMiddleware.Detail.minimal, .standard, .verbose].map {
            LoggingMiddleware(logger: Lines.logger(outputs, "log-\($0)"), detail: $0)
        }
        let inner = LoggingMiddleware(logger: Lines.logger(outputs, "log-inner"), detail: .verbose)
        return logs + (try grant?.middleware(url) ?? []) + [inner, Innermost(outputs: outputs)]
    }

    /// Returns a client for the calls with a credential.
    func client(_ grant: Grant?, over transport: any HTTPTransport) throws -> HTTPClient {
        let middleware = try middleware(grant)
        return HTTPClient(baseURL: try BaseURL(url), transport: transport) {
            $0.middleware = middleware
            $0.listeners = listeners
            $0.logger = Lines.logger(outputs, "log-client")
            $0.timeouts = .total(.seconds(10))
        }
    }

    /// Returns a client for the WebSockets with a credential, which only the server at the URL gets.
    func sockets(_ grant: Grant?, at url: String) throws -> WebSocketClient {
        var configuration = WebSocketClient.Configuration(middleware: try middleware(grant), listeners: listeners)
        configuration.baseURL = try BaseURL(url)
        configuration.logger = Lines.logger(outputs, "log-client")
        return WebSocketClient(configuration: configuration, transport: recording)
    }

    /// Writes the files of everything that has recorded the calls.
    func finish() async throws {
        outputs.add("metrics", prometheus.text())
        try har.write(to: outputs.path("har", "listener.har"))
        try recording.write(to: outputs.path("cassette", "cassette.json"))
        try recording.write(to: outputs.path("cassette-har", "cassette.har"))
        try replay.save()
        let values: [Any] = [recording, replay, store]
        for value in values { outputs.print("request", value) }
        let contract = try Contract("recorded", recordedBy: recording)
        try contract.write(to: outputs.path("contract", "contract.json"))
        outputs.print("contract", contract)
        try await finishStore()
    }

    private func finishStore() async throws {
        try await store.flush(.disk)
        try await store.writeHAR(to: outputs.path("store-har", "store.har"))
        try await store.writeSlice(to: outputs.path("store-slice", "slice.sqlite"))
        for item in try await store.items(limit: 10_000) {
            outputs.print("store", item)
            if let detail = try await store.item(id: item.id) { outputs.print("store", detail) }
            if let bundle = try await store.proofBundle(of: item.uid) { outputs.add("store-proof", bundle.markdown) }
        }
        for signal in [OTLPExporter.Signal.traces, .logs] { try await export(signal) }
        let path = try outputs.path("store", "store.sqlite")
        // The log of the database is merged into it when it's closed.
        try? FileManager.default.copyItem(atPath: path + "-wal", toPath: outputs.path("store", "before.wal"))
        try await store.close()
    }

    private func export(_ signal: OTLPExporter.Signal) async throws {
        let file = try outputs.path("otlp", "\(signal)-")
        let collector = MockTransport { request, _ in
            if case .bytes(let bytes) = request.body {
                FileManager.default.createFile(
                    atPath: file + UUID().uuidString + ".json", contents: Data(Array(bytes)))
            }
            return .json(text: "{}")
        }
        var configuration = OTLPExporter.Configuration(
            endpoint: "http://collector.test:4318", signal: signal, cursor: "\(signal)")
        configuration.isCompressed = false
        configuration.startsOver = true
        let client = HTTPClient(baseURL: "http://collector.test:4318", transport: collector)
        let exporter = try OTLPExporter(store: store, client: client, configuration: configuration)
        try await exporter.export()
        await exporter.close()
    }
}
#endif
