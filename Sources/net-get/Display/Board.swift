#if Tools
internal import Foundation
internal import NetCore
internal import NetHTTP

/// The state of all downloads of a run, updated by the manager's events. The cost of an event doesn't depend on the
/// number of downloads.
struct Board: Sendable {
    private struct Entry {
        var row: Row
        /// The file name that the row's name is derived from.
        var fileName: String?
    }

    private var order: [UUID] = []
    private var entries: [UUID: Entry] = [:]
    private(set) var completed = 0
    private(set) var failed = 0

    /// The rows in the order in which the downloads were added.
    var rows: [Row] { order.compactMap { entries[$0]?.row } }
    var count: Int { order.count }
    /// True if all downloads have ended.
    var isDone: Bool { completed + failed == order.count }

    subscript(id: UUID) -> Row? { entries[id]?.row }

    /// Adds a download before its first event.
    mutating func expect(_ task: DownloadTask) {
        if entries[task.id] == nil { entries[task.id] = add(task) }
    }

    /// Updates a download to its current state.
    mutating func update(_ task: DownloadTask) {
        var entry = entries[task.id] ?? add(task)
        if entry.fileName != task.fileName {
            entry.fileName = task.fileName
            entry.row.name = TerminalText.clean(task.name)
        }
        count(entry.row.state, -1)
        count(task.state, 1)
        entry.row.state = task.state
        entry.row.bytes = task.bytes
        entry.row.total = task.total
        entry.row.remark = task.error.map { TerminalText.clean($0.message) }
        if !task.state.isRunning { (entry.row.speed, entry.row.timeLeft) = (nil, nil) }
        entries[task.id] = entry
    }

    private mutating func add(_ task: DownloadTask) -> Entry {
        order.append(task.id)
        // The end of a URL's path is more informative than its beginning.
        let path = URLReference(Printed.url(task.url)).path
        let name = path.split(separator: "/").last.map { PercentEncoding.decode($0) } ?? task.name
        return Entry(row: Row(name: TerminalText.clean(name)))
    }

    private mutating func count(_ state: DownloadState, _ change: Int) {
        switch state {
        case .completed: completed += change
        case .failed, .cancelled: failed += change
        case .queued, .downloading, .uploading, .waiting, .paused: break
        }
    }

    /// Applies an event.
    mutating func apply(_ event: DownloadEvent) {
        update(event.task)
        switch event.kind {
        case .progress(let progress):
            entries[event.task.id]?.row.speed = progress.speed
            entries[event.task.id]?.row.timeLeft = progress.timeLeft
        case .ranges(let count): entries[event.task.id]?.row.ranges = count
        case .added, .error, .state, .removed: break
        }
    }
}
#endif
