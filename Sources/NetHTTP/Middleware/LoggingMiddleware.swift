internal import HTTPTypes
public import Logging
public import NetCore

/// Logs each request and its answer with swift-log, redacted.
///
/// A request is one line when it goes out and one when its body has ended, at ``level``; a failure is logged as an
/// error. Bodies are never logged.
///
///     let client = HTTPClient(
///         configuration: .init(baseURL: "https://api.example.com", middleware: [LoggingMiddleware()]))
public struct LoggingMiddleware: Middleware {
    /// Where to; nil takes the client's logger.
    public var logger: Logger?
    /// The level of a request that goes well. Default debug.
    public var level: Logger.Level
    /// Whether fields are logged too. Default false.
    public var logsFields: Bool

    /// The defaults.
    public init(logger: Logger? = nil, level: Logger.Level = .debug, logsFields: Bool = false) {
        self.logger = logger
        self.level = level
        self.logsFields = logsFields
    }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        let logger = self.logger ?? context.environment.logger
        let summary = context.summary
        let redaction = request.options.redaction ?? context.environment.redaction
        let line = "\(summary.method.rawValue) \(redaction.redact(url: request.url))"
        let name = summary.operation.map { "\($0) " } ?? ""
        logger.log(level: level, "→ \(name)\(line)\(fields(request.head.headerFields, redaction))")
        do {
            var response = try await next(request, context)
            let head = response.head
            response.body = response.body.onEnd { [self] end in
                let time = context.elapsed.seconds(places: 3)
                switch end {
                case .finished(let bytes):
                    let fields = fields(head.fields, redaction)
                    logger.log(level: level, "← \(head.status.code) \(name)\(line) \(bytes) B in \(time) s\(fields)")
                case .failed(let error, let bytes):
                    logger.error("✗ \(name)\(line) after \(bytes) B in \(time) s: \(error)")
                case .cancelled(let bytes):
                    logger.log(level: level, "✗ \(name)\(line) cancelled after \(bytes) B in \(time) s")
                }
            }
            return response
        } catch {
            logger.error("✗ \(name)\(line): \(error)")
            throw error
        }
    }

    private func fields(_ fields: HTTPFields, _ redaction: RedactionPolicy) -> String {
        guard logsFields else { return "" }
        return redaction.redact(fields).map { "\n  \($0.name.rawName): \($0.value)" }.joined()
    }
}
