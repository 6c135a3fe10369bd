#if Server
import Logging
import Synchronization

/// The problems in a server's log: messages that it couldn't read or write, violations, and errors thrown by handlers.
final class ServerLog: Sendable {
    private let lines = Mutex<[String]>([])

    var logger: Logger { Logger(label: "server") { _ in Handler(log: self) } }

    /// Returns the problems, except those that contain an expected text.
    func complaints(but known: [String]) -> [String] {
        lines.withLock { $0 }.filter { line in !known.contains { line.contains($0) } }
    }

    private struct Handler: LogHandler {
        let log: ServerLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.debug

        init(log: ServerLog) {
            self.log = log
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let words = ["could not be", "violated", "thrown"]
            guard words.contains(where: event.message.description.contains) else { return }
            log.lines.withLock { $0.append("\(event.message): \(event.metadata ?? [:])") }
        }
    }
}
#endif
