internal import HTTPTypes
internal import Logging
internal import NetCore

/// Logs the events of calls.
final class CallLog: CallObserver {
    /// The destination; nil for the client's logger.
    let logger: Logger?
    let level: Logger.Level
    let detail: LoggingMiddleware.Detail

    init(logger: Logger?, level: Logger.Level, detail: LoggingMiddleware.Detail) {
        self.logger = logger
        self.level = level
        self.detail = detail
    }

    func hear(_ event: ActivityEvent, attempt: Int, in environment: CallContext.Environment) {
        guard let (level, line) = line(for: event) else { return }
        (logger ?? environment.logger).log(
            level: level, "\(line().onOneLine)", metadata: Self.metadata(event, attempt: attempt))
    }

    /// Returns the level and a closure that creates the text only if it is logged; nil if the event isn't logged.
    private func line(for event: ActivityEvent) -> (Logger.Level, () -> String)? {
        switch event.kind {
        case .started, .responded: nil
        case .attemptEnded, .cache: detail >= .verbose ? (level, { "· \(event.diagnosticSummary)" }) : nil
        case .retrying(let next, let delay, let reason):
            (.warning, { "↻ \(Self.line(event)): attempt \(next) in \(delay.seconds(places: 3)) s, \(reason)" })
        case .ended(.completed): (level, { "← \(Self.end(event))" })
        case .ended(.rejected): (.warning, { "← \(Self.end(event))" })
        case .ended(.failed(let error)):
            (
                error.isNotCached ? .warning : .error,
                { "✗ \(Self.line(event)) after \(event.elapsed.seconds(places: 3)) s: \(error.reason)" }
            )
        case .ended(.cancelled):
            (level, { "✗ \(Self.line(event)) cancelled after \(event.elapsed.seconds(places: 3)) s" })
        }
    }

    /// Returns a text such as `name GET https://host/x`.
    private static func line(_ event: ActivityEvent) -> String {
        (event.metadata.operationName.map { "\($0) " } ?? "") + "\(event.method.rawValue) \(event.url)"
    }

    /// Returns a text such as `200 GET https://host/x 5 B in 0.012 s`.
    private static func end(_ event: ActivityEvent) -> String {
        guard case .ended(let outcome) = event.kind else { return line(event) }
        let bytes = outcome.responseBytes.map { " \($0) B" } ?? ""
        let status = outcome.status.map { "\($0) " } ?? ""
        return "\(status)\(line(event))\(bytes) in \(event.elapsed.seconds(places: 3)) s"
    }

    private static func metadata(_ event: ActivityEvent, attempt: Int) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "call": .stringConvertible(event.call), "attempt": .stringConvertible(attempt),
            "method": .string(event.method.rawValue), "url": .string(event.url),
        ]
        if let operation = event.metadata.operationName { metadata["operation"] = .string(operation) }
        if let status = event.status { metadata["status"] = .stringConvertible(status) }
        if let error = event.error { metadata["error"] = .string(error.code.rawValue) }
        switch event.kind {
        case .ended(let outcome):
            metadata["duration"] = .string(event.elapsed.seconds(places: 6))
            if let bytes = outcome.responseBytes { metadata["bytes"] = .stringConvertible(bytes) }
        case .retrying(_, let delay, let reason):
            metadata["delay"] = .string(delay.seconds(places: 3))
            metadata["reason"] = .string(reason)
        case .started, .attemptEnded, .cache, .responded: break
        }
        return metadata
    }
}
