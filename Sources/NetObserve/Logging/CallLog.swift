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
        case .attemptEnded(let attempt): detail >= .verbose ? (level, { "· \(attempt.end)" }) : nil
        case .cache(let decision): detail >= .verbose ? (level, { "· cache \(decision)" }) : nil
        case .retrying(let next, _, _): (.warning, { "↻ attempt \(next) follows" })
        case .ended(.completed): (level, { "← completed" })
        case .ended(.rejected): (.warning, { "← rejected" })
        case .ended(.failed(let error)):
            (
                error.isNotCached ? .warning : .error,
                { "✗ failed \(error.place)" }
            )
        case .ended(.cancelled): (level, { "✗ cancelled" })
        }
    }

    private static func metadata(_ event: ActivityEvent, attempt: Int) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "call": .stringConvertible(event.call), "attempt": .stringConvertible(attempt),
            "method": .string(event.method.rawValue), "url": .string(event.url.onOneLine),
        ]
        if let operation = event.metadata.operationName { metadata["operation"] = .string(operation.onOneLine) }
        metadata.add(tags: event.metadata.tags)
        if let status = event.status { metadata["status"] = .stringConvertible(status) }
        if let error = event.error { metadata["error"] = .string(error.code.rawValue) }
        switch event.kind {
        case .ended(let outcome):
            metadata["duration"] = .string(event.elapsed.seconds(places: 6))
            if let bytes = outcome.responseBytes { metadata["bytes"] = .stringConvertible(bytes) }
        case .retrying(_, let delay, let reason):
            metadata["delay"] = .string(delay.seconds(places: 3))
            metadata["reason"] = .string(reason.onOneLine)
        case .started, .attemptEnded, .cache, .responded: break
        }
        return metadata
    }
}

extension ActivityEvent.Attempt {
    /// The connection and the time that an attempt took: `attempt ended in 0.012 s, HTTP/2, new connection`.
    fileprivate var end: String {
        guard let metrics else { return "attempt ended" }
        var text = "attempt ended in \(metrics.total.seconds(places: 3)) s"
        if !metrics.version.isEmpty { text += ", HTTP/\(metrics.version)" }
        return text + (metrics.isReused ? ", reused connection" : ", new connection")
    }
}
