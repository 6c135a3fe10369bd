/// A filter for the progress reports of one body's transfer. Pure: the time is an argument.
package struct ProgressThrottle: Sendable {
    private let kind: TransferProgress.Kind
    private let attempt: Int
    private let interval: Duration
    private var reported: (completed: Int64, at: Duration)?

    package init(_ kind: TransferProgress.Kind, attempt: Int, interval: Duration) {
        self.kind = kind
        self.attempt = attempt
        self.interval = interval
    }

    /// Returns the reports, at most two, for a body of which `completed` bytes were transferred.
    package mutating func moved(to completed: Int64, of total: Int64?, now: Duration) -> [TransferProgress] {
        guard let last = reported else {
            reported = (0, now)
            let first = progress(0, total)
            return completed > 0 && completed == total ? [first] + finished(completed, of: total) : [first]
        }
        guard completed > last.completed else { return [] }
        guard completed == total || now - last.at >= interval else { return [] }
        reported = (completed, now)
        return [progress(completed, total)]
    }

    /// Returns the reports, at most two, for a body that is complete.
    package mutating func finished(_ completed: Int64, of total: Int64?) -> [TransferProgress] {
        if let last = reported, last.completed == completed { return [] }
        let first = reported == nil && completed > 0 ? [progress(0, total)] : []
        reported = (completed, reported?.at ?? .zero)
        return first + [progress(completed, total)]
    }

    private func progress(_ completed: Int64, _ total: Int64?) -> TransferProgress {
        TransferProgress(kind, completed: completed, total: total, attempt: attempt)
    }
}
