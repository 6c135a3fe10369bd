internal import Logging
internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Logs the events of downloads, redacted.
struct DownloadLog: Sendable {
    let logger: Logger
    let level: Logger.Level
    let detail: LoggingMiddleware.Detail
    let redaction: RedactionPolicy

    func enqueued(_ record: DownloadRecord) { log(.standard, "\(arrow(record.task)) enqueued", record) }

    func moved(_ record: DownloadRecord, from old: DownloadState) {
        let task = record.task
        switch (old, task.state) {
        case (.paused, .queued), (.paused, .waiting): log(.standard, "\(arrow(task)) resumed", record)
        case (.queued, .downloading), (.queued, .uploading): log(.standard, "\(arrow(task)) started", record)
        case (_, .paused): log(.standard, "· paused", record)
        // Waiting for the network. Other reasons to wait have separate log lines.
        case (.queued, .waiting), (.downloading, .waiting), (.uploading, .waiting):
            if record.run == nil { log(.standard, "· waiting", record) }
        case (_, .completed): log(.minimal, "✓ completed", record, ["duration": duration(task)])
        case (_, .failed): warn("✗ failed", record, task.error, level: .error)
        case (_, .cancelled): log(.minimal, "· cancelled", record)
        default: break
        }
    }

    /// Logs a run's report, except for its progress.
    func reported(_ record: DownloadRecord, _ report: DownloadReport) {
        switch report {
        case .response(let status, let type):
            log(.standard, "← response", record, ["status": "\(status)"])
            if let type { log(.standard, "← type", record, ["type": "\(type)"]) }
        case .attempt(let number, let wait, let error):
            warn("↻ attempt \(number) follows", record, error, ["delay": wait.seconds(places: 3)])
        case .noRoom(let error, _): warn("· waiting", record, error)
        case .call, .began, .bytes, .ranges: break
        }
    }

    /// Logs that a journal can't be written: after a restart, the download may have a different priority, or not be
    /// paused.
    func couldNotKeep(_ id: UUID, _ error: DownloadError) {
        guard detail >= .minimal else { return }
        logger.warning(
            "\("✗ journal not written: \(error.message)".onOneLine)",
            metadata: ["download": .stringConvertible(CallID(id)), "error": .string(error.code.rawValue)])
    }

    func couldNotRestore(_ id: UUID, _ error: DownloadError) {
        guard detail >= .minimal else { return }
        logger.warning(
            "\("✗ not restored: \(error.message)".onOneLine)",
            metadata: ["download": .stringConvertible(CallID(id)), "error": .string(error.code.rawValue)])
    }

    func progressed(_ record: DownloadRecord, _ progress: DownloadProgress) {
        var values: [String: String] = [:]
        if let speed = progress.speed { values["speed"] = "\(Int(speed))" }
        log(.verbose, "\(arrow(record.task)) progress", record, values)
    }

    private func arrow(_ task: DownloadTask) -> String { task.kind == .upload ? "↑" : "↓" }

    private func duration(_ task: DownloadTask) -> String? {
        guard let start = task.startedAt, let end = task.endedAt else { return nil }
        return Duration.seconds(end.timeIntervalSince(start)).seconds(places: 3)
    }

    private func log(
        _ least: LoggingMiddleware.Detail, _ text: String, _ record: DownloadRecord, _ values: [String: String?] = [:]
    ) {
        guard detail >= least else { return }
        logger.log(level: level, "\(text)", metadata: metadata(record, values))
    }

    private func warn(
        _ text: String, _ record: DownloadRecord, _ error: DownloadError?, _ values: [String: String] = [:],
        level: Logger.Level = .warning
    ) {
        guard detail >= .minimal else { return }
        var values = values
        values["error"] = error?.code.rawValue
        let reason = error.map { ": \($0.message)" } ?? ""
        logger.log(level: level, "\((text + reason).onOneLine)", metadata: metadata(record, values))
    }

    private func metadata(_ record: DownloadRecord, _ values: [String: String?]) -> Logger.Metadata {
        let task = record.task
        var metadata: Logger.Metadata = [
            task.kind.rawValue: .stringConvertible(CallID(task.id)),
            "url": .string(redaction.redact(url: task.url).onOneLine),
            "bytes": "\(task.bytes)",
        ]
        if let name = task.fileName { metadata["file"] = .string(name.onOneLine) }
        if let total = task.total { metadata["total"] = "\(total)" }
        if record.lastAttempt > 0 { metadata["attempt"] = "\(record.lastAttempt)" }
        for case (let key, let value?) in values { metadata[key] = .string(value.onOneLine) }
        return metadata
    }
}
