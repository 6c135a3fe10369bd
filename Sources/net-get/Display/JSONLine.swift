#if Tools
internal import Foundation
internal import NetCore
internal import NetHTTP

/// A line of `--json`: what happened, and the download as it is then. URLs are redacted.
struct JSONLine: Encodable {
    /// `added`, `state`, `progress`, `error`, `ranges`; `end` for the last line.
    let event: String
    var id, url, name, state, path, location, code, message: String?
    var bytes, total: Int64?
    var bytesPerSecond, secondsLeft: Double?
    var attempt, ranges, completed, failed: Int?
    /// Only of the last line: whether it was interrupted, so that the next run in the folder goes on.
    var isInterrupted: Bool?

    /// nil for what is nobody's business outside.
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

    /// The last line.
    init(completed: Int, failed: Int, isInterrupted: Bool) {
        event = "end"
        (self.completed, self.failed, self.isInterrupted) = (completed, failed, isInterrupted)
    }

    /// One line, keys sorted, absent values left out.
    func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
#endif
