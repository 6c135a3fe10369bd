internal import HTTPTypes
public import Logging
public import NetCore

/// Logs each call with swift-log, redacted.
///
/// Successful calls are logged at ``level``; retries, rejected responses, and cache misses that may not use the network as
/// warnings; failures, including those of decoding, as errors. The last line of a call is logged at the end of its body, also
/// for a streamed one. Every line has the metadata `call`, `attempt`, `method` and `url`, and if known `operation`, `status`,
/// `bytes`, `duration` (in seconds) and `error`. Response bodies are never logged; request bodies only in the cURL line,
/// redacted and limited to ``maximumTextBytes``. A WebSocket has a line when it is open and when it has ended, with what it
/// carried; its messages are never logged. A session over WebSockets has a line for each command, join and subscription, and
/// warnings for waits, gaps, failures and messages that can't be read; payloads are never logged.
///
/// Each entry is one line: a line break in a value is written as `\n`. No text is created if the logger's level is higher.
///
///     let client = HTTPClient(baseURL: "https://api.example.com") { $0.middleware = [LoggingMiddleware()] }
public struct LoggingMiddleware: Middleware {
    /// The amount of detail in the log.
    public enum Detail: Int, Sendable, Hashable, CaseIterable, Comparable {
        /// Logs nothing.
        case none
        /// Logs one line per call, at its end, and warnings and errors.
        case minimal
        /// Also logs each request when it is sent.
        case standard
        /// Also logs the headers, the request as a cURL command, the metrics of each attempt, and the frames of WebSockets with
        /// their sizes.
        case verbose

        public static func < (left: Detail, right: Detail) -> Bool { left.rawValue < right.rawValue }
    }

    /// The maximum number of bytes of URL, headers and body in one line; the rest is cut, and the line says how much.
    public static let maximumTextBytes = 8 << 10

    /// The observer of all calls; a single reference.
    private var log: CallLog

    /// The destination; nil for the client's logger. Default nil.
    public var logger: Logger? {
        get { log.logger }
        set { log = CallLog(logger: newValue, level: level, detail: detail) }
    }
    /// The level of successful calls. Default info, which loggers show by default.
    public var level: Logger.Level {
        get { log.level }
        set { log = CallLog(logger: logger, level: newValue, detail: detail) }
    }
    /// The amount of detail in the log. Default standard.
    public var detail: Detail {
        get { log.detail }
        set { log = CallLog(logger: logger, level: level, detail: newValue) }
    }

    /// Creates a middleware.
    ///
    /// - Parameters:
    ///   - logger: The destination; nil for the client's logger. Default nil.
    ///   - level: The level of successful calls. Default info.
    ///   - detail: The amount of detail in the log. Default standard.
    public init(logger: Logger? = nil, level: Logger.Level = .info, detail: Detail = .standard) {
        log = CallLog(logger: logger, level: level, detail: detail)
    }

    public var endsWithCall: Bool { true }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        let (level, detail) = (log.level, log.detail)
        let logger = log.logger ?? context.environment.logger
        guard detail > .none, logger.logLevel <= max(level, .error) else { return try await next(request, context) }
        // On every attempt, added once per call: an outer middleware may have handled the first attempts or redirect hops.
        context.call.observe(logger.logLevel <= level ? .everything : .trouble, log)
        if request.options.webSocket != nil {
            context.call.observeSocket(SocketLog(logger: logger, level: level, detail: detail), mark: log)
        }
        guard detail >= .standard, logger.logLevel <= level else { return try await next(request, context) }
        let lines = RequestLines(request, context)
        logger.log(level: level, "\(lines.request(headers: detail >= .verbose).onOneLine)", metadata: lines.metadata())
        guard detail >= .verbose else { return try await next(request, context) }
        logger.log(level: level, "\(lines.curl.onOneLine)", metadata: lines.metadata())
        let response = try await next(request, context)
        logger.log(
            level: level, "\(lines.head(of: response).onOneLine)",
            metadata: lines.metadata(status: response.status.code))
        return response
    }
}

/// The text logged when a request is sent and when its response's head arrives.
private struct RequestLines {
    let prepared: PreparedRequest
    let redaction: RedactionPolicy
    let summary: CallSummary
    private let line: String
    private let url: String

    init(_ request: PreparedRequest, _ context: CallContext) {
        prepared = request
        redaction = request.options.redaction ?? context.environment.redaction
        summary = context.summary
        url = redaction.redact(url: request.url)
        line = (summary.operation.map { "\($0) " } ?? "") + "\(request.head.method.rawValue) \(url)"
    }

    func request(headers: Bool) -> String {
        "→ \(line)" + (headers ? text(prepared.head.headerFields) : "")
    }

    func head(of response: StreamedResponse) -> String {
        "⇠ \(response.status.code) \(line)" + text(response.head.headers)
    }

    var curl: String {
        prepared.curl(.compact, redaction: redaction, maximumBytes: LoggingMiddleware.maximumTextBytes)
    }

    func metadata(status: Int? = nil) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "call": .stringConvertible(summary.id), "attempt": .stringConvertible(summary.attempt),
            "method": .string(prepared.head.method.rawValue), "url": .string(url),
        ]
        if let operation = summary.operation { metadata["operation"] = .string(operation) }
        if let status { metadata["status"] = .stringConvertible(status) }
        return metadata
    }

    private func text(_ headers: HTTPFields) -> String {
        let text = redaction.redact(headers).map { "\($0.name.rawName): \($0.value)" }.joined(separator: "; ")
        let shown = text.prefix(upToBytes: LoggingMiddleware.maximumTextBytes)
        let missing = text.utf8.count - shown.utf8.count
        return missing == 0 ? " [\(text)]" : " [\(shown) … \(missing) more bytes of headers]"
    }
}

extension LoggingMiddleware: SessionObserving {
    package func sessionListener(_ environment: CallContext.Environment) -> (any ActivityListener)? {
        let logger = log.logger ?? environment.logger
        guard detail > .none, logger.logLevel <= max(level, .error) else { return nil }
        return SessionLog(logger: logger, level: level, detail: detail)
    }
}

extension LoggingMiddleware: CustomReflectable {
    /// The settings, without the logger, whose metadata may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: ["detail": detail], displayStyle: .struct) }
}
