internal import HTTPTypes
internal import Logging
internal import NetCore
internal import Synchronization

/// Logs what happens to one call, from its events.
final class CallLog: Sendable {
    private let logger: Logger
    private let level: Logger.Level
    private let detail: LoggingMiddleware.Detail
    /// The attempt that is under way.
    private let attempt = Mutex(1)

    init(logger: Logger, level: Logger.Level, detail: LoggingMiddleware.Detail) {
        self.logger = logger
        self.level = level
        self.detail = detail
    }

    func record(_ event: ActivityEvent) {
        switch event.kind {
        case .started, .responded: break
        case .attemptEnded:
            if detail >= .verbose { log(level, event, "· \(event.diagnosticSummary)") }
        case .retrying(let next, let delay, let reason):
            log(.warning, event, "↻ \(Self.line(event)): attempt \(next) in \(delay.seconds(places: 3)) s, \(reason)")
            attempt.withLock { $0 = next }
        case .ended(.completed): log(level, event, "← \(Self.end(event))")
        case .ended(.rejected): log(.warning, event, "← \(Self.end(event))")
        case .ended(.failed(let error)):
            log(.error, event, "✗ \(Self.line(event)) after \(event.elapsed.seconds(places: 3)) s: \(error)")
        case .ended(.cancelled):
            log(level, event, "✗ \(Self.line(event)) cancelled after \(event.elapsed.seconds(places: 3)) s")
        }
    }

    private func log(_ level: Logger.Level, _ event: ActivityEvent, _ message: @autoclosure () -> String) {
        logger.log(level: level, "\(message())", metadata: metadata(event))
    }

    /// `name GET https://host/x`.
    private static func line(_ event: ActivityEvent) -> String {
        (event.metadata.operationName.map { "\($0) " } ?? "") + "\(event.method.rawValue) \(event.url)"
    }

    /// `200 GET https://host/x 5 B in 0.012 s`.
    private static func end(_ event: ActivityEvent) -> String {
        guard case .ended(let outcome) = event.kind else { return line(event) }
        let bytes = outcome.responseBytes.map { " \($0) B" } ?? ""
        let status = outcome.status.map { "\($0) " } ?? ""
        return "\(status)\(line(event))\(bytes) in \(event.elapsed.seconds(places: 3)) s"
    }

    private func metadata(_ event: ActivityEvent) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "call": .stringConvertible(event.call), "attempt": .stringConvertible(attempt.withLock { $0 }),
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
        case .started, .attemptEnded, .responded: break
        }
        return metadata
    }
}
