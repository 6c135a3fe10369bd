import Logging
import NetHTTP
import TestSupport

/// A line received by a test's logger.
struct LogLine: Sendable {
    let level: Logger.Level
    let message: String
    let metadata: [String: String]

    /// The line as text, such as `info → GET http://host/x`.
    var text: String { "\(level) \(message)" }
}

/// Collects the lines of loggers.
final class LogSink: Sendable {
    private let all = Locked<[LogLine]>([])

    var lines: [LogLine] { all.value }

    func logger(_ level: Logger.Level = .trace) -> Logger {
        var logger = Logger(label: "test") { _ in Handler(sink: self) }
        logger.logLevel = level
        return logger
    }

    private struct Handler: LogHandler {
        let sink: LogSink
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let metadata = (event.metadata ?? [:]).mapValues { "\($0)" }
            sink.all.change {
                $0.append(LogLine(level: event.level, message: "\(event.message)", metadata: metadata))
            }
        }
    }
}
