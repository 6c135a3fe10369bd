#if Tools
internal import Foundation
internal import NetCore
internal import NetHTTP

/// All downloads of a run, as the manager's events tell of them.
struct Board: Sendable {
    private var order: [UUID] = []
    private var rowsByID: [UUID: Row] = [:]

    /// In the order in which they were added.
    var rows: [Row] { order.compactMap { rowsByID[$0] } }
    /// Whether nothing follows any more.
    var isDone: Bool { rows.allSatisfy(\.state.isFinal) }
    var completed: Int { rows.filter { $0.state == .completed }.count }
    var failed: Int { rows.filter { $0.state == .failed || $0.state == .cancelled }.count }

    subscript(id: UUID) -> Row? { rowsByID[id] }

    /// Takes a download as it is.
    mutating func update(_ task: DownloadTask) {
        if rowsByID[task.id] == nil { order.append(task.id) }
        var row = rowsByID[task.id] ?? Row(name: "")
        row.name = TerminalText.clean(task.name)
        row.state = task.state
        row.bytes = task.bytes
        row.total = task.total
        row.remark = task.error.map { TerminalText.clean($0.message) }
        if task.state != .downloading { (row.speed, row.timeLeft) = (nil, nil) }
        rowsByID[task.id] = row
    }

    /// Takes what happened.
    mutating func apply(_ event: DownloadEvent) {
        update(event.task)
        switch event.kind {
        case .progress(let progress):
            rowsByID[event.task.id]?.speed = progress.speed
            rowsByID[event.task.id]?.timeLeft = progress.timeLeft
            rowsByID[event.task.id]?.bytes = progress.bytes
            rowsByID[event.task.id]?.total = progress.total
        case .ranges(let count): rowsByID[event.task.id]?.ranges = count
        case .error(let error): rowsByID[event.task.id]?.remark = TerminalText.clean(error.message)
        case .added, .state, .removed: break
        }
    }
}
#endif
