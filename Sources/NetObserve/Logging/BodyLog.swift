internal import HTTPTypes
internal import Logging
internal import NetCore
internal import Synchronization

/// Logs the bodies of one attempt: the size of each chunk of a stream, and at its end the bytes sent and received,
/// truncated and redacted.
final class BodyLog: Sendable {
    /// The maximum number of logged chunks of a body; a long download has too many of them.
    static let maximumChunks = 64

    private struct Count {
        var chunks = 0
        var bytes: Int64 = 0
    }

    private let logger: Logger
    private let level: Logger.Level
    private let lines: RequestLines
    /// The numbers of chunks sent and received.
    private let counts = Mutex((sent: Count(), received: Count()))

    init(logger: Logger, level: Logger.Level, lines: RequestLines) {
        self.logger = logger
        self.level = level
        self.lines = lines
    }

    func chunk(isOfRequest: Bool, bytes: Int) {
        let count = counts.withLock { counts in
            if isOfRequest { return Self.add(bytes, to: &counts.sent) }
            return Self.add(bytes, to: &counts.received)
        }
        guard count.chunks <= Self.maximumChunks else { return }
        let rest = count.chunks == Self.maximumChunks ? "; further ones are not logged" : ""
        log("\(isOfRequest ? "⇢" : "⇠") chunk \(count.chunks), \(bytes) B of \(count.bytes) B so far\(rest)")
    }

    private static func add(_ bytes: Int, to count: inout Count) -> Count {
        count.chunks += 1
        count.bytes += Int64(bytes)
        return count
    }

    func ended(_ recording: AttemptRecording) {
        let exchange = recording.redacted(by: lines.redaction)
        // The cURL command already contains a body in memory.
        if case .stream = lines.prepared.body {
            log(exchange.request.body, exchange.request.headers, mark: "⇢")
        }
        if case .response(let response) = exchange.outcome { log(response.body, response.headers, mark: "⇠") }
    }

    private func log(_ body: CapturedBody, _ headers: HTTPFields, mark: String) {
        guard body.count > 0 || body.failure != nil else { return }
        var text = "\(mark) body, \(body.count) B"
        if let failure = body.failure { text += " until \(failure.code)" }
        if body.keptCount > 0 {
            let shown = String(decoding: body.bytes, as: UTF8.self).prefix(
                upToBytes: LoggingMiddleware.maximumTextBytes)
            text += ": \(shown)"
            if body.isCut { text += " … cut" }
        } else if body.count > 0 {
            text += " of \(headers[.contentType] ?? "no type")"
        }
        log(text)
    }

    private func log(_ text: String) {
        logger.log(level: level, "\(text.onOneLine)", metadata: lines.metadata(status: nil))
    }
}
