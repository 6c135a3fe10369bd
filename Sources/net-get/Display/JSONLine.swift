#if Tools
internal import Foundation
internal import NetCore
internal import NetHTTP

/// A line of `--json`: an event, and the state of the download after it. URLs are redacted.
struct JSONLine: Encodable {
    /// `added`, `state`, `progress`, `error`, `ranges`; `end` for the last line.
    let event: String
    var id, url, name, state, path, location, code, message: String?
    var bytes, total: Int64?
    var bytesPerSecond, secondsLeft: Double?
    var attempt, ranges, completed, failed: Int?
    /// Only in the last line: true if the run was interrupted, so that the next run in the folder resumes it.
    var isInterrupted: Bool?

    /// Returns nil for an internal event.
    init?(_ event: DownloadEvent) {
        let task = event.task
        switch event.kind {
        case .added: self.event = "added"
        case .state: self.event = "state"
        case .progress(let progress):
            self.event = "progress"
            bytesPerSecond = progress.speed
            secondsLeft = progress.timeLeft?.inSeconds
        case .error(let error):
            self.event = "error"
            (code, message) = (error.code.rawValue, error.message)
        case .ranges(let count):
            self.event = "ranges"
            ranges = count
        case .removed: return nil
        }
        (id, url, name, state) = (
            task.id.uuidString.lowercased(), Printed.url(task.url), task.fileName, task.state.rawValue
        )
        (bytes, total, attempt, path) = (task.bytes, task.total, task.attempt, task.localURL?.path)
        location = task.location.map(Printed.url)
        if case .state(.failed) = event.kind { (code, message) = (task.error?.code.rawValue, task.error?.message) }
    }

    /// Creates the last line.
    init(completed: Int, failed: Int, isInterrupted: Bool) {
        event = "end"
        (self.completed, self.failed, self.isInterrupted) = (completed, failed, isInterrupted)
    }

    /// Returns one line of JSON with sorted keys; absent values are omitted.
    func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
#endif
