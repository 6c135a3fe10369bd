internal import HTTPTypes
public import Logging
public import NetCore

/// Logs each call with swift-log, redacted.
///
/// A call that goes well is logged at ``level``; a pause before another attempt, a response that isn't accepted and a miss of
/// a cache that may not ask the network as warnings; a failure as an error, one of decoding too. The last line of a call comes
/// at the end of its body, also of a streamed one. Every line has the metadata `call`, `attempt`, `method` and `url`, and if
/// they are known `operation`, `status`, `bytes`, `duration` (in seconds) and `error`. Bodies of responses are never logged;
/// those of requests only in the cURL line, redacted, of which ``maximumTextBytes`` are shown.
///
/// If the logger's level is above, no text is made.
///
///     let client = HTTPClient(
///         configuration: .init(baseURL: "https://api.example.com", middleware: [LoggingMiddleware()]))
public struct LoggingMiddleware: Middleware, CallEnding {
    /// How much is logged.
    public enum Detail: Int, Sendable, Hashable, CaseIterable, Comparable {
        /// Nothing.
        case none
        /// One line a call, at its end; warnings and errors.
        case minimal
        /// Each request as it goes out too.
        case standard
        /// The fields, the request as a cURL command, and the figures of each attempt too.
        case verbose

        public static func < (left: Detail, right: Detail) -> Bool { left.rawValue < right.rawValue }
    }

    /// The most bytes of URL, fields and body that one line shows: what is beyond is cut, and the line says how much.
    public static let maximumTextBytes = 8 << 10

    /// One reference for all calls.
    private var log: CallLog

    /// The destination; nil takes the client's logger.
    public var logger: Logger? {
        get { log.logger }
        set { log = CallLog(logger: newValue, level: level, detail: detail) }
    }
    /// The level of a call that goes well. Default info, which a logger shows unless told otherwise.
    public var level: Logger.Level {
        get { log.level }
        set { log = CallLog(logger: logger, level: newValue, detail: detail) }
    }
    /// How much is logged. Default standard.
    public var detail: Detail {
        get { log.detail }
        set { log = CallLog(logger: logger, level: level, detail: newValue) }
    }

    /// Creates a middleware with the defaults, but for the settings that are given.
    public init(logger: Logger? = nil, level: Logger.Level = .info, detail: Detail = .standard) {
        log = CallLog(logger: logger, level: level, detail: detail)
    }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        let (level, detail) = (log.level, log.detail)
        let logger = log.logger ?? context.environment.logger
        guard detail > .none, logger.logLevel <= max(level, .error) else { return try await next(request, context) }
        // Once for each call: what is outside may have answered the first attempts, or the first hops of redirects.
        context.recorder.observe(logger.logLevel <= level ? .everything : .trouble, log)
        guard detail >= .standard, logger.logLevel <= level else { return try await next(request, context) }
        let lines = RequestLines(request, context)
        logger.log(level: level, "\(lines.request(fields: detail >= .verbose))", metadata: lines.metadata())
        guard detail >= .verbose else { return try await next(request, context) }
        logger.log(level: level, "\(lines.curl)", metadata: lines.metadata())
        let response = try await next(request, context)
        logger.log(
            level: level, "\(lines.head(of: response))", metadata: lines.metadata(status: response.head.status.code))
        return response
    }
}

/// What is logged when a request goes out and when its head comes back.
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

    func request(fields: Bool) -> String {
        "→ \(line)" + (fields ? text(prepared.head.headerFields) : "")
    }

    func head(of response: StreamedResponse) -> String {
        "⇠ \(response.head.status.code) \(line)" + text(response.head.fields)
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

    private func text(_ fields: HTTPFields) -> String {
        let text = redaction.redact(fields).map { "\n  \($0.name.rawName): \($0.value)" }.joined()
        let shown = text.prefix(upToBytes: LoggingMiddleware.maximumTextBytes)
        let missing = text.utf8.count - shown.utf8.count
        return missing == 0 ? text : shown + "\n  … \(missing) more bytes of fields"
    }
}

extension LoggingMiddleware: CustomReflectable {
    /// Without the logger, whose metadata may hold secrets.
    public var customMirror: Mirror { Mirror(self, children: ["detail": detail], displayStyle: .struct) }
}
