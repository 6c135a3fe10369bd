internal import HTTPTypes
public import Logging
public import NetCore

/// Logs each call with swift-log, redacted.
///
/// Successful calls are logged at ``level``; retries, rejected responses, and cache misses that may not use the
/// network are logged as warnings; failures, including decoding failures, as errors. The last line of a call is
/// logged at the end of its body, even if the body is streamed. Every line has the metadata `call`, `attempt`,
/// `method` and `url`, and if known `operation`, `tags`, `status`, `bytes`, `duration` (in seconds), `delay`,
/// `reason` and `error`. Its text doesn't repeat the metadata.
///
/// Bodies are logged only at ``Detail/verbose``, and only text: redacted, and truncated at ``maximumTextBytes``. A
/// WebSocket has a line when it opens and when it ends, with the number and size of its messages; the messages
/// themselves are never logged. A session over WebSockets has a line for each command, join and subscription, and
/// warnings for waits, gaps, failures and messages that can't be read; payloads are never logged.
///
/// Each entry is one line: a line break in a value is written as `\n`. No text is created below the logger's level.
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
        /// Also logs the headers, the request as a cURL command, the bodies, the sizes of the first chunks of
        /// streams, the metrics of each attempt, and the frames of WebSockets with their sizes.
        case verbose

        public static func < (left: Detail, right: Detail) -> Bool { left.rawValue < right.rawValue }
    }

    /// The maximum number of bytes of URL, headers and body in one line. The rest is omitted, and the line reports
    /// its size.
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
        // Called on every attempt, but adds the observer only once per call: an outer middleware may have handled
        // earlier attempts or redirects.
        context.call.observe(logger.logLevel <= level ? .everything : .trouble, log)
        if request.options.webSocket != nil {
            context.call.observeSocket(SocketLog(logger: logger, level: level, detail: detail), mark: log)
        }
        guard detail >= .standard, logger.logLevel <= level else { return try await next(request, context) }
        let lines = RequestLines(request, context)
        logger.log(level: level, "\(lines.request(headers: detail >= .verbose).onOneLine)", metadata: lines.metadata())
        guard detail >= .verbose else { return try await next(request, context) }
        logger.log(level: level, "\(lines.curl.onOneLine)", metadata: lines.callMetadata)
        let bodies = BodyLog(logger: logger, level: level, lines: lines)
        let tape = AttemptTape(
            request, context, limits: CaptureLimits(bodyBytes: Self.maximumTextBytes),
            onChunk: { bodies.chunk(isOfRequest: $0, bytes: $1) }, handOver: { bodies.ended($0) })
        do throws(NetError) {
            let response = try await next(tape.taped(request), context)
            logger.log(
                level: level, "\(lines.head(of: response).onOneLine)",
                metadata: lines.metadata(status: response.status.code))
            return tape.taped(response)
        } catch {
            tape.failed(error)
            throw error
        }
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
