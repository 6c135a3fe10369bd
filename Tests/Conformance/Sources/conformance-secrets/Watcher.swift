import HTTPTypes
import Logging
import NetCore
import NetHTTP

/// Shows everything that listeners receive.
struct Watcher: ActivityListener {
    let outputs: Outputs
    var side = ""

    var interest: ActivityInterest {
        [
            .calls, .sockets, .socketFrames, .socketPreviews, .sessions, .socketServers, .headers, .bodies,
            .socketMessages, .jobs,
        ]
    }

    func record(_ event: ActivityEvent) {
        outputs.print(side + "activity", event)
        outputs.add(side + "activity", event.diagnosticSummary)
    }

    func record(_ event: SocketEvent) { outputs.print(side + "activity", event) }
    func record(_ activity: SessionActivity) { outputs.print(side + "activity", activity) }
    func record(_ activity: SocketServerActivity) { outputs.print(side + "activity", activity) }
    func record(_ activity: JobActivity) { outputs.print(side + "activity", activity) }

    func record(_ attempt: CapturedAttempt) {
        outputs.print(side + "captured", attempt)
        let exchange = attempt.redacted()
        let (request, response) = (exchange.request, exchange.response)
        outputs.print(side + "captured", exchange)
        outputs.add(side + "captured", "\(request.method) \(request.url)")
        show(request.headers, request.body)
        if let response {
            show(response.headers, response.body)
            show(response.trailers ?? [:], nil)
        }
        if let failure = exchange.failure { outputs.add(side + "captured", "\(failure.code) \(failure.message)") }
    }

    func record(_ message: CapturedSocketMessage) {
        outputs.print(side + "captured", message)
        outputs.add(side + "captured", message.redacted().text ?? "")
    }

    private func show(_ headers: HTTPFields, _ body: CapturedBody?) {
        for field in headers { outputs.add(side + "captured", "\(field.name): \(field.value)") }
        if let body { outputs.add(side + "captured", String(decoding: body.bytes, as: UTF8.self)) }
    }
}

/// Appends each line of a log, with its metadata, to an output.
struct Lines: LogHandler {
    let outputs: Outputs
    let output: String
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        outputs.add(output, "\(event.level) \(event.message) \(metadata.merging(event.metadata ?? [:]) { $1 })")
    }

    static func logger(_ outputs: Outputs, _ output: String) -> Logger {
        Logger(label: output, factory: { _ in Lines(outputs: outputs, output: output) })
    }
}

/// Shows the labels of metrics.
struct Labels: MetricsSink {
    let outputs: Outputs

    func add(_ amount: Int64, to metric: Metric, _ labels: [MetricLabel]) {
        for label in labels { outputs.add("metrics", "\(metric.name) \(label.name) \(label.value)") }
    }

    func record(_ value: Double, in metric: Metric, _ labels: [MetricLabel]) { add(1, to: metric, labels) }
}

/// Shows each request as it is sent, after all other middleware.
struct Innermost: Middleware {
    let outputs: Outputs

    func intercept(_ request: PreparedRequest, context: CallContext, next: Next) async throws -> StreamedResponse {
        outputs.print("request", request)
        outputs.print("request", context)
        for style in [PreparedRequest.CurlStyle.multiline, .compact] { outputs.add("curl", request.curl(style)) }
        outputs.add("curl", request.curl(prettyJSON: true))
        let response = try await next(request, context)
        outputs.print("response", response)
        return response
    }
}
